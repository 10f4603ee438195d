/** What a hook prints, as goose parses it. */

import { isUtf8 } from 'node:buffer';
import { hasLoneSurrogate, isNull, type ObjectNode, readTree } from './json-tree.ts';
import { trim } from './rust-text.ts';

/** A decision as goose takes it: the object parsed, both fields were texts or null, and neither stood there twice. */
export interface Answer {
  readonly decision: string | undefined;
  /** Untrimmed (goose corner 42). */
  readonly reason: string | undefined;
}

/** What a hook printed, looked at once. */
export interface Printed {
  /** Bytes that are not UTF-8 as U+FFFD. */
  readonly text: string;
  readonly isUtf8: boolean;
  /** The one object that stdout holds, however formal it is; undefined where it holds anything else. */
  readonly object: ObjectNode | undefined;
  /** The same as a plain value. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  /** A byte order mark stood before it, which goose does not take. */
  readonly marked: boolean;
}

/** Reads stdout, trimmed as Rust trims. Never throws. */
export function readPrinted(stdout: Buffer): Printed {
  const text = stdout.toString('utf8');
  const trimmed = trim(text);
  const marked = trimmed.startsWith('\uFEFF');
  const bare = marked ? trim(trimmed.slice(1)) : trimmed;
  const base = { text, isUtf8: isUtf8(stdout), marked };
  if (!bare.startsWith('{')) return { ...base, object: undefined, value: undefined };
  try {
    const value = JSON.parse(bare) as Readonly<Record<string, unknown>>;
    return { ...base, value, object: readTree(bare) as ObjectNode };
  } catch {
    return { ...base, object: undefined, value: undefined };
  }
}

/** The answer as goose's parser has it, or undefined where it refuses the object (goose corners 38 to 41). */
export function formalAnswer({ object, marked }: Printed): Answer | undefined {
  if (object === undefined || marked || object.members.some(({ key }) => hasLoneSurrogate(key))) return undefined;
  const decision = textOrNull(object, 'decision');
  const reason = textOrNull(object, 'reason');
  return decision === null || reason === null ? undefined : { decision: decision.text, reason: reason.text };
}

/** A field that stands there at most once and holds a whole text or null; null for anything else. */
function textOrNull(object: ObjectNode, key: string): { text: string | undefined } | null {
  const [first, again] = object.members.filter((one) => one.key === key);
  if (again !== undefined) return null;
  if (first === undefined || isNull(first.value)) return { text: undefined };
  return first.value.kind === 'string' && !hasLoneSurrogate(first.value.value) ? { text: first.value.value } : null;
}

/**
 * A block that goose loses for a formality: a byte order mark before it, `decision` or `reason` twice, half of a surrogate pair. Of a decision
 * given twice any "block" denies. A reason of a wrong type is no formality: goose says that such an answer is none (goose corner 41).
 */
export function informalBlock({ object }: Printed): { readonly reason: string | undefined } | undefined {
  if (object === undefined) return undefined;
  const decisions = object.members.filter(({ key }) => key === 'decision').map(({ value }) => value);
  if (!decisions.some((value) => value.kind === 'string' && value.value === 'block')) return undefined;
  const reasons = object.members.filter(({ key }) => key === 'reason').map(({ value }) => value);
  if (reasons.length === 1 && reasons[0]!.kind !== 'string' && !isNull(reasons[0]!)) return undefined;
  const last = reasons.findLast((value) => value.kind === 'string');
  return { reason: last?.kind === 'string' ? last.value.replace(/\p{Surrogate}/gu, '\uFFFD') : undefined };
}

/** The banner in what a SessionStart hook printed: a text that is not empty, untrimmed (goose corner 46). */
export function bannerIn({ object, marked }: Printed): string | undefined {
  if (object === undefined || marked || object.members.some(({ key }) => hasLoneSurrogate(key))) return undefined;
  const banner = textOrNull(object, 'banner')?.text;
  return banner === '' ? undefined : banner;
}
