import { HookrunError } from '../../errors.ts';
import { describe } from '../../payload.ts';
import type { HookEvent } from '../../types.ts';
import { eventUnknown, say } from '../../words.ts';
import { kimi } from './entry.ts';
import { canBlock, targetOf } from './events.ts';
import { firstFault, partSchema, payloadSchema, type Schema } from './schemas.ts';

/** The two events whose prompt is a list of content parts; a plain string stands for one part of text. */
const withParts: ReadonlySet<string> = new Set(['UserPromptSubmit', 'UserPromptQueued']);

/**
 * Validates the known fields of a payload; unknown ones pass, and nothing is changed. Throws `HookrunError`: `usage` for a name that
 * is no event of Kimi Code, `payload` for a wrong type, naming the path (`prompt[0].text`).
 */
export function readEvent(payload: Readonly<Record<string, unknown>>, text: string): HookEvent {
  const name = payload['hook_event_name'];
  if (typeof name !== 'string') throw wrongType(['hook_event_name'], 'a string', name);
  if (!kimi.events.includes(name))
    throw new HookrunError('payload', eventUnknown({ key: 'hook_event_name' }, name, kimi));
  check(payloadSchema(name), payload, []);
  if (withParts.has(name)) checkPrompt(payload['prompt']);
  const cwd = payload['cwd'] as string | undefined;
  return {
    name,
    target: targetOf(name, payload),
    canBlock: canBlock(name),
    payload,
    text,
    cwd: cwd === '' ? undefined : cwd,
    sessionId: (payload['session_id'] as string | undefined) ?? '',
  };
}

function checkPrompt(prompt: unknown): void {
  if (prompt === undefined || typeof prompt === 'string') return;
  if (!Array.isArray(prompt)) throw wrongType(['prompt'], 'a list of content parts, or a string', prompt);
  for (const [index, part] of prompt.entries()) check(partSchema(part), part, ['prompt', index]);
}

function check(schema: Schema, value: unknown, at: readonly PropertyKey[]): void {
  const fault = firstFault(schema, value);
  if (fault !== undefined) throw wrongType([...at, ...fault.path], fault.expected, fault.found);
}

function wrongType(path: readonly PropertyKey[], expected: string, found: unknown): HookrunError {
  const at = path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
  return new HookrunError('payload', say('payload-field', { key: at }, at, expected, describe(found)));
}
