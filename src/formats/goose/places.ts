import { isAbsolute, join } from 'node:path';
import type { Where } from '../format.ts';

/** Where goose looks, in its own order. Nothing is said about what exists. */
export interface Places {
  readonly projectPlugins: string;
  readonly userPlugins: string;
  /** Highest first; `project` files count only in a trusted folder. */
  readonly settings: readonly { readonly scope: 'project' | 'user'; readonly path: string }[];
  readonly config: string;
}

/**
 * The places of "Where hooks come from". GOOSE_PATH_ROOT moves the user's side and counts only when it is absolute; XDG_CONFIG_HOME
 * moves config.yaml alone (goose corner 14).
 */
export function placesOf({ project, home, env }: Pick<Where, 'project' | 'home' | 'env'>): Places {
  const root = absolute(env['GOOSE_PATH_ROOT']);
  const user = root ?? home;
  const xdg = absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
  return {
    projectPlugins: join(project, '.agents', 'plugins'),
    userPlugins: join(user, '.agents', 'plugins'),
    settings: [
      { scope: 'project', path: join(project, '.config', 'goose', 'settings.local.json') },
      { scope: 'project', path: join(project, '.config', 'goose', 'settings.json') },
      { scope: 'user', path: join(user, '.config', 'goose', 'settings.json') },
    ],
    config: root === undefined ? join(xdg, 'goose', 'config.yaml') : join(root, 'config', 'config.yaml'),
  };
}

const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined;
