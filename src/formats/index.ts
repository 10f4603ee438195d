/** The registry: one line a format. Only the small `entry.ts` of each is loaded with it. */

export { gemini } from './gemini/entry.ts';
export { goose } from './goose/entry.ts';
export { kimi } from './kimi/entry.ts';
