/** The command line of `hookrun run` and `hookrun stream`. */

import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationMs } from './duration.ts';
import { HookrunError } from './errors.ts';
import { ReadError } from './file-system.ts';
import type { LogOptions, RunOptions, StreamOptions } from './options.ts';
import type { SettingKey } from './own-settings/keys.ts';
import { type Own, withoutOpposites } from './own-settings/own.ts';
import { payloadLimit } from './payload.ts';
import { maskSecrets } from './secrets.ts';
import { cut } from './shown.ts';
import type { Mode, OnFailure } from './types.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

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

function duration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new InvalidArgumentError('Expected a number with a unit, such as 500ms, 5s or 2m.');
  return ms;
}

function jobCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Expected a number from 1 to 99999.');
  return Number(text);
}

function stopCap(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];
const collectList = (value: string, before: string[] = []): string[] => [...before, ...splitList(value)];
const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function assignment(text: string, before: [string, string][] = []): [string, string][] {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('Expected <path>=<value>, such as tool_input.content=hello.');
  return [...before, [text.slice(0, at), text.slice(at + 1)]];
}

const examples = `
Examples:
  hookrun < payload.json                                  run the hooks of an event
  hookrun -f gemini -e BeforeTool -t write_file \\
    -i '{"file_path":"a.txt"}' --dry-run                  what would run, and why not the rest
  hookrun --trust --on-failure block < payload.json       a gate in CI: no way past a broken hook

Exit codes: 0 allow, 2 deny, 3 ask, 4 stop; 64 usage, 65 payload, 66 file, 77 not trusted, 78 config, 1 a bug.
`;

const streamHelp = `
A line that is no payload is answered by an error on its line, and the stream goes on. Here --jobs is how many events are
worked on at once (default: 1). The exit code is the worst of all: a failure of hookrun's own before 77, 4, 2, 3 and 0.

Example:
  hookrun stream --trust < events.jsonl > decisions.jsonl
`;

/** A flag: under which heading of the help it stands, how it is written, what it says, and what else there is to it. */
type Row = readonly [group: string, flags: string, text: string, more?: (option: Option) => Option];

const parsed = (parse: (value: string, before: never) => unknown) => (option: Option) =>
  option.argParser(parse as never);
const oneOf = (choices: readonly string[]) => (option: Option) => option.choices([...choices]);

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
    parsed(assignment),
  ],
  ['Payload:', '--session-id <id>', 'id of the session'],
  ['Payload:', '--cwd <dir>', 'working folder in the payload'],
];

const streamRows: readonly Row[] = [
  ['Stream:', '--unordered', 'print each decision as it is made; its id is the number of its line'],
  ['Stream:', '--fail-fast', 'stop after the first event that is not allowed'],
];

