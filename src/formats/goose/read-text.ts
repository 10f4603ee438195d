import { isUtf8 } from 'node:buffer';
import { configLimit } from '../../config-file.ts';
import { ReadError, type ReadOnlyFs } from '../../file-system.ts';

/** A text file as goose reads it: strictly UTF-8, and with a byte order mark left in place. */
export type TextFile = { readonly text: string } | { readonly why: string } | undefined;

/**
 * The text of a file; why it can't be read; or undefined where there is no regular file, which is never worth a word (goose corner 15: a
 * folder or a dangling link of that name is silent, a link to a file is followed).
 */
export function readText(fs: ReadOnlyFs, path: string): TextFile {
  if (fs.isMissing(path)) return undefined;
  try {
    const bytes = fs.read(path, configLimit);
    return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { why: 'not valid UTF-8' };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    const isNone = error.kind === 'missing' || error.kind === 'folder' || error.kind === 'not-a-file';
    return isNone ? undefined : { why: error.message };
  }
}

/** Whether JSON.parse takes a text. What is wrong with one that it does not take, `whyNotJson` says. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
