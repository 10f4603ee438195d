import { HookrunError } from '../../errors.ts';
import { ReadError } from '../../file-system.ts';
import type { Problem } from '../../problems.ts';
import { say as sayStage } from '../../words.ts';
import type { Config, Where } from '../format.ts';
import { configFile, installedFile, kimiHome, olderConfigFile } from './home.ts';
import { type HookList, hooksFor } from './hook-list.ts';
import { type ReadList, readConfig } from './read-config.ts';
import { readInstalled } from './read-installed.ts';
import { configLimit, readPlugin } from './read-plugin.ts';
import { say } from './words.ts';

/**
 * Kimi Code's configuration: config.toml and then the plugins in the order of their list, or just the files of `--config`. All of
 * it is the user's own: there is no project scope, so there is nothing to trust. Throws `HookrunError`: `config` for
 * a config.toml that is no TOML, `input-file` for a file that is there and can't be read.
 */
export function load(where: Where): Config {
  const read = where.explicit.length > 0 ? readExplicit(where) : [readUser(where), ...readPlugins(where)];
  const lists = read.flatMap(({ list }) => (list === undefined ? [] : [list]));
  const problems = read.flatMap((one) => one.problems);
  return {
    trust: { state: 'trusted', by: 'Kimi Code reads no hooks from a project' },
    setup(event) {
      const counts = new Map<string, number>();
      return { hooks: lists.flatMap((list) => hooksFor(list, event, counts)), problems };
    },
  };
}

function readExplicit(where: Where): ReadList[] {
  return where.explicit.map((path) => {
    const text = readText(path, where);
    if (text === undefined) throw new HookrunError('input-file', sayStage('file-unreadable', { path }, 'no such file'));
    return readConfig(text, path, 'explicit');
  });
}

function readUser(where: Where): ReadList {
  const path = configFile(kimiHome(where));
  const text = readText(path, where);
  if (text !== undefined) return readConfig(text, path, 'user');
  const older = olderConfigFile(where);
  const isThere = where.fs.info(older)?.kind === 'file';
  return { list: undefined, problems: isThere ? [say('kimi-older-config', { path }, older)] : [] };
}

function readPlugins(where: Where): ReadList[] {
  const home = kimiHome(where);
  const path = installedFile(home);
  let text: string | undefined;
  try {
    text = readText(path, where);
  } catch (error) {
    if (!(error instanceof HookrunError)) throw error;
    return [unusable(path, [say('kimi-installed-invalid', { path }, error.message)])];
  }
  if (text === undefined) return [];
  const { plugins, problems } = readInstalled(text, path, where.cwd);
  const read = plugins.map((plugin) => readPlugin(plugin, home, where.fs));
  return problems.length === 0 ? read : [...read, unusable(path, problems)];
}

/** Plugins that are not known: nobody can say which hooks they had, so a stand-in takes their place. */
function unusable(path: string, problems: readonly Problem[]): ReadList {
  const line = (): undefined => undefined;
  const off = { why: 'invalid', detail: problems[0]!.message } as const;
  const list: HookList = { label: 'plugins', scope: 'plugin', path, entries: [], line, detail: {}, strict: false, off };
  return { list, problems };
}

/** The text of a file, undefined where there is none. */
function readText(path: string, { fs }: Where): string | undefined {
  try {
    return fs.read(path, configLimit).toString('utf8');
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    if (error.kind === 'missing') return undefined;
    if (error.kind === 'too-large')
      throw new HookrunError('config', sayStage('config-too-large', { path }, configLimit / 1024 / 1024));
    throw new HookrunError('input-file', sayStage('file-unreadable', { path }, error.message));
  }
}
