import { isToolEvent } from './events.ts';

const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_call_id: 'call_1' };
const approval = { id: 'approval_1', agent_id: 'main', turn_id: 1 };
const parts = [{ type: 'text', text: 'Hello' }];

/** The event's own fields, after the base ones, in the order in which Kimi Code sends them. */
const own: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  PreToolUse: call,
  PostToolUse: { ...call, tool_output: 'README.md\n' },
  PostToolUseFailure: {
    ...call,
    error: { code: 'internal', message: 'Command failed with exit code: 1.', retryable: false },
  },
  UserPromptSubmit: { prompt: parts, is_steer: false },
  UserPromptQueued: { prompt_id: 'msg_1', prompt: parts, queue_length: 1 },
  TurnStarted: { turn_id: 1, origin_kind: 'user', prompt: 'Hello' },
  Stop: { stop_hook_active: false },
  StopFailure: { error_type: 'APIStatusError', error_message: '400 bad request' },
  Interrupt: { turn_id: 1, reason: 'cancelled' },
  SessionStart: { source: 'startup', model: 'kimi', profile: 'agent' },
  SessionEnd: { reason: 'exit' },
  SessionHeartbeat: { uptime_ms: 60000 },
  SubagentStart: { agent_name: 'coder', prompt: 'Count the files.' },
  SubagentStop: { agent_name: 'coder', response: 'There are 3 files.' },
  TaskStarted: {
    task_id: 'bash-1',
    kind: 'process',
    description: 'Run the tests',
    status: 'running',
    detached: true,
    started_at: 1767225600000,
  },
  PreCompact: { trigger: 'manual', token_count: 20000 },
  PostCompact: { trigger: 'manual', estimated_token_count: 2000 },
  Notification: {
    sink: 'context',
    agent_id: 'main',
    notification_type: 'task.completed',
    title: 'Background process completed',
    body: 'Run the tests completed.',
    severity: 'info',
    source_kind: 'background_task',
    source_id: 'bash-1',
  },
};

/** A payload as Kimi Code sends it for this event. */
export function sample(event: string): Readonly<Record<string, unknown>> {
  return {
    hook_event_name: event,
    session_id: 'session_00000000-0000-4000-8000-000000000001',
    cwd: '/home/dev/project',
    client_type: 'kimi_code_cli',
    ...(own[event] ?? (isToolEvent(event) ? permission(event) : {})),
  };
}

function permission(event: string): Readonly<Record<string, unknown>> {
  const { tool_name, tool_input, tool_call_id } = call;
  const display = { kind: 'command', command: 'ls', cwd: '/home/dev/project', language: 'bash' };
  const decision = event === 'PermissionResult' ? { decision: 'approved' } : {};
  return { ...approval, tool_call_id, tool_name, action: 'Running: ls', display, tool_input, ...decision };
}
