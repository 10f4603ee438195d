/** From flags to options: what was called, checked and in its final types. */

import { resolve } from 'node:path';
import { HookrunError } from './errors.ts';
import { ReadError } from './file-system.ts';
import type { LogOptions, RunOptions, StreamOptions } from './options.ts';
import type { SettingKey } from './own-settings/keys.ts';
import { type Own, withoutOpposites } from './own-settings/own.ts';
import { payloadLimit } from './payload.ts';
import { type Flags, type StreamFlags, splitList } from './run-flags.ts';
import { maskSecrets } from './secrets.ts';
import { cut } from './shown.ts';
import type { Mode } from './types.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

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
