type Json = Readonly<Record<string, unknown>>;

const tool: Json = {
  tool_name: 'shell',
  tool_input: { command: 'cargo test' },
  working_dir: '/home/dev/project',
};
const file: Json = {
  tool_name: 'write',
  tool_input: { path: 'src/main.rs', content: 'fn main() {}\n' },
  working_dir: '/home/dev/project',
};
const call: Json = { tool_call_id: 'call_1', ...tool };

const samples: Readonly<Record<string, Json>> = {
  SessionStart: { matcher_context: null, working_dir: '/home/dev/project' },
  SessionEnd: { matcher_context: null },
  Stop: { matcher_context: null, last_assistant_message: 'Done. All tests pass.', working_dir: '/home/dev/project' },
  UserPromptSubmit: { matcher_context: 'run the tests', message: 'run the tests' },
  PreToolUse: { matcher_context: 'shell', ...call },
  PreToolUseResult: { matcher_context: 'shell', ...call, decision: 'allow', policy_evaluated: true },
  PostToolUse: { matcher_context: 'shell', ...call },
  PostToolUseFailure: { matcher_context: 'shell', ...call },
  BeforeReadFile: {
    matcher_context: 'README.md',
    tool_name: 'filesystem__read_file',
    tool_input: { path: 'README.md' },
    working_dir: '/home/dev/project',
  },
  AfterFileEdit: { matcher_context: 'src/main.rs', ...file },
  BeforeShellExecution: { matcher_context: 'cargo test', ...tool },
  AfterShellExecution: { matcher_context: 'cargo test', ...tool },
};

/** A payload as goose sends it for this event, with its fields in goose's order. */
export const sample = (event: string): Json => ({ event, session_id: '20260801_1', ...samples[event] });
