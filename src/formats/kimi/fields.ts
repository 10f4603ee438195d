import type { Edit, Filling, Format, PayloadFlags } from '../format.ts';

/** The events whose prompt is a plain string; UserPromptSubmit and UserPromptQueued have content parts. */
const plainPrompt: ReadonlySet<string> = new Set(['TurnStarted', 'SubagentStart']);

/** How flags become payload fields, and what stands in for missing base fields (Kimi protocol, stdin). */
export const fields: Format['fields'] = {
  edits(flags: PayloadFlags, payload: Readonly<Record<string, unknown>>): Edit[] {
    const event = flags.event ?? payload['hook_event_name'];
    const prompt =
      flags.prompt === undefined || (typeof event === 'string' && plainPrompt.has(event))
        ? text(flags.prompt)
        : JSON.stringify([{ type: 'text', text: flags.prompt }]);
    return given([
      ['hook_event_name', text(flags.event)],
      ['session_id', text(flags.sessionId)],
      ['cwd', text(flags.cwd)],
      ['tool_name', text(flags.tool)],
      ['tool_input', flags.toolInput],
      ['tool_output', flags.toolResponse],
      ['prompt', prompt],
    ]);
  },
  fill(payload: Readonly<Record<string, unknown>>, filling: Filling): Edit[] {
    const missing = (field: string, value: () => string): [string, string | undefined] => [
      field,
      payload[field] === undefined ? JSON.stringify(value()) : undefined,
    ];
    return given([
      missing('session_id', () => `session_${filling.uuid()}`),
      missing('cwd', () => filling.cwd),
      missing('client_type', () => 'kimi_code_cli'),
    ]);
  },
  order: ['hook_event_name', 'session_id', 'cwd', 'client_type', 'session_title'],
};

const text = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

const given = (pairs: readonly (readonly [string, string | undefined])[]): Edit[] =>
  pairs.flatMap(([field, json]): Edit[] => (json === undefined ? [] : [[[field], json]]));
