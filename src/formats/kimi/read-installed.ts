import { resolve } from 'node:path';
import type { Problem } from '../../problems.ts';
import { nameOf } from './check-entry.ts';
import { say } from './words.ts';

/** A plugin that `plugins/installed.json` lists. */
export interface Installed {
  readonly id: string;
  /** Absolute. */
  readonly root: string;
  readonly enabled: boolean;
}

/** The plugins in the list's order, and why parts of it can't be used; a fault has no hooks that anybody could name. */
export interface InstalledList {
  readonly plugins: readonly Installed[];
  readonly problems: readonly Problem[];
}

/**
 * The list of plugins. Where an id stands twice the later record holds, in the place of the first. Never throws: what can't
 * be used is said in `problems`.
 */
export async function readInstalled(text: string, path: string, cwd: string): Promise<InstalledList> {
  const bad = (why: string): InstalledList => ({
    plugins: [],
    problems: [say('kimi-installed-invalid', { path }, why)],
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { whyNotJson } = await import('../../json-errors.ts');
    return bad(`it is not valid JSON: ${whyNotJson(text, false).why}`);
  }
  const list = (value as { plugins?: unknown } | null)?.plugins;
  if (!Array.isArray(list)) return bad(`plugins must be a list, but it is ${nameOf(list)}`);
  const plugins = new Map<string, Installed>();
  const problems: Problem[] = [];
  for (const [index, record] of list.entries()) {
    const { id, root, enabled } = (record ?? {}) as Record<string, unknown>;
    if (typeof id === 'string' && typeof root === 'string' && root !== '' && typeof enabled === 'boolean') {
      plugins.set(id, { id, root: resolve(cwd, root), enabled });
    } else {
      const why = 'a record needs id and root (strings) and enabled (true or false), and is left out';
      problems.push(say('kimi-installed-invalid', { path, key: `plugins[${index}]` }, why));
    }
  }
  return { plugins: [...plugins.values()], problems };
}
