import { join, resolve } from 'node:path';
import type { Where } from '../format.ts';

/** Kimi Code's data folder, absolute: `$KIMI_CODE_HOME`, else `~/.kimi-code` (Kimi protocol, Config). */
export function kimiHome(where: Pick<Where, 'env' | 'home' | 'cwd'>): string {
  const named = where.env['KIMI_CODE_HOME'];
  return named === undefined || named === '' ? join(where.home, '.kimi-code') : resolve(where.cwd, named);
}

/** The one file with config hooks in a data folder. */
export const configFile = (home: string): string => join(home, 'config.toml');

/** The list of plugins in a data folder. */
export const installedFile = (home: string): string => join(home, 'plugins', 'installed.json');

/** Where the older kimi-cli, the one in Python, keeps its configuration. It is read only when `--config` names it. */
export const olderConfigFile = (where: Pick<Where, 'home'>): string => join(where.home, '.kimi', 'config.toml');
