/** goose's hooks, whole. Loaded only when a payload is goose's; the light part is entry.ts. */

import type { Format } from '../format.ts';
import type { GooseHook } from './detail.ts';
import { followEvents } from './follow.ts';
import { foreignTool } from './foreign.ts';
import { judge } from './judge.ts';
import { load } from './load.ts';
import { matches } from './match.ts';
import { merge } from './merge.ts';
import { edits, fieldOrder, fill, readEvent } from './payload.ts';
import { sample } from './sample.ts';
import { speak } from './speak.ts';
import { start } from './start.ts';
import { denialCap } from './stop-cap.ts';
import { gooseWords, say } from './words.ts';

export const format: Format = {
  name: 'goose',
  engine: { name: 'goose', version: '2026-08' },
  words: gooseWords,
  scopes: ['project', 'user', 'explicit'],
  fields: { edits, fill, order: fieldOrder },
  readEvent,
  load,
  matches: (hook, event, regexes) => matches(hook as GooseHook, event, regexes),
  // The same command in two rules runs twice (goose, "Matching").
  duplicateKey: () => undefined,
  schedule: () => 'sequential',
  start: (hook, _event, where, wish) => start(hook as GooseHook, where, wish),
  judge: (run, hook, event) => judge(run, hook as GooseHook, event),
  // Where a hook can stop anything the first denial ends the chain; everywhere else all run.
  advance: (event, { counts }) => (event.canBlock && counts !== 'allow' ? 'end' : event),
  merge: (outcomes, event, ruling) => merge(outcomes, event, ruling),
  speak,
  sample,
  follow: (event, outcomes, derived) => followEvents(event, outcomes, derived),
  denialCap,
  inspect({ payload }) {
    const tool = payload['tool_name'];
    const right = typeof tool === 'string' ? foreignTool(tool) : undefined;
    return right === undefined ? [] : [say('goose-foreign-tool-name', { key: 'tool_name' }, String(tool), right)];
  },
};
