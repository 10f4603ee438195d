/** How far into a text the end of its first object is looked for, in characters: what a hook states is far shorter. */
const farthest = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The complete object that a text begins with, blanks aside, whatever follows it; undefined where it begins with anything else or the
 * object does not end within the first mebibyte. Only brackets and strings are looked at: whether it is JSON is the parser's to say.
 * Pure, and linear in what is looked at.
 */
export function leadingObject(text: string): string | undefined {
  // A megabyte more of blanks costs nothing that matters, and no hook writes them.
  const start = text.search(/\S/);
  if (start < 0 || text[start] !== '{') return undefined;
  const end = Math.min(text.length, start + farthest);
  let depth = 0;
  let isInString = false;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    // Both kinds as one: `[` and `{` are 0x20 apart and their ends two further, and a wrong pair is no JSON anyway.
    else if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return undefined;
}
