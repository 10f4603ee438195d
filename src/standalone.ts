/** The standalone executable: the same program as bin/hookrun.cjs, with what it reads from beside itself embedded. */

// Embedded under its own name, where goose's matcher engine looks for it: beside the code.
import '../node_modules/rregex/lib/rregex.wasm' with { type: 'file' };
import { startBunChild } from './bun-child.ts';
import { bunStreams, collectInBun } from './bun-streams.ts';
import { withLastWord } from './last-word.ts';
import { main } from './main.ts';
import { worldIn } from './real-world.ts';

process.exitCode = await main(
  process.argv.slice(2),
  withLastWord(worldIn({ streams: bunStreams, startChild: startBunChild, collect: collectInBun })),
);
