/** Gemini CLI, as recorded from version 0.61. */

import type { HookEvent } from '../../types.ts';
import type { Format } from '../format.ts';
import { advance } from './advance.ts';
import { load } from './config.ts';
import type { GeminiHook } from './detail.ts';
import { kindOf } from './events.ts';
import { judge } from './judge.ts';
import { matches } from './match.ts';
import { merge } from './merge.ts';
import { baseOrder, edits, fill, readEvent } from './payload.ts';
import { sample } from './sample.ts';
import { speak } from './speak.ts';
import { startOf } from './start.ts';
import { geminiWords, say } from './words.ts';

export const format: Format = {
  name: 'gemini',
  engine: { name: 'gemini-cli', version: '0.61.0' },
  words: geminiWords,
  scopes: ['system-defaults', 'user', 'project', 'system', 'extension', 'explicit'],
  fields: { edits, fill, order: baseOrder },
  readEvent,
  load,
  matches: (hook, event, regexes) => matches(hook as GeminiHook, event, regexes),
  // Not quite unique ("a:b" + "c", "a" + "b:c"), but that is the engine's key (rule 43).
  duplicateKey: (hook) => `${(hook as GeminiHook).detail.ownName}:${hook.command}`,
  // One sequential definition makes the whole event sequential, across scopes (rule 23).
  schedule: (hooks) => (hooks.some((hook) => (hook as GeminiHook).detail.sequential) ? 'sequential' : 'parallel'),
  start: (hook, event, where, wish) => startOf(hook as GeminiHook, event, where, wish),
  judge: (run, hook, event) => judge(run, hook as GeminiHook, event),
  inspect: (event) =>
    kindOf(event.name).target === 'tool_name' && !event.target ? [say('gemini-no-tool', { key: 'tool_name' })] : [],
  advance: (event: HookEvent, outcome) => advance(event, outcome),
  merge,
  speak,
  sample,
};