/** What `run` and `stream` have in common: everything but where the payload comes from. */
const runRows = (formats: readonly string[]): readonly Row[] => [
  ['Config:', '-f, --format <name>', 'whose hooks to run (default: auto)', oneOf(formats)],
  ['Config:', '-c, --config <file>', 'use just this file, and trust it (repeatable)', parsed(collect)],
  ['Config:', '--project <dir>', "the project folder (default: the payload's, if it exists)"],
  ['Config:', '--scope <list>', 'only hooks of these config scopes', parsed(collectList)],
  ['Config:', '--only <glob>', 'only hooks whose name fits (repeatable)', parsed(collect)],
  ['Config:', '--skip <glob>', 'no hooks whose name fits (repeatable)', parsed(collect)],
  ['Running:', '--parallel', 'run all hooks at once', (option) => option.conflicts('sequential')],
  ['Running:', '--sequential', 'run hooks one after the other (default: as the agent does)'],
  ['Running:', '-j, --jobs <n>', 'how many hooks at once (default: 64)', parsed(jobCount)],
  ['Running:', '--timeout <duration>', "an upper bound on every hook's timeout, such as 5s", parsed(duration)],
  ['Running:', '--deadline <duration>', 'an upper bound on the whole run', parsed(duration)],
  [
    'Running:',
    '--on-failure <policy>',
    'what a hook that could not decide means (default: native)',
    oneOf(['native', 'allow', 'block']),
  ],
  ['Running:', '--require-match', 'deny when no hook matches'],
  [
    'Running:',
    '--env <kind>',
    'what of the environment hooks get (default: engine)',
    oneOf(['engine', 'sanitized', 'inherit']),
  ],
  ['Running:', '--stop-cap [n]', 'goose: let Stop through after n denials in a row (default: 8)', parsed(stopCap)],
  ['Running:', '--derived', 'goose: also run the events that it derives from a tool event'],
  ['Running:', '--trust', "run the project's hooks this once"],
  ['Running:', '-n, --dry-run', 'say what would run, and start nothing'],
  [
    'Output:',
    '-o, --output <kind>',
    'json: the decision (default). hook: act as one hook of the agent',
    oneOf(['json', 'hook']),
  ],
  ['Output:', '-q, --quiet', 'say nothing on stderr but errors'],
  ['Output:', '-v, --verbose', 'say more: output of hooks, hooks that did not match'],
  ['Output:', '--color', 'colour on stderr'],
  ['Output:', '--no-color', 'no colour on stderr'],
  ['Output:', '--strict', 'a config warning is an error'],
  ['Output:', '--log <file>', 'append one JSON line about this run'],
  ['Output:', '--log-payload', 'with the payload and the output of hooks'],
];

/** Which flags are to be known: all of them, or those that may be in the arguments. */
export type Wanted = (flags: string) => boolean;

/**
 * The flags that arguments may hold, by a look at their words: making a flag known takes longer than parsing it, and a call has few. Several short
 * flags in one word (`-qn`) could be any, so then all are wanted. What is wanted too much does no harm.
 */
export function wantedIn(argv: readonly string[]): Wanted {
  const words = argv.filter((arg) => arg.startsWith('-')).map((arg) => arg.split('=', 1)[0]!);
  if (words.some((word) => /^-[^-]./.test(word))) return () => true;
  const known = new Set(words);
  return (flags) => flags.split(/[ ,]+/).some((word) => known.has(word));
}

function addRows(command: Command, rows: readonly Row[], wanted: Wanted): void {
  for (const [group, flags, text, more] of rows) {
    if (!wanted(flags)) continue;
    const option = new Option(flags, text).helpGroup(group);
    command.addOption(more === undefined ? option : more(option));
  }
}

/** Adds `hookrun run`, the default command. */
export function addRun(
  root: Command,
  formats: readonly string[],
  wanted: Wanted,
  called: (flags: Flags) => void,
): void {
  const run = root
    .command('run', { isDefault: true })
    .description('run the hooks of one event and print the decision as JSON (the default command)')
    .exitOverride()
    .allowExcessArguments(false);
  addRows(run, [...payloadRows, ...runRows(formats)], wanted);
  run.addHelpText('after', examples);
  // `run` is the default command, so its flags are what most people look for.
  root.addHelpText(
    'after',
    () => `\nFlags of run, and of hookrun without a command:\n\n${run.helpInformation()}${examples}`,
  );
  run.action(() => called(run.opts<Flags>()));
}

/** Adds `hookrun stream`. */
export function addStream(
  root: Command,
  formats: readonly string[],
  wanted: Wanted,
  called: (flags: StreamFlags) => void,
): void {
  const stream = root
    .command('stream')
    .description('one payload a line in, one decision a line out')
    .exitOverride()
    .allowExcessArguments(false)
    .addHelpText('after', streamHelp);
  addRows(stream, [...streamRows, ...runRows(formats)], wanted);
  stream.action(() => called(stream.opts<StreamFlags>()));
}

