/** What is known of the payloads, field by field, as 2.1.0 sent them (captures/kimi). Everything else passes through. */

import type { Fields, Shape } from '../../shape.ts';

const base: Fields = {
  hook_event_name: 'string',
  'session_id?': 'string',
  'cwd?': 'string',
  'client_type?': 'string',
  'session_title?': 'string',
};
const call: Fields = { 'tool_name?': 'string', 'tool_input?': 'object', 'tool_call_id?': 'string' };
const permission: Fields = {
  ...call,
  'id?': 'string',
  'agent_id?': 'string',
  'turn_id?': 'number',
  'action?': 'string',
  'display?': 'object',
};
const task: Fields = {
  'task_id?': 'string',
  'kind?': 'string',
  'description?': 'string',
  'status?': 'string',
  'detached?': 'boolean',
  'started_at?': 'number',
};
const note: Fields = {
  'sink?': 'string',
  'agent_id?': 'string',
  'notification_type?': 'string',
  'title?': 'string',
  'body?': 'string',
  'severity?': 'string',
  'source_kind?': 'string',
  'source_id?': 'string',
};
const error: Shape = { fields: { 'code?': 'string', 'message?': 'string', 'retryable?': 'boolean' } };

/** `prompt` as content parts is not in here: how a part is checked depends on its type (see read-event.ts). */
const fields: Readonly<Record<string, Fields>> = {
  PreToolUse: call,
  PostToolUse: { ...call, 'tool_output?': 'string' },
  // A call with arguments that did not pass comes as the model wrote them.
  PostToolUseFailure: { ...call, 'tool_input?': 'any', 'error?': error },
  PermissionRequest: permission,
  PermissionResult: { ...permission, 'decision?': 'string', 'feedback?': 'string', 'scope?': 'string' },
  UserPromptSubmit: { 'is_steer?': 'boolean' },
  UserPromptQueued: { 'prompt_id?': 'string', 'queue_length?': 'number' },
  TurnStarted: { 'turn_id?': 'number', 'origin_kind?': 'string', 'origin_name?': 'string', 'prompt?': 'string' },
  Stop: { 'stop_hook_active?': 'boolean' },
  StopFailure: { 'error_type?': 'string', 'error_message?': 'string' },
  Interrupt: { 'turn_id?': 'number', 'reason?': 'string' },
  SessionStart: { 'source?': 'string', 'model?': 'string', 'profile?': 'string' },
  SessionEnd: { 'reason?': 'string' },
  SessionHeartbeat: { 'uptime_ms?': 'number' },
  SubagentStart: { 'agent_name?': 'string', 'prompt?': 'string' },
  SubagentStop: { 'agent_name?': 'string', 'response?': 'string' },
  TaskStarted: task,
  PreCompact: { 'trigger?': 'string', 'token_count?': 'number' },
  PostCompact: { 'trigger?': 'string', 'estimated_token_count?': 'number' },
  Notification: note,
};

/** What an event's payload looks like. */
export const payloadShape = (event: string): Shape => ({ fields: { ...base, ...fields[event] } });

const textPart: Shape = { fields: { type: 'string', text: 'string' } };
const imagePart: Shape = { fields: { type: 'string', imageUrl: { fields: { url: 'string' } } } };
const otherPart: Shape = { fields: { type: 'string' } };

/** What one content part of a prompt looks like, by its type; of an unknown type only that it has one. */
export function partShape(part: unknown): Shape {
  const type = (part as { type?: unknown } | null)?.type;
  return type === 'text' ? textPart : type === 'image_url' ? imagePart : otherPart;
}
