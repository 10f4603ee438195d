import { readConfigText, readNamedConfigText, tryConfigText } from '../../config-file.ts';
import type { Problem } from '../../problems.ts';
import type { Config, Where } from '../format.ts';
import { configFile, installedFile, kimiHome, olderConfigFile } from './home.ts';
import { type HookList, hooksFor } from './hook-list.ts';
import { type ReadList, readConfig } from './read-config.ts';
import { readInstalled } from './read-installed.ts';
import { readPlugin } from './read-plugin.ts';
import { say } from './words.ts';

/**
 * Kimi Code's configuration: config.toml and then the plugins in the order of their list, or just the files of `--config`. All of
 * it is the user's own: there is no project scope, so there is nothing to trust. Throws `HookrunError`: `config` for
 * a config.toml that is no TOML, `input-file` for a file that is there and can't be read.
 */
export async function load(where: Where): Promise<Config> {
  const read = where.explicit.length > 0 ? readExplicit(where) : [readUser(where), ...(await readPlugins(where))];
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
  return where.explicit.map((path) => readConfig(readNamedConfigText(where.fs, path), path, 'explicit'));
}

function readUser(where: Where): ReadList {
  const path = configFile(kimiHome(where));
  const text = readConfigText(where.fs, path);
  if (text !== undefined) return readConfig(text, path, 'user');
  const older = olderConfigFile(where);
  const isThere = where.fs.info(older)?.kind === 'file';
  return { list: undefined, problems: isThere ? [say('kimi-older-config', { path }, older)] : [] };
}

async function readPlugins(where: Where): Promise<ReadList[]> {
  const home = kimiHome(where);
  const path = installedFile(home);
  const file = tryConfigText(where.fs, path);
  if ('missing' in file) return [];
  if ('why' in file) return [unusable(path, [say('kimi-installed-invalid', { path }, file.why)])];
  const { plugins, problems } = await readInstalled(file.text, path, where.cwd);
  const read: ReadList[] = [];
  for (const plugin of plugins) read.push(await readPlugin(plugin, home, where.fs));
  return problems.length === 0 ? read : [...read, unusable(path, problems)];
}

/** Plugins that are not known: nobody can say which hooks they had, so a stand-in takes their place. */
function unusable(path: string, problems: readonly Problem[]): ReadList {
  const line = (): undefined => undefined;
  const off = { why: 'invalid', detail: problems[0]!.message } as const;
  const list: HookList = { label: 'plugins', scope: 'plugin', path, entries: [], line, detail: {}, strict: false, off };
  return { list, problems };
}