/** The flags of a run, checked and in their final types; what they leave open is as hookrun's own settings have it. */
export function toRunOptions(called: Flags, world: World, own: Own): RunOptions {
  const { env } = world;
  const flags: Flags = withoutOpposites(own.settings, called);
  return {
    payload: {
      file: flags.payload,
      flags: {
        ...given('event', flags.event),
        ...given('tool', flags.tool),
        ...given('toolInput', jsonOf('--tool-input', flags.toolInput, world)),
        ...given('toolResponse', jsonOf('--tool-response', flags.toolResponse, world)),
        ...given('prompt', textOf('--prompt', flags.prompt, world)),
        ...given('sessionId', flags.sessionId),
        ...given('cwd', flags.cwd),
      },
      set: (flags.set ?? []).map(([path, value]) => [path.split('.'), isJson(value) ? value : JSON.stringify(value)]),
    },
    format: flags.format ?? 'auto',
    config: flags.config ?? [],
    project: flags.project,
    selection: {
      only: flags.only ?? [],
      skip: flags.skip ?? [],
      scopes: flags.scope ?? [],
      allOff: env['HOOKRUN'] === '0',
      off: splitList(env['HOOKRUN_SKIP'] ?? ''),
      mode: modeOf(flags),
    },
    jobs: flags.jobs ?? 64,
    timeoutMs: flags.timeout,
    deadlineMs: flags.deadline,
    onFailure: flags.onFailure ?? 'native',
    requireMatch: flags.requireMatch === true,
    env: flags.env ?? 'engine',
    trust: flags.trust === true || env['HOOKRUN_TRUST'] === '1',
    stopCap: flags.stopCap === true ? 'usual' : flags.stopCap,
    derived: flags.derived === true,
    dryRun: flags.dryRun === true,
    output: outputOf(flags, called),
    strict: flags.strict === true,
    tell: { quiet: flags.quiet === true, verbose: flags.verbose === true, color: flags.color },
    log: logOf(flags.log, flags.logPayload, world),
    fixed: new Set([...own.fixed, ...(Object.keys(called) as SettingKey[])]),
    notes: own.notes,
  };
}

/** Several events at once share the machine, so by default there is one at a time, as in the agent; its hooks run side by side all the same. */
export const toStreamOptions = (run: RunOptions, flags: StreamFlags): StreamOptions => ({
  run: { ...run, jobs: 64, output: 'json' },
  events: flags.jobs ?? 1,
  unordered: flags.unordered === true,
  failFast: flags.failFast === true,
});

const logOf = (file: string | undefined, payload: boolean | undefined, world: World): LogOptions | undefined =>
  file === undefined || file === '' ? undefined : { file: resolve(world.cwd, file), payload: payload === true };

/** A dry run decides nothing, so there is nothing that it could say as a hook: an allow would be made up. */
function outputOf(flags: Flags, called: Flags): 'json' | 'hook' {
  if (flags.dryRun !== true) return flags.output ?? 'json';
  if (called.output !== 'hook') return 'json';
  throw new HookrunError('usage', say('usage-invalid', {}, '--dry-run decides nothing that -o hook could say'));
}

const modeOf = (flags: Flags): Mode | undefined =>
  flags.parallel === true ? 'parallel' : flags.sequential === true ? 'sequential' : undefined;

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The text itself, or with a leading @ that of the file. */
function textOf(flag: string, value: string | undefined, world: World): string | undefined {
  if (value === undefined || !value.startsWith('@')) return value;
  const file = value.slice(1);
  try {
    return world.fs.read(resolve(world.cwd, file), payloadLimit).toString('utf8');
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw new HookrunError('input-file', say('file-unreadable', { path: file, key: flag }, error.message));
  }
}

function jsonOf(flag: string, value: string | undefined, world: World): string | undefined {
  const text = textOf(flag, value, world);
  if (text === undefined || isJson(text)) return text;
  // Masked before it is cut: half a secret would not look like one.
  throw new HookrunError('usage', say('flag-value', {}, flag, cut(maskSecrets(text), 60), 'JSON, or @file with JSON'));
}
