import { join } from 'node:path';
import { HookrunError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import { say } from '../words.ts';
import type { World } from '../world.ts';
import { settingsOfEnvironment } from './environment.ts';
import type { OwnSettings, SettingKey } from './keys.ts';
import { findSettings, readSettings, type SettingsFault } from './settings-files.ts';

/** What the user's file and the environment say, before any flag. */
export interface Own {
  readonly settings: OwnSettings;
  /** Those that the environment gives: a project has no say about them. */
  readonly fixed: ReadonlySet<SettingKey>;
  readonly notes: readonly Problem[];
  /** Why nothing may run with these. What is right is in `settings` all the same, so that a failure counts as the user wants it. */
  readonly error: HookrunError | undefined;
}

/** Nothing set anywhere. */
export const noSettings: Own = { settings: {}, fixed: new Set(), notes: [], error: undefined };

/** `$XDG_CONFIG_HOME/hookrun`; a relative value counts as unset, as the XDG base directory specification has it. */
export function userFolder({ env, home }: Pick<World, 'env' | 'home'>): string {
  const base = env['XDG_CONFIG_HOME'] ?? '';
  return join(base.startsWith('/') ? base : join(home, '.config'), 'hookrun');
}

/** Reads hookrun's own settings of the user and of the environment. Never throws. */
export async function readOwn(world: World): Promise<Own> {
  try {
    return await read(world);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      settings: { onFailure: 'block' },
      fixed: new Set(),
      notes: [],
      error: new HookrunError('bug', say('bug', {}, message)),
    };
  }
}

async function read(world: World): Promise<Own> {
  const formats = world.formats.map((entry) => entry.name);
  const folder = userFolder(world);
  const found =
    world.fs.info(folder) && findSettings({ folder, names: ['config.json', 'config.yaml'], inside: false }, world.fs);
  const user = found && (await readSettings(found, formats, true));
  const variables = await settingsOfEnvironment(world.env, formats);
  const settings = withoutOpposites(withHome(user?.settings ?? {}, world.home), variables.settings);
  const fixed = new Set(Object.keys(variables.settings) as SettingKey[]);
  const notes = user?.notes ?? [];
  const [variable] = variables.faults;
  if (variable !== undefined) {
    const problem = say(
      'settings-variable',
      { key: variable.variable },
      variable.variable,
      variable.value,
      variable.expected,
    );
    return {
      settings: withBlock(settings, variable.variable === 'HOOKRUN_ON_FAILURE'),
      fixed,
      notes,
      error: new HookrunError('usage', problem),
    };
  }
  const [fault] = user?.faults ?? [];
  if (fault === undefined) return { settings, fixed, notes, error: undefined };
  const kind = fault.kind === 'unreadable' ? 'input-file' : 'config';
  return {
    settings: withBlock(settings, mayBlock(user?.faults ?? [])),
    fixed,
    notes,
    error: new HookrunError(kind, fault.problem),
  };
}

/**
 * A file that can't be taken apart may have said `onFailure: block`. It is nobody's wish that a slip of the pen in it opens the gate, so
 * the mere look of it counts, and so does a value of onFailure that is not known.
 */
const mayBlock = (faults: readonly SettingsFault[]): boolean =>
  faults.some(({ problem, text }) =>
    text === undefined ? /on.?failure/i.test(problem.key ?? '') : /on.?failure[^a-z]{1,20}block/i.test(text),
  );

const withBlock = (settings: OwnSettings, block: boolean): OwnSettings =>
  block && settings.onFailure === undefined ? { ...settings, onFailure: 'block' } : settings;

/** The stronger of two layers wins; with it goes what contradicts it in the weaker one. */
export function withoutOpposites<T extends OwnSettings>(weaker: OwnSettings, stronger: T): OwnSettings & T {
  const rest: { -readonly [K in SettingKey]?: OwnSettings[K] } = { ...weaker };
  for (const [one, other] of [
    ['parallel', 'sequential'],
    ['quiet', 'verbose'],
  ] as const) {
    if (stronger[one] === true) delete rest[other];
    if (stronger[other] === true) delete rest[one];
  }
  return { ...rest, ...stronger };
}

const withHome = (settings: OwnSettings, home: string): OwnSettings =>
  settings.log?.startsWith('~/') ? { ...settings, log: join(home, settings.log.slice(2)) } : settings;
