import { startNodeChild } from './node-child.ts';
import { nodeStreams } from './node-streams.ts';
import { worldIn } from './real-world.ts';
import type { World } from './world.ts';

/** The world of this process, as node gives it. */
export const nodeWorld = (): World => worldIn({ streams: nodeStreams, startChild: startNodeChild });
