import { startBunChild } from '../../src/bun-child.ts';
import type { StartChild } from '../../src/child.ts';
import { startNodeChild } from '../../src/node-child.ts';

/** As the runtime that the tests run in starts processes: the standalone executable's way is tested by running them in bun. */
export const startChild: StartChild = 'Bun' in globalThis ? startBunChild : startNodeChild;
