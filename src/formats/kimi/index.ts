/** Kimi Code's hooks, whole. Loaded only when a payload is Kimi Code's; the light part is entry.ts. */

import type { Format } from '../format.ts';
import type { KimiHook } from './detail.ts';
import { fields } from './fields.ts';
import { judge } from './judge.ts';
import { load } from './load.ts';
import { matches } from './match.ts';
import { merge } from './merge.ts';
import { readEvent } from './read-event.ts';
import { sample } from './sample.ts';
import { speak } from './speak.ts';
import { start } from './start.ts';
import { kimiWords } from './words.ts';

export const format: Format = {
  name: 'kimi',
  engine: { name: 'kimi-code', version: '2.1.0' },
  words: kimiWords,
  scopes: ['user', 'plugin', 'explicit'],
  fields,
  readEvent,
  load,
  matches,
  // The same command in the same plugin runs once, the first one's timeout holds (Kimi protocol, Matching).
  duplicateKey: (hook) => `${(hook as KimiHook).detail.plugin?.root ?? ''}\0${hook.command}`,
  schedule: () => 'parallel',
  start: (hook, event, where, wish) => start(hook as KimiHook, event, where, wish),
  judge,
  // In sequence, where the user wants that, hooks know nothing of each other, as in parallel.
  advance: (event) => event,
  merge,
  speak,
  sample,
};
