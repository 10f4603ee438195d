/** The standalone executable: the same program as bin/hookrun.js, with what it reads from beside itself embedded. */

// Embedded under its own name, where goose's matcher engine looks for it: beside the code.
import '../node_modules/rregex/lib/rregex.wasm' with { type: 'file' };
import { bunInput } from './bun-input.ts';
import { main } from './main.ts';
import { nodeWorld } from './node-world.ts';

process.exitCode = await main(process.argv.slice(2), nodeWorld(bunInput));
