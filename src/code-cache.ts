/** Keeping what V8 compiled, for bin/hookrun.cjs. A cache: whatever goes wrong with it, the program only starts slower. */

import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLeftover, makeFolder, replaceFile, unfinished } from './replace-file.ts';
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

/** Keeps it; what there is for the same node and another program goes, and so does what was left behind unfinished. */
function write(folder: string, { name, prefix, mark, made }: CodeCache, uses: readonly string[]): void {
  try {
    // With another user's home (sudo), folders that are made here would be in that user's way.
    if (ownerOf(folder) !== process.geteuid?.()) return;
    makeFolder(folder);
    if (!lstatSync(folder).isDirectory()) return;
    const code = made();
    // Twice, so that whoever reads it sees whether it is damaged.
    replaceFile(join(folder, name), [code, code, `\n${uses.join(' ')}${mark}`]);
    const idLength = 16;
    const mine = name.slice(0, prefix.length + idLength);
    for (const other of readdirSync(folder)) {
      const isOld = other.endsWith(unfinished) && isLeftover(join(folder, other));
      if (isOld || (other.startsWith(prefix) && !other.startsWith(mine))) rmSync(join(folder, other), { force: true });
    }
  } catch {
    // No place to keep it, or somebody else was faster.
  }
}

/** Whose a folder is, or would be: of the nearest one above it that is there. Throws as node does. */
function ownerOf(folder: string): number {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? ownerOf(dirname(folder)) : stats.uid;
}
