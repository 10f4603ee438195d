/** The flags of `hookrun run` and `hookrun stream`: what they are called, what they take, what is wrong with a value. */

import { durationMs } from './duration.ts';
import type { OnFailure } from './types.ts';

export interface Flags {
  payload?: string;
  event?: string;
  tool?: string;
  toolInput?: string;
  toolResponse?: string;
  prompt?: string;
  set?: [string, string][];
  sessionId?: string;
  cwd?: string;
  format?: string;
  config?: string[];
  project?: string;
  scope?: string[];
  only?: string[];
  skip?: string[];
  parallel?: boolean;
  sequential?: boolean;
  jobs?: number;
  timeout?: number;
  deadline?: number;
  onFailure?: OnFailure;
  requireMatch?: boolean;
  env?: 'engine' | 'sanitized' | 'inherit';
  trust?: boolean;
  stopCap?: number | true;
  derived?: boolean;
  dryRun?: boolean;
  output?: 'json' | 'hook';
  quiet?: boolean;
  verbose?: boolean;
  color?: boolean;
  strict?: boolean;
  log?: string;
  logPayload?: boolean;
}

export interface StreamFlags extends Flags {
  unordered?: boolean;
  failFast?: boolean;
}

/** What is wrong with the value of a flag, in a sentence. */
export class FlagValueError extends Error {}

function duration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new FlagValueError('Expected a number with a unit, such as 500ms, 5s or 2m.');
  return ms;
}

function jobCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new FlagValueError('Expected a number from 1 to 99999.');
  return Number(text);
}

function stopCap(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new FlagValueError('Expected a whole number.');
  return Number(text);
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];
const collectList = (value: string, before: string[] = []): string[] => [...before, ...splitList(value)];
export const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function assignment(text: string, before: [string, string][] = []): [string, string][] {
  const at = text.indexOf('=');
  if (at <= 0) throw new FlagValueError('Expected <path>=<value>, such as tool_input.content=hello.');
  return [...before, [text.slice(0, at), text.slice(at + 1)]];
}

/** A flag: under which heading of the help it stands, how it is written, what it says, and what else there is to it. */
export type Row = readonly [group: string, flags: string, text: string, more?: RowDetail];

export interface RowDetail {
  /** Makes something of a value, given what the flag's values before it came to. Throws `FlagValueError`. */
  readonly parse?: (value: string, before: never) => unknown;
  readonly choices?: readonly string[];
  /** The flag that it can't stand beside, by the name of its value. */
  readonly conflicts?: string;
}

const payloadRows: readonly Row[] = [
  ['Payload:', '-p, --payload <file|->', 'the event payload (default: stdin, when it is not a terminal)'],
  ['Payload:', '-e, --event <name>', 'name of the event'],
  ['Payload:', '-t, --tool <name>', 'name of the tool'],
  ['Payload:', '-i, --tool-input <json|@file>', 'input of the tool'],
  ['Payload:', '--tool-response <json|@file>', 'what the tool returned'],
  ['Payload:', '--prompt <text|@file>', "the user's prompt"],
  [
    'Payload:',
    '--set <path=value>',
    'set any payload field; JSON if it parses, else text (repeatable)',
    { parse: assignment },
  ],
  ['Payload:', '--session-id <id>', 'id of the session'],
  ['Payload:', '--cwd <dir>', 'working folder in the payload'],
];

/** What `run` and `stream` have in common: everything but where the payload comes from. */
const sharedRows = (formats: readonly string[]): readonly Row[] => [
  ['Config:', '-f, --format <name>', 'whose hooks to run (default: auto)', { choices: formats }],
  ['Config:', '-c, --config <file>', 'use just this file, and trust it (repeatable)', { parse: collect }],
  ['Config:', '--project <dir>', "the project folder (default: the payload's, if it exists)"],
  ['Config:', '--scope <list>', 'only hooks of these config scopes', { parse: collectList }],
  ['Config:', '--only <glob>', 'only hooks whose name fits (repeatable)', { parse: collect }],
  ['Config:', '--skip <glob>', 'no hooks whose name fits (repeatable)', { parse: collect }],
  ['Running:', '--parallel', 'run all hooks at once', { conflicts: 'sequential' }],
  ['Running:', '--sequential', 'run hooks one after the other (default: as the agent does)'],
  ['Running:', '-j, --jobs <n>', 'how many hooks at once (default: 64)', { parse: jobCount }],
  ['Running:', '--timeout <duration>', "an upper bound on every hook's timeout, such as 5s", { parse: duration }],
  ['Running:', '--deadline <duration>', 'an upper bound on the whole run', { parse: duration }],
  [
    'Running:',
    '--on-failure <policy>',
    'what a hook that could not decide means (default: native)',
    { choices: ['native', 'allow', 'block'] },
  ],
  ['Running:', '--require-match', 'deny when no hook matches'],
  [
    'Running:',
    '--env <kind>',
    'what of the environment hooks get (default: engine)',
    { choices: ['engine', 'sanitized', 'inherit'] },
  ],
  ['Running:', '--stop-cap [n]', 'goose: let Stop through after n denials in a row (default: 8)', { parse: stopCap }],
  ['Running:', '--derived', 'goose: also run the events that it derives from a tool event'],
  ['Running:', '--trust', "run the project's hooks this once"],
  ['Running:', '-n, --dry-run', 'say what would run, and start nothing'],
  [
    'Output:',
    '-o, --output <kind>',
    'json: the decision (default). hook: act as one hook of the agent',
    { choices: ['json', 'hook'] },
  ],
  ['Output:', '-q, --quiet', 'say nothing on stderr but errors'],
  ['Output:', '-v, --verbose', 'say more: output of hooks, hooks that did not match'],
  ['Output:', '--color', 'colour on stderr'],
  ['Output:', '--no-color', 'no colour on stderr'],
  ['Output:', '--strict', 'a config warning is an error'],
  ['Output:', '--log <file>', 'append one JSON line about this run'],
  ['Output:', '--log-payload', 'with the payload and the output of hooks'],
];

const ownStreamRows: readonly Row[] = [
  ['Stream:', '--unordered', 'print each decision as it is made; its id is the number of its line'],
  ['Stream:', '--fail-fast', 'stop after the first event that is not allowed'],
];

/** The flags of `hookrun run`. */
export const runRows = (formats: readonly string[]): readonly Row[] => [...payloadRows, ...sharedRows(formats)];

/** What means something else in a stream; and it prints one decision a line, whatever --output could ask for. */
const streamTexts: Readonly<Record<string, string | undefined>> = {
  '-j, --jobs <n>': 'how many events at once (default: 1)',
  '--deadline <duration>': 'an upper bound on each event',
  '-o, --output <kind>': undefined,
};

/** The flags of `hookrun stream`. */
export const streamRows = (formats: readonly string[]): readonly Row[] => [
  ...ownStreamRows,
  ...sharedRows(formats).flatMap((row): Row[] => {
    const [group, flags, , more] = row;
    if (!Object.hasOwn(streamTexts, flags)) return [row];
    const other = streamTexts[flags];
    return other === undefined ? [] : [more === undefined ? [group, flags, other] : [group, flags, other, more]];
  }),
];
