/** How things that came from outside are shown: masked, cut, and without anything that a terminal would obey. */

import { formMask, type Mask } from './mask.ts';

/** How much of a hook's stdout and of its stderr the result shows, in bytes. */
export const shownBytes = 64 * 1024;

/** A hook's output for the result: decoded, cut to 64 KiB, secrets masked. */
export function showOutput(bytes: Buffer, mask: Mask = formMask): { text: string; truncated: boolean } {
  if (bytes.length <= shownBytes) return { text: mask.text(bytes.toString('utf8')), truncated: false };
  // Masked before it is cut: half a secret would not look like one.
  const masked = Buffer.from(mask.text(bytes.toString('utf8', 0, shownBytes + longestSecret)));
  // Cut before the character that would be split: bytes 10xxxxxx go on with one that began at most three earlier.
  let end = Math.min(shownBytes, masked.length);
  for (let steps = 0; steps < 3 && (masked[end]! & 0xc0) === 0x80; steps += 1) end -= 1;
  return { text: masked.toString('utf8', 0, end), truncated: true };
}

/** How far beyond the cut a secret may reach that begins before it, in bytes. */
const longestSecret = 8 * 1024;

/**
 * Text for a terminal: control characters (escape sequences, carriage returns, the C1 set) and the marks that turn the
 * writing direction are made visible instead of obeyed; line ends become ` / ` and tabs a space.
 */
export function plain(text: string): string {
  return text
    .trim()
    .replace(/\r?\n[\s]*/g, ' / ')
    .replace(/\t/g, ' ')
    .replace(obeyed, visible);
}

/** What a terminal would obey: controls, and the marks that turn the writing direction. */
const obeyed = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const visible = (mark: string): string => {
  const code = mark.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** The same for text whose lines stay lines. */
export const plainLines = (text: string): string =>
  text.replace(obeyed, (mark) => (mark === '\n' || mark === '\t' ? mark : visible(mark)));

/** JSON text with the marks escaped that JSON itself allows in a string and a terminal would obey; the same data. */
export const jsonForTerminal = (json: string): string =>
  json.replace(obeyed, (mark) => (mark === '\n' ? mark : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`));

/** At most `width` characters, the rest as an ellipsis. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = width - 1;
  // Not inside a surrogate pair.
  const before = text.charCodeAt(end - 1);
  return `${text.slice(0, before >= 0xd800 && before < 0xdc00 ? end - 1 : end)}…`;
}
