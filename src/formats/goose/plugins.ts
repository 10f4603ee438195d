import { join } from 'node:path';
import type { ReadOnlyFs } from '../../file-system.ts';
import type { Problem } from '../../problems.ts';
import type { Off } from '../../types.ts';
import type { ConfigMap } from './config-map.ts';
import type { Places } from './places.ts';
import { disabledBy, type Switches } from './settings.ts';
import { say } from './words.ts';

/** A folder that goose takes for a plugin. */
export interface Plugin {
  readonly name: string;
  /** Where it is, as text; a link's own path (goose corner 10). */
  readonly root: string;
  readonly scope: 'project' | 'user' | 'explicit';
  readonly hooksPath: string;
}

/** A plugin in goose's order, and what keeps it from running, if anything does. */
export interface Arranged {
  readonly plugin: Plugin;
  readonly off: Off | undefined;
  /** The plugin that took the name, where that is what keeps it from running. */
  readonly hiddenBy?: Plugin;
}

/**
 * All plugin folders of the project and of the user, in goose's order: scope, then name by its UTF-8 bytes (goose corner 12). Where both
 * plugin folders are one place it counts once, as the user's (goose corner 14).
 */
export function findPlugins(fs: ReadOnlyFs, places: Places): { plugins: Plugin[]; problems: Problem[] } {
  const real = fs.real(places.projectPlugins);
  const isSame = real !== undefined && real === fs.real(places.userPlugins);
  const problems: Problem[] = [];
  const inFolder = (folder: string, scope: 'project' | 'user'): Plugin[] => {
    const names = listFolders(fs, folder, problems);
    return names.map((name) => {
      const root = join(folder, name);
      return { name, root, scope, hooksPath: join(root, 'hooks', 'hooks.json') };
    });
  };
  const project = isSame ? [] : inFolder(places.projectPlugins, 'project');
  return { plugins: [...project, ...inFolder(places.userPlugins, 'user')], problems };
}

function listFolders(fs: ReadOnlyFs, folder: string, problems: Problem[]): string[] {
  if (fs.info(folder)?.kind !== 'folder') return [];
  try {
    const names = fs.list(folder).filter((name) => fs.info(join(folder, name))?.kind === 'folder');
    return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  } catch (error) {
    problems.push(
      say('goose-plugins-unreadable', { path: folder }, (error as NodeJS.ErrnoException).code ?? 'unknown'),
    );
    return [];
  }
}

/**
 * Which of the plugins run: both switches must let a plugin pass, and the first that passes takes the name, even without hooks of
 * its own (goose corners 11, 17). Pure, but for links that `real` follows: goose knows its working folder by its real path.
 */
export function arrange(
  plugins: readonly Plugin[],
  settings: readonly Switches[],
  map: ConfigMap,
  real: (path: string) => string | undefined,
): Arranged[] {
  const winners = new Map<string, Plugin>();
  return plugins.map((plugin): Arranged => {
    const { name, root } = plugin;
    const by = disabledBy(name, settings);
    if (by !== undefined) return { plugin, off: { why: 'disabled', detail: `disabledPlugins in ${by}` } };
    if (map.off.size > 0 && (map.off.has(root) || isOffByRealPath(root, map, real)))
      return { plugin, off: { why: 'disabled', detail: `enabled: false in ${map.by}` } };
    const winner = winners.get(name);
    if (winner !== undefined)
      return { plugin, hiddenBy: winner, off: { why: 'shadowed', detail: `${winner.root} has the same name` } };
    winners.set(name, plugin);
    return { plugin, off: undefined };
  });
}

/** The path as goose itself would have spelt it, had it been started in the folder's real place; the plugin's own link stays one. */
function isOffByRealPath(root: string, map: ConfigMap, real: (path: string) => string | undefined): boolean {
  const name = root.slice(root.lastIndexOf('/') + 1);
  const project = real(join(root, '..', '..', '..'));
  return project !== undefined && map.off.has(join(project, '.agents', 'plugins', name));
}

/** The plugin that an explicitly named hooks.json belongs to: the folder above `hooks/`, else the file's own. */
export function explicitPlugin(path: string): Plugin {
  const folder = join(path, '..');
  const root = folder.endsWith('/hooks') ? join(folder, '..') : folder;
  return { name: root.slice(root.lastIndexOf('/') + 1) || '/', root, scope: 'explicit', hooksPath: path };
}
