/** goose's payloads: which fields there are, what fills in for missing ones, and what is checked at the door. */

import { HookrunError } from '../../errors.ts';
import { describe, payloadError } from '../../payload.ts';
import type { HookEvent } from '../../types.ts';
import { eventUnknown } from '../../words.ts';
import type { Edit, Filling, PayloadFlags } from '../format.ts';
import { goose } from './entry.ts';
import { kindOf } from './events.ts';
import { targetFrom } from './target.ts';

type Json = Readonly<Record<string, unknown>>;

/** The order in which goose sends its fields (goose corner 36). */
export const fieldOrder = [
  'event',
  'session_id',
  'matcher_context',
  'tool_call_id',
  'tool_name',
  'tool_input',
  'tool_output',
  'message',
  'last_assistant_message',
  'working_dir',
  'decision',
  'policy_evaluated',
  'blocked_by',
  'reason',
  'cause',
];

/**
 * The fields that flags stand for. A flag that gives what matchers are tested against gives `matcher_context` too, which would otherwise go on
 * speaking of the payload that the flags have changed.
 */
export function edits(flags: PayloadFlags, payload: Json): Edit[] {
  const fields: [string, string | undefined][] = [
    ['event', quoted(flags.event)],
    ['session_id', quoted(flags.sessionId)],
    ['tool_name', quoted(flags.tool)],
    ['tool_input', flags.toolInput],
    ['tool_output', flags.toolResponse],
    [(flags.event ?? payload['event']) === 'Stop' ? 'last_assistant_message' : 'message', quoted(flags.prompt)],
    ['working_dir', quoted(flags.cwd)],
  ];
  const given = fields.flatMap(([name, json]): [string, string][] => (json === undefined ? [] : [[name, json]]));
  const edited = { ...payload, ...Object.fromEntries(given.map(([name, json]) => [name, JSON.parse(json)])) };
  const event = edited['event'];
  if (typeof event === 'string' && payload['matcher_context'] !== undefined && given.length > 0) {
    const target = targetFrom(event, edited);
    if (target !== targetFrom(String(payload['event']), payload))
      given.push(['matcher_context', JSON.stringify(target)]);
  }
  return given.map(([name, json]): Edit => [[name], json]);
}

const quoted = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : JSON.stringify(text);

/** The base fields that are missing, as goose would send them. */
export function fill(payload: Json, filling: Filling): Edit[] {
  const { event } = payload;
  const missing: Edit[] = [];
  if (payload['session_id'] === undefined) missing.push([['session_id'], JSON.stringify(`hookrun-${filling.uuid()}`)]);
  if (payload['matcher_context'] === undefined && typeof event === 'string')
    missing.push([['matcher_context'], JSON.stringify(targetFrom(event, payload))]);
  return missing;
}

/** Fields that hold a text, or null, which goose sends for some where there is none. */
const texts = [
  'matcher_context',
  'tool_call_id',
  'tool_name',
  'message',
  'last_assistant_message',
  'working_dir',
  'decision',
  'blocked_by',
  'reason',
  'cause',
];

/**
 * Checks the known fields and makes the event. Throws `HookrunError`: `usage` for a name that is none of goose's events, `payload` for a
 * wrong type, naming the field.
 */
export function readEvent(payload: Json, text: string): HookEvent {
  const name = payload['event'];
  if (typeof name !== 'string') throw payloadError({ at: 'event', expected: 'a string', found: describe(name) });
  const kind = kindOf(name);
  if (kind === undefined) throw new HookrunError('payload', eventUnknown({ key: 'event' }, name, goose));
  const sessionId = payload['session_id'];
  if (typeof sessionId !== 'string')
    throw payloadError({ at: 'session_id', expected: 'a string', found: describe(sessionId) });
  for (const field of texts) {
    const value = payload[field];
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw payloadError({ at: field, expected: 'a string or null', found: describe(value) });
  }
  const evaluated = payload['policy_evaluated'];
  if (evaluated !== undefined && typeof evaluated !== 'boolean')
    throw payloadError({ at: 'policy_evaluated', expected: 'true or false', found: describe(evaluated) });
  const context = payload['matcher_context'] as string | null | undefined;
  const cwd = payload['working_dir'] as string | null | undefined;
  return {
    name,
    // A context of null is the empty string, and no other field is looked at (goose corner 24).
    target: context === undefined ? targetFrom(name, payload) : context,
    canBlock: kind.canBlock,
    payload,
    text,
    cwd: cwd === '' || cwd === null ? undefined : cwd,
    sessionId,
  };
}
