// What `import … from 'hookrun'` gives: the program of the command, as a library. (Copied to dist/index.js.)
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const file = fileURLToPath(new URL('program.cjs', import.meta.url));
const program = { exports: {} };
const wrapper = new Script(readFileSync(file, 'latin1'), { filename: file }).runInThisContext();
wrapper(program.exports, createRequire(file), program, file, dirname(file));

export const { diskFs, main, nodeWorld } = program.exports;
