/** How the file of trusted folders is written. Loaded only by the commands that do. */

import { chmodSync, closeSync, constants, fsyncSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withLock } from './lock.ts';
import { isLeftover, makeFolder, replaceFile } from './replace-file.ts';

/**
 * Changes the file under a lock, so that no writer undoes another's work. It is replaced in one step, after its content has reached the
 * disk: whatever happens, there is the old file or the new one. `change` reads what is there by itself, and may throw.
 */
export async function replaceLocked(path: string, change: () => string): Promise<void> {
  const folder = dirname(path);
  makeFolder(folder);
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  await withLock(`${path}.lock`, () => {
    clearLeftovers(path);
    replaceFile(path, [change()]);
    syncFolder(folder);
  });
}

/** So that the rename itself outlasts a power cut. Not every file system can do it, and nothing is lost but that. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // See above.
  }
}

function clearLeftovers(path: string): void {
  const name = basename(path);
  for (const one of readdirSync(dirname(path))) {
    // Not the lock, nor a lock on breaking it: those have rules of their own.
    if (!one.startsWith(`${name}.`) || one === `${name}.lock` || one.endsWith('.broken')) continue;
    const leftover = join(dirname(path), one);
    try {
      if (isLeftover(leftover)) rmSync(leftover, { force: true });
    } catch {
      // Somebody else was faster.
    }
  }
}
