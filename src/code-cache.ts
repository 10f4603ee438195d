/** Keeping what V8 compiled, for bin/hookrun.cjs. A cache: whatever goes wrong with it, the program only starts slower. */

import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

/** Where compiled code is kept, and what there is. */
export interface CodeCache {
  /** undefined: nothing is kept. */
  readonly folder: string | undefined;
  readonly name: string;
  /** How the names of all files for this node begin. */
  readonly prefix: string;
  /** Ends a file that was written whole. */
  readonly mark: string;
  /** The uses of the program for which there is code already. */
  readonly uses: readonly string[];
  /** The code of everything that has been compiled by now. */
  made(): Buffer;
}

/**
 * A world that notes what of the program is needed in it, another part of the code for each: the agents, whether a hook is started. V8 compiles
 * a function when it is first called, so what a run did not need is not in what it leaves.
 */
export function noting(world: World, uses: Set<string>): World {
  return {
    ...world,
    formats: world.formats.map((entry) => ({
      ...entry,
      load: () => {
        uses.add(entry.name);
        return entry.load();
      },
    })),
    startChild: (command, streams) => {
      uses.add('start');
      return world.startChild(command, streams);
    },
  };
}

/** Keeps the code of a run that has come to its end, if it had any use that is new. Never throws. */
export function keepCode(cache: CodeCache, argv: readonly string[], exitCode: number, uses: Set<string>): void {
  // Help and the like are not worth the while, and in the course of a stream V8 throws away what its start needed.
  if (cache.folder === undefined || uses.size === 0 || argv[0] === 'stream') return;
  uses.add(['trust', 'untrust'].find((command) => command === argv[0]) ?? 'run').add(`exit-${exitCode}`);
  if ([...uses].every((use) => cache.uses.includes(use))) return;
  write(cache.folder, cache, [...new Set([...cache.uses, ...uses])]);
}

/** In one step, so that whoever reads it finds all of it or the one before; what there is for the same node and another program goes. */
function write(folder: string, { name, prefix, mark, made }: CodeCache, uses: readonly string[]): void {
  const next = join(folder, `.${name}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (statSync(folder).uid !== process.geteuid?.()) return;
    const fd = openSync(next, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    try {
      const code = made();
      // Twice, so that whoever reads it sees whether it is damaged.
      for (const part of [code, code, Buffer.from(`\n${uses.join(' ')}${mark}`)])
        if (writeSync(fd, part) < part.length) throw new Error('the disk is full');
      // A machine that goes down must not leave a file that is only as long as it should be.
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(next, join(folder, name));
    const idLength = 16;
    const mine = name.slice(0, prefix.length + idLength);
    for (const other of readdirSync(folder))
      if (other.startsWith(prefix) && !other.startsWith(mine)) rmSync(join(folder, other), { force: true });
  } catch {
    tryRemove(next);
  }
}

function tryRemove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder can't be written to; then there is nothing in it.
  }
}
