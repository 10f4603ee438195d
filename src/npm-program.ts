/** The npm build: what bin/hookrun.cjs starts, and what others import. */

import { type CodeCache, keepCode, noting } from './code-cache.ts';
import { withLastWord } from './last-word.ts';
import { main } from './main.ts';
import { nodeWorld } from './node-world.ts';

export * from './index.ts';

/** Runs hookrun as this process, and keeps what was compiled for it. */
export async function run(argv: readonly string[], cache: CodeCache): Promise<void> {
  const uses = new Set<string>();
  const code = await main(argv, withLastWord(noting(nodeWorld(), uses)));
  process.exitCode = code;
  keepCode(cache, argv, code, uses);
  // All is written. Left to itself node takes the signal handlers away first, and a signal would then change the code.
  process.exit();
}
