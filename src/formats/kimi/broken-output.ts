import type { Failure } from '../../types.ts';
import { blockIn } from './foreign.ts';
import { isObject } from './read-run.ts';

/** Why an output is no decision: `lost` if it denied all the same, `why` if it just does not parse. */
export interface Broken extends Failure {
  readonly lost?: string;
  readonly why?: string;
}

/**
 * Whether a stdout was meant as a decision and is none: it looks like JSON and does not parse, or a decision stands among other text
 * or in a list (Kimi protocol, Reading one run). Undefined for what is plain text, or a decision. Never throws.
 */
export function brokenOutput(stdout: string): Broken | undefined {
  const text = stdout.trim();
  const looksLikeJson = text.startsWith('{');
  if (!looksLikeJson && !text.includes('"hookSpecificOutput"') && !text.includes('"decision"')) return undefined;
  const value = parsed(text);
  if (isObject(value)) return undefined;
  if (Array.isArray(value)) {
    return value.some((one) => isObject(one) && blockIn(one) !== undefined)
      ? lostDeny('it stands in a list, and only a single object counts')
      : undefined;
  }
  // A string cannot hold a control character as such: sh's echo has made one out of \n or \t.
  const mended = parsed(text.replace(/[\u0000-\u001f]+/g, ' '));
  if (isObject(mended)) {
    const why = "a line end or tab stands inside a string, as sh's echo makes one out of \\n and \\t; use printf '%s'";
    return blockIn(mended) === undefined ? unparsable(why) : lostDeny(why);
  }
  if (holdsDeny(text)) return lostDeny('other text stands around it');
  return looksLikeJson ? unparsable('it is not one valid JSON object') : undefined;
}

const unparsable = (why: string): Broken => ({
  kind: 'broken-output',
  text: `stdout looks like JSON but does not parse: ${why}`,
  why,
});

const lostDeny = (why: string): Broken => ({
  kind: 'broken-output',
  text: `stdout holds a deny that does not count: ${why}`,
  lost: why,
});

/** How many lines of a text are tried as a decision of their own. */
const tries = 100;

/** Whether a decision that blocks stands on one line of the text, or in one piece with text only before or after it. */
function holdsDeny(text: string): boolean {
  if (text.split('\n', tries).some(denies)) return true;
  const start = text.search(/^[ \t]*\{/m);
  const end = text.lastIndexOf('}');
  return start >= 0 && end > start && denies(text.slice(start, end + 1));
}

function denies(text: string): boolean {
  const piece = text.trim();
  const value = piece.startsWith('{') && piece.endsWith('}') ? parsed(piece) : undefined;
  return isObject(value) && blockIn(value) !== undefined;
}

/** The value of a JSON text, undefined where it is none (which no JSON text has as its value). */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
