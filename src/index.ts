/** hookrun as a library: the same `main` that the command calls, and the types of what it prints. */

export type { Decision } from './decision-schema.ts';
export { diskFs, type FileInfo, type ReadOnlyFs } from './file-system.ts';
export { main } from './main.ts';
export { nodeWorld } from './node-world.ts';
export type { World } from './world.ts';
