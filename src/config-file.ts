import { HookrunError } from './errors.ts';
import { ReadError, type ReadOnlyFs } from './file-system.ts';
import { say } from './words.ts';

/** The largest config file that is read, in bytes. */
export const configLimit = 16 * 1024 * 1024;

/**
 * The text of a config file, or undefined where there is none. Throws `HookrunError` (input-file) for what is there and can't be
 * read: a folder, a FIFO or another thing that is no regular file, one that is too large, one without permission.
 */
export function readConfigText(fs: ReadOnlyFs, path: string): string | undefined {
  if (fs.isMissing(path)) return undefined;
  try {
    return fs.read(path, configLimit).toString('utf8');
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    if (error.kind === 'missing') return undefined;
    throw new HookrunError('input-file', say('file-unreadable', { path }, error.message));
  }
}

/** As `readConfigText`, but a file that the user named must be there. */
export function readNamedConfigText(fs: ReadOnlyFs, path: string): string {
  const text = readConfigText(fs, path);
  if (text === undefined) throw new HookrunError('input-file', say('file-unreadable', { path }, 'no such file'));
  return text;
}

/** Why a config file can't be read, or its text; for files whose loss is only a warning. */
export function tryConfigText(
  fs: ReadOnlyFs,
  path: string,
): { readonly text: string } | { readonly missing: true } | { readonly why: string } {
  try {
    const text = readConfigText(fs, path);
    return text === undefined ? { missing: true } : { text };
  } catch (error) {
    if (!(error instanceof HookrunError)) throw error;
    return { why: error.message };
  }
}
