import { HookrunError } from '../../errors.ts';
import type { Problem } from '../../problems.ts';
import type { Off } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import type { Config, ProjectClaims, Setup, Where } from '../format.ts';
import { claimsOf } from './claims.ts';
import { readConfigMap } from './config-map.ts';
import type { GooseHook } from './detail.ts';
import { type HooksFile, parseHooksFile } from './hooks-file.ts';
import { isValidMatcher } from './match.ts';
import { placesOf } from './places.ts';
import { type Arranged, arrange, explicitPlugin, findPlugins, type Plugin } from './plugins.ts';
import { readText } from './read-text.ts';
import type { Action, Rule } from './rules.ts';
import { readSettings, type Switches } from './settings.ts';
import { say } from './words.ts';

/** goose's configuration, with what it found besides hooks: for tests, and for commands that show it. */
export interface GooseConfig extends Config {
  arranged(project: boolean): readonly Arranged[];
  /** undefined where a plugin has no hooks.json. Read once. */
  file(plugin: Plugin): HooksFile | undefined;
}

/**
 * Finds the plugins and reads all switches; a plugin's hooks.json is read when an event asks for it. Throws `HookrunError` (input-file) only for
 * a file that the user named and that is not there: goose itself starts with anything.
 */
export async function load(where: Where): Promise<GooseConfig> {
  const files = new Map<string, HooksFile | undefined>();
  const file = (plugin: Plugin): HooksFile | undefined => {
    if (!files.has(plugin.hooksPath)) files.set(plugin.hooksPath, readHooksFile(where, plugin.hooksPath));
    return files.get(plugin.hooksPath);
  };
  const { arranged, problems, claims } = where.explicit.length > 0 ? explicit(where) : await discovered(where);
  return {
    trust: { state: 'undecided', by: '' },
    arranged,
    file,
    project: () => claims(file),
    setup(event, project): Setup {
      const plugins = arranged(project);
      const parts = plugins.map((one) => pluginSetup(one, file(one.plugin), event, file));
      return {
        hooks: parts.flatMap((part) => part.hooks),
        problems: [...problems(project), ...parts.flatMap((part) => part.problems)],
      };
    },
  };
}

interface Found {
  readonly arranged: (project: boolean) => readonly Arranged[];
  readonly problems: (project: boolean) => readonly Problem[];
  readonly claims: (files: Files) => ProjectClaims | undefined;
}

async function discovered(where: Where): Promise<Found> {
  const { fs } = where;
  const places = placesOf(where);
  const found = findPlugins(fs, places);
  const map = await readConfigMap(where, places.config);
  const settings = places.settings.map(({ scope, path }) => ({ scope, path, read: readSettings(fs, path) }));
  // With the user's home as the project its files are the user's own.
  const isHome = places.settings[1]?.path === places.settings[2]?.path;
  const counts = (scope: 'project' | 'user', project: boolean): boolean => project || scope === 'user' || isHome;
  const switches = (project: boolean): Switches[] =>
    settings.flatMap(({ scope, read }) =>
      read === undefined || 'problem' in read || !counts(scope, project) ? [] : [read],
    );
  return {
    arranged: (project) =>
      arrange(
        found.plugins.filter(({ scope }) => project || scope === 'user'),
        switches(project),
        map,
        (path) => fs.real(path),
      ),
    problems: (project) => [
      ...found.problems,
      ...map.problems,
      ...settings.flatMap(({ scope, read }) =>
        read !== undefined && 'problem' in read && counts(scope, project) ? [read.problem] : [],
      ),
    ],
    claims: (files) =>
      claimsOf(
        found.plugins.filter(({ scope }) => scope === 'project'),
        files,
        isHome ? [] : settings.filter(({ scope }) => scope === 'project'),
        where,
      ),
  };
}

function explicit(where: Where): Found {
  const plugins = where.explicit.map(explicitPlugin);
  for (const { hooksPath } of plugins)
    if (where.fs.info(hooksPath)?.kind !== 'file')
      throw new HookrunError('input-file', sayStage('file-unreadable', { path: hooksPath }, 'no such file'));
  return {
    arranged: () => plugins.map((plugin) => ({ plugin, off: undefined })),
    problems: () => [],
    claims: () => undefined,
  };
}

function readHooksFile({ fs }: Where, path: string): HooksFile | undefined {
  const read = readText(fs, path);
  if (read === undefined) return undefined;
  if ('why' in read)
    return { kind: 'refused', problem: say('goose-file-skipped', { path }, read.why), events: undefined };
  return parseHooksFile(read.text, path, isValidMatcher);
}

type Files = (plugin: Plugin) => HooksFile | undefined;

function pluginSetup(one: Arranged, file: HooksFile | undefined, event: string, files: Files): Setup {
  const { plugin, off } = one;
  if (file === undefined) return { hooks: [], problems: [] };
  if (file.kind === 'refused') {
    if (file.events !== undefined && !file.events.includes(event))
      return { hooks: [], problems: off ? [] : [file.problem] };
    if (off !== undefined) return { hooks: [], problems: hidden(one, files) };
    return { hooks: [unreadHook(plugin, event, file.problem)], problems: [file.problem] };
  }
  const rules = file.rules.filter((rule) => rule.event === event);
  const hooks = rules.flatMap((rule) =>
    rule.actions.map((action) => hookOf(plugin, rule, action, off, () => file.at(action.at).line)),
  );
  if (off !== undefined) return { hooks, problems: hooks.length > 0 ? hidden(one, files) : [] };
  const notes = file.notes.filter((note) => note.event === undefined || note.event === event);
  return { hooks, problems: notes.map((note) => note.problem) };
}

function hookOf(plugin: Plugin, rule: Rule, action: Action, off: Off | undefined, line: () => number): GooseHook {
  return {
    name: `${plugin.name}:${rule.event}#${rule.index + 1}.${action.index + 1}`,
    event: rule.event,
    command: action.command,
    matcher: rule.matcher,
    timeoutMs: inMilliseconds(action.timeout),
    source: { scope: plugin.scope, path: plugin.hooksPath, key: action.key, line },
    off,
    detail: {
      plugin: plugin.name,
      root: plugin.root,
      onFailure: action.onFailure,
      first: action === rule.actions[0],
    },
  };
}

/** What stands for the hooks of a file that goose skips, so that they do not go missing in silence. */
function unreadHook(plugin: Plugin, event: string, problem: Problem): GooseHook {
  return {
    name: `${plugin.name}:${event}`,
    event,
    command: '',
    timeoutMs: 0,
    source: { scope: plugin.scope, path: plugin.hooksPath, key: problem.key ?? 'hooks', line: () => problem.line },
    off: { why: 'invalid', detail: problem.message },
    detail: { plugin: plugin.name, root: plugin.root, onFailure: 'allow', first: true },
  };
}

/** A warning that a plugin with hooks for this event is hidden by another of its name (goose corner 11). */
function hidden({ plugin, hiddenBy }: Arranged, files: Files): Problem[] {
  if (hiddenBy === undefined) return [];
  const winner = files(hiddenBy);
  const state =
    winner === undefined
      ? ', though it has no hooks'
      : winner.kind === 'refused'
        ? ', though its hooks.json does not load'
        : '';
  return [say('goose-plugin-hidden', { path: plugin.hooksPath }, plugin.name, hiddenBy.root, state)];
}

/** The longest time that a timer takes, in ms; a longer timeout counts as that. */
const longestMs = 2n ** 31n - 1n;

function inMilliseconds(seconds: bigint): number {
  const ms = seconds * 1000n;
  return Number(ms > longestMs ? longestMs : ms);
}
