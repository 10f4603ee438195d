/** A payload of each event as Gemini CLI sends it, for examples and dry runs. */

type Json = Readonly<Record<string, unknown>>;

const request = {
  model: 'gemini-2.5-flash',
  messages: [{ role: 'user', content: 'Set up the notes please' }],
  config: { temperature: 1, topP: 0.95, topK: 64 },
};

const toolCall = { tool_name: 'write_file', tool_input: { file_path: 'notes/a.txt', content: 'line one\n' } };

const own: Readonly<Record<string, Json>> = {
  SessionStart: { source: 'startup' },
  SessionEnd: { reason: 'exit' },
  BeforeAgent: { prompt: 'Set up the notes please' },
  AfterAgent: { prompt: 'Set up the notes please', prompt_response: 'All done.', stop_hook_active: false },
  BeforeModel: { llm_request: request },
  AfterModel: {
    llm_request: request,
    llm_response: {
      text: 'done.',
      candidates: [{ content: { role: 'model', parts: ['done.'] }, finishReason: 'STOP', index: 0 }],
    },
  },
  BeforeToolSelection: { llm_request: request },
  BeforeTool: toolCall,
  AfterTool: { ...toolCall, tool_response: { llmContent: 'Wrote notes/a.txt.', returnDisplay: 'notes/a.txt' } },
  PreCompress: { trigger: 'auto' },
  Notification: {
    notification_type: 'ToolPermission',
    message: 'Tool Confirm Shell Command requires execution',
    details: { type: 'exec', title: 'Confirm Shell Command', command: 'ls notes', rootCommand: 'ls' },
  },
};

/** A payload of this event, complete. */
export const sample = (event: string): Json => ({
  session_id: '00000000-1111-4222-8333-444444444444',
  transcript_path: '',
  cwd: '.',
  hook_event_name: event,
  timestamp: '2026-01-02T03:04:05.678Z',
  ...own[event],
});
