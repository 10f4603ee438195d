import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** What a replacement is called until it is whole; a process that is killed in the middle leaves it behind. */
export const unfinished = '.new';

/**
 * Replaces a file in one step, after its content has reached the disk: a reader and a crash find the old one or the new one, never a part. Its mode
 * is 0600. Throws as node does, and then the old one is still there.
 */
export function replaceFile(path: string, parts: readonly (string | Buffer)[]): void {
  const next = `${path}.${process.pid}.${process.hrtime.bigint()}${unfinished}`;
  const fd = openSync(next, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    try {
      for (const part of parts) writeFileSync(fd, part);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
