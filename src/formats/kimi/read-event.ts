import { HookrunError } from '../../errors.ts';
import { describe, payloadError } from '../../payload.ts';
import { mustFit } from '../../shape.ts';
import type { HookEvent } from '../../types.ts';
import { eventUnknown } from '../../words.ts';
import { kimi } from './entry.ts';
import { canBlock, targetOf } from './events.ts';
import { partShape, payloadShape } from './shapes.ts';

/** The two events whose prompt is a list of content parts; a plain string stands for one part of text. */
const withParts: ReadonlySet<string> = new Set(['UserPromptSubmit', 'UserPromptQueued']);

/**
 * Validates the known fields of a payload; unknown ones pass, and nothing is changed. Throws `HookrunError`: `usage` for a name that
 * is no event of Kimi Code, `payload` for a wrong type; `Misfit` for a field that is not what it should be.
 */
export function readEvent(payload: Readonly<Record<string, unknown>>, text: string): HookEvent {
  const name = payload['hook_event_name'];
  if (typeof name !== 'string') throw wrongType('hook_event_name', 'a string', name);
  if (!kimi.events.includes(name))
    throw new HookrunError('payload', eventUnknown({ key: 'hook_event_name' }, name, kimi));
  mustFit(payloadShape(name), payload);
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
  if (!Array.isArray(prompt)) throw wrongType('prompt', 'a list of content parts, or a string', prompt);
  for (const [index, part] of prompt.entries()) mustFit(partShape(part), part, ['prompt', index]);
}

const wrongType = (at: string, expected: string, found: unknown): HookrunError =>
  payloadError({ at, expected, found: describe(found) });
