import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const { O_APPEND, O_CREAT, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_WRONLY } = constants;

/**
 * Appends a line to a file in one write, so that lines of processes that write at the same time never mix; a file that is made gets mode
 * 0600. Throws an Error that says why it can't. Nothing that is no regular file is written to, a link neither: the
 * folder may be a stranger's, and the link lead to the user's own shell profile.
 */
export function appendToFile(path: string, line: string): void {
  const fd = openToAppend(path);
  try {
    if (!fstatSync(fd).isFile()) throw new Error('it is not a regular file');
    // Somebody was killed in the middle of a line, or the disk was full: that line stays alone.
    const bytes = Buffer.from(endsInLine(fd) ? line : `\n${line}`);
    const written = writeSync(fd, bytes);
    if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
  } finally {
    closeSync(fd);
  }
}

function openToAppend(path: string): number {
  const flags = O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  try {
    return openSync(path, O_RDWR | flags, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || code === 'EMLINK') throw new Error('it is a link');
    // A log may be made so that it can be written to and not read.
    if (code === 'EACCES') return openSync(path, O_WRONLY | flags, 0o600);
    throw error;
  }
}

function endsInLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  try {
    return readSync(fd, last, 0, 1, size - 1) === 0 || last[0] === 0x0a;
  } catch {
    return true;
  }
}
