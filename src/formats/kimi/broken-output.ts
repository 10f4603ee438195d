import { syntaxError } from '../../payload.ts';
import type { Failure } from '../../types.ts';
import { blockIn } from './foreign.ts';
import { isObject } from './read-run.ts';

/** Why an output is no decision: `lost` if it denied, `why` if it does not parse. */
export interface Broken extends Failure {
  readonly lost?: string;
  readonly why?: string;
}

/**
 * Whether a stdout was meant as a decision and is none: it looks like JSON and does not parse (dash's echo turns `\n` into a
 * line end), or a decision stands among other text. Undefined for what is plain text,
 * or a decision.
 */
export function brokenOutput(stdout: string): Broken | undefined {
  const text = stdout.trim();
  if (!text.startsWith('{') && !text.includes('hookSpecificOutput') && !text.includes('"decision"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value) || !value.some((one) => isObject(one) && blockIn(one) !== undefined)) return undefined;
    const why = 'it stands in a JSON array, and only a single object counts';
    return { kind: 'broken-output', text: `stdout holds a deny that does not count: ${why}`, lost: why };
  } catch (error) {
    const lost = lostDeny(text);
    if (lost !== undefined)
      return { kind: 'broken-output', text: `stdout holds a deny that does not count: ${lost}`, lost };
    if (!text.startsWith('{')) return undefined;
    const { why } = syntaxError(error as Error, text);
    return { kind: 'broken-output', text: `stdout looks like JSON but does not parse: ${why}`, why };
  }
}

/** How many places of a text are tried as the beginning of a decision. */
const tries = 100;

/** A decision that blocks, on one line or in one piece, in a text that holds more than it. */
function lostDeny(text: string): string | undefined {
  const lines = text.split('\n');
  const denying = lines.slice(0, tries).some((line) => denies(line));
  if (denying) return 'other text stands around it';
  // One object over several lines, with text only before or only after it.
  const start = text.search(/^\s*\{/m);
  const end = text.lastIndexOf('}');
  return start >= 0 && end > start && denies(text.slice(start, end + 1)) ? 'other text stands around it' : undefined;
}

function denies(text: string): boolean {
  const piece = text.trim();
  if (!piece.startsWith('{') || !piece.endsWith('}')) return false;
  try {
    const value: unknown = JSON.parse(piece);
    return isObject(value) && blockIn(value) !== undefined;
  } catch {
    return false;
  }
}
