/** What tests of the stages need of Gemini CLI's format, without a process: configurations in memory, runs that are made up. */

import type { ReadOnlyFs } from '../../src/file-system.ts';
import type { Where } from '../../src/formats/format.ts';
import { format } from '../../src/formats/gemini/index.ts';
import { judge } from '../../src/judge.ts';
import type { Selection } from '../../src/plan.ts';
import { countsAs } from '../../src/policy.ts';
import type { Env, Exit, Hook, HookEvent, HookRun, OnFailure, Outcome, Start } from '../../src/types.ts';
import { type Entry, memoryFs } from './memory-fs.ts';

export const HOME = '/home/dev';
export const PROJECT = '/work/app';
export const USER_SETTINGS = `${HOME}/.gemini/settings.json`;
export const PROJECT_SETTINGS = `${PROJECT}/.gemini/settings.json`;

/** A place with just these files; objects are written as JSON. */
export function whereOf(
  files: Readonly<Record<string, Entry | object>> = {},
  over: {
    readonly env?: Env;
    readonly explicit?: readonly string[];
    readonly project?: string;
    readonly fs?: ReadOnlyFs;
  } = {},
): Where {
  return {
    project: over.project ?? PROJECT,
    home: HOME,
    cwd: over.project ?? PROJECT,
    env: over.env ?? {},
    fs: over.fs ?? memoryFs(asEntries({ [`${HOME}/.keep`]: '', [`${over.project ?? PROJECT}/.keep`]: '', ...files })),
    platform: 'linux',
    explicit: over.explicit ?? [],
  };
}

function asEntries(files: Readonly<Record<string, Entry | object>>): Record<string, Entry> {
  const isEntry = (one: Entry | object): one is Entry =>
    typeof one === 'string' || ['text', 'link', 'folder', 'unreadable'].some((key) => key in one);
  return Object.fromEntries(
    Object.entries(files).map(([path, one]) => [path, isEntry(one) ? one : JSON.stringify(one)]),
  );
}

/** One definition of a settings file. */
export const definition = (hooks: readonly object[], more: object = {}): object => ({
  ...more,
  hooks: hooks.map((hook) => ({ type: 'command', ...hook })),
});

/** Settings with one hook for each name, all without a matcher. */
export const settingsOf = (event: string, names: readonly string[], more: object = {}): object => ({
  hooks: {
    [event]: [
      definition(
        names.map((name) => ({ name, command: `run-${name}` })),
        more,
      ),
    ],
  },
});

/** An event as Gemini CLI would send it, with some fields changed. */
export function eventOf(name: string, fields: object = {}): HookEvent {
  const payload = { ...format.sample(name), cwd: PROJECT, ...fields };
  return format.readEvent(payload, JSON.stringify(payload));
}

/** Hooks of one settings file that the user named, ready to run. */
export async function hooksOf(event: string, names: readonly string[], more: object = {}): Promise<readonly Hook[]> {
  const config = await format.load(
    whereOf({ '/etc/settings.json': settingsOf(event, names, more) }, { explicit: ['/etc/settings.json'] }),
  );
  return config.setup(event, true).hooks;
}

export const everything: Selection = { only: [], skip: [], scopes: [], allOff: false, off: [], mode: undefined };

export const exited = (code: number): Exit => ({ kind: 'exited', code });

/** A run with this output; `late` is what somebody added after the hook itself had ended. */
export function runOf(
  exit: Exit,
  stdout: string | Buffer = '',
  stderr: string | Buffer = '',
  late?: { readonly stdout?: string; readonly stderr?: string },
): HookRun {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
  return {
    exit,
    stdout: Buffer.concat([out, Buffer.from(late?.stdout ?? '')]),
    stderr: Buffer.concat([err, Buffer.from(late?.stderr ?? '')]),
    durationMs: 1,
    ...(late === undefined ? {} : { early: { stdout: out.length, stderr: err.length } }),
    held: false,
    interrupted: false,
  };
}

const start: Start = {
  file: 'bash',
  args: [],
  shown: 'run',
  env: {},
  cwd: PROJECT,
  stdio: 'sockets',
  graceMs: 0,
  removedEnv: [],
  problems: [],
};

/** What becomes of one run of a hook. */
export function outcomeOf(run: HookRun, hook: Hook, event: HookEvent, onFailure: OnFailure = 'native'): Outcome {
  const judged = judge(run, hook, event, format);
  return { hook, start, run, ...judged, counts: countsAs(judged.verdict, onFailure) };
}
