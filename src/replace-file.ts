import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** What a replacement is called until it is whole; a process that is killed in the middle leaves it behind. */
export const unfinished = '.new';
/** Such a leftover may be cleared away after this long, in ms. */
const leftoverMs = 60_000;

/** Whether a file is so old that whoever was writing it is no more. Throws as node does. */
export const isLeftover = (path: string): boolean => Date.now() - statSync(path).mtimeMs > leftoverMs;

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

/**
 * Makes a folder and those above it that are missing, for the user alone. One by one: where a folder says of its inside that it is not there (/proc),
 * node's `recursive` goes on for ever. Throws as node does.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Somebody else was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
