import type { Where } from '../formats/format.ts';
import type { RunOptions } from '../options.ts';
import type { Problem } from '../problems.ts';
import type { TrustLookup } from '../trust.ts';
import { say } from '../words.ts';
import type { OwnSettings, SettingKey } from './keys.ts';
import { type FoundSettings, findSettings, readSettings } from './settings-files.ts';

const names = ['package.json', '.hookrunrc', '.hookrunrc.json', '.hookrunrc.yaml'];

/**
 * hookrun's own settings that a project brought along, or undefined where there are none: a few looks that fail, and nothing is loaded.
 * They are taken apart only by `read`. Nothing outside of the folder is read.
 */
export function lookForSettings(where: Where): { read(): Promise<FoundSettings> } | undefined {
  const found = findSettings({ folder: where.project, names, inside: true }, where.fs);
  // No setting that a project may give depends on which formats there are.
  return found === undefined ? undefined : { read: () => readSettings(found, [], false) };
}

/** A project's settings that decide what runs or what comes of it, for its fingerprint. Those that only look nicer need no trust. */
export const settingsClaims = ({ settings }: FoundSettings): Readonly<Record<string, unknown>> => stricterOf(settings);

/** The options with what a project may say about them, and what there is to tell about it. */
export interface WithProject {
  readonly options: RunOptions;
  /** Settings that make this run stricter, for people: `onFailure: block`. */
  readonly stricter: readonly string[];
  /** Keys that a project has no say about, or what keeps it from being trusted. */
  readonly problems: readonly Problem[];
  /** What is wrong with the file. */
  readonly faults: readonly Problem[];
  /** What is no longer as it was trusted. */
  readonly changes?: readonly string[] | undefined;
}

/**
 * Lets a project make a run stricter or look otherwise, and nothing else: it may block on failures, require a match, lower the timeout of
 * its own hooks (a guard of the user's that has no time left denies nothing), and set colour and verbosity. What the user said with a flag
 * or in the environment stands. Pure.
 */
export function applyProjectSettings(options: RunOptions, found: FoundSettings): WithProject {
  const { settings } = found;
  const strict = stricterOf(settings);
  const isFree = (key: SettingKey): boolean => !options.fixed.has(key);
  const stricter: string[] = [];
  let next = options;
  if (strict.onFailure !== undefined && isFree('onFailure') && options.onFailure !== 'block') {
    next = { ...next, onFailure: 'block' };
    stricter.push('onFailure: block');
  }
  if (strict.requireMatch !== undefined && isFree('requireMatch') && !options.requireMatch) {
    next = { ...next, requireMatch: true };
    stricter.push('requireMatch: true');
  }
  if (
    strict.timeout !== undefined &&
    isFree('timeout') &&
    strict.timeout < (options.timeoutMs ?? Number.POSITIVE_INFINITY)
  ) {
    next = { ...next, projectTimeoutMs: strict.timeout };
    stricter.push(`timeout: ${strict.timeout} ms`);
  }
  const { color, quiet, verbose } = settings;
  const { tell } = options;
  const mayTalk = isFree('quiet') && isFree('verbose');
  if (color !== undefined && isFree('color')) next = { ...next, tell: { ...next.tell, color } };
  if (mayTalk && (quiet !== undefined || verbose !== undefined))
    next = {
      ...next,
      tell: {
        ...next.tell,
        quiet: quiet ?? (tell.quiet && verbose !== true),
        verbose: verbose ?? (tell.verbose && quiet !== true),
      },
    };
  return {
    options: next,
    stricter,
    problems: [...found.notes, ...leftOut(found)],
    faults: found.faults.map((fault) => fault.problem),
  };
}

/** Those among the settings that a project may make stricter, at a value that does. */
function stricterOf({
  onFailure,
  requireMatch,
  timeout,
}: OwnSettings): Pick<OwnSettings, 'onFailure' | 'requireMatch' | 'timeout'> {
  return {
    ...(onFailure === 'block' ? { onFailure } : {}),
    ...(requireMatch === true ? { requireMatch } : {}),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

const cosmetic: readonly string[] = ['color', 'quiet', 'verbose'];

function leftOut({ settings, path }: FoundSettings): Problem[] {
  const counts = stricterOf(settings);
  return Object.entries(settings)
    .filter(([key]) => !cosmetic.includes(key) && !Object.hasOwn(counts, key))
    .map(([key, value]) => say('settings-project', { path, key }, key, JSON.stringify(value)));
}

/**
 * What a project's own settings mean for this run under the answer about trust. Decided against, they are not looked at; undecided, they
 * change nothing, and `stricter` says what they would.
 */
export async function projectSettingsFor(
  options: RunOptions,
  trust: Pick<TrustLookup, 'settleOwn'>,
  where: Where,
): Promise<WithProject> {
  const none: WithProject = { options, stricter: [], problems: [], faults: [] };
  // With --config the project brings nothing along, so there is nothing to ask about it either.
  const found = where.explicit.length > 0 ? undefined : lookForSettings(where);
  if (found === undefined) return none;
  const { state, changes, problems } = await trust.settleOwn();
  if (state === 'untrusted') return none;
  const applied = applyProjectSettings(options, await found.read());
  if (state === 'trusted') return { ...applied, stricter: [] };
  const { stricter } = applied;
  return { ...none, stricter, changes, problems: stricter.length === 0 ? [] : problems };
}

/**
 * The options as a project has them that a flag trusts: for a run that ended before the project was asked, since its agent's config does not
 * load. Its own settings can't fail anything here.
 */
export async function optionsByFlag(asked: RunOptions, where: Where): Promise<RunOptions> {
  if (!asked.trust) return asked;
  const settleOwn = async () => ({ state: 'trusted', by: '--trust', problems: [] }) as const;
  try {
    return (await projectSettingsFor(asked, { settleOwn }, where)).options;
  } catch {
    return asked;
  }
}
