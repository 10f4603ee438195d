import { dirname, join } from 'node:path';
import { readConfigText, readNamedConfigText } from '../../config-file.ts';
import { HookrunError } from '../../errors.ts';
import { linesOf } from '../../json-text.ts';
import { describe } from '../../payload.ts';
import type { Problem } from '../../problems.ts';
import type { Where } from '../format.ts';
import { say } from './words.ts';

export type SettingsScope = 'system-defaults' | 'user' | 'project' | 'system' | 'explicit';

type Json = Readonly<Record<string, unknown>>;

/** One settings file, parsed. */
export interface SettingsFile {
  readonly scope: SettingsScope;
  readonly path: string;
  readonly value: Json;
  readonly lines: Lines;
}

export interface Settings {
  /** The user's and the system's own, in plan order; or just those that `--config` names. */
  readonly own: readonly SettingsFile[];
  /** The project's, or why it can't be used: that matters only where the project is trusted. */
  readonly project: SettingsFile | HookrunError | undefined;
  /** The folder counts as a project of its own, with settings or without. */
  readonly hasProject: boolean;
  readonly problems: readonly Problem[];
}

/** Where the system's two files are when no variable says otherwise. */
const systemFolders: Readonly<Record<string, string>> = {
  linux: '/etc/gemini-cli',
  darwin: '/Library/Application Support/GeminiCli',
};

/**
 * Reads all settings files that exist, or just those that `--config` names. Throws `HookrunError` (config, input-file) for one that
 * Gemini CLI would not start with: broken JSON, no object (rule 47).
 */
export async function readSettings(where: Where): Promise<Settings> {
  const { fs, env, home, project } = where;
  if (where.explicit.length > 0) {
    const named = where.explicit.map((path) => parseSettings('explicit', path, readNamedConfigText(fs, path)));
    return { own: await Promise.all(named), project: undefined, hasProject: false, problems: [] };
  }
  const folder = systemFolders[where.platform] ?? '/etc/gemini-cli';
  const problems: Problem[] = [];
  const own: SettingsFile[] = [];
  const places: [SettingsScope, string][] = [
    ['system-defaults', env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'] || join(folder, 'system-defaults.json')],
    ['user', join(home, '.gemini', 'settings.json')],
    ['system', env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] || join(folder, 'settings.json')],
  ];
  for (const [scope, path] of places) {
    if (scope !== 'user' && fs.info(path) !== undefined) {
      const unsafe = whyUnsafe(path, where);
      if (unsafe !== undefined) {
        problems.push(say('gemini-system-file-unsafe', { path }, unsafe));
        continue;
      }
    }
    const file = await readSettingsFile(scope, path, where);
    if (file !== undefined) own.push(file);
  }
  // A project that is the home folder has no settings of its own: the file is the user's (rule 48).
  const isHome = (fs.real(project) ?? project) === (fs.real(home) ?? home);
  return { own, project: isHome ? undefined : await readProjectSettings(where), hasProject: !isHome, problems };
}

async function readSettingsFile(scope: SettingsScope, path: string, where: Where): Promise<SettingsFile | undefined> {
  const text = readConfigText(where.fs, path);
  return text === undefined ? undefined : parseSettings(scope, path, text);
}

async function readProjectSettings(where: Where): Promise<SettingsFile | HookrunError | undefined> {
  try {
    return await readSettingsFile('project', join(where.project, '.gemini', 'settings.json'), where);
  } catch (error) {
    if (error instanceof HookrunError) return error;
    throw error;
  }
}

/** The files that count, in plan order: the project's comes after the user's and before the system's (rule 22). Throws its error. */
export function filesInOrder({ own, project }: Settings, withProject: boolean): readonly SettingsFile[] {
  if (!withProject || project === undefined) return own;
  if (project instanceof HookrunError) throw project;
  const after = own.findIndex((file) => file.scope === 'system');
  return after < 0 ? [...own, project] : [...own.slice(0, after), project, ...own.slice(after)];
}

/** Why a system file does not count: it or a folder above it is not root's alone (rule 49). */
function whyUnsafe(path: string, { fs, platform }: Where): string | undefined {
  if (platform === 'win32') return undefined;
  for (let at = fs.real(path) ?? path; ; at = dirname(at)) {
    const info = fs.info(at);
    if (info === undefined || info.uid !== 0) return `${at} does not belong to root`;
    if ((info.mode & 0o022) !== 0) return `${at} can be written by others than root`;
    if (at === dirname(at)) return undefined;
  }
}

async function parseSettings(scope: SettingsScope, path: string, text: string): Promise<SettingsFile> {
  const value = await parseWithComments(path, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HookrunError('config', say('gemini-settings-not-object', { path }, describe(value)));
  return { scope, path, value: value as Json, lines: new Lines(text) };
}

/** A value in a file, by keys and indices. */
export type At = readonly (string | number)[];

/** So many lines are looked for one by one: a search stops at its value, and most runs show one or two. */
const fewLines = 4;

/** Somebody who may want to know the line of a value. */
export interface Placed {
  readonly at: At;
}

/**
 * The lines of the values in a file, found when they are shown. From the fifth on, all that may be asked for are looked for at once: a search for each
 * of many would be quadratic.
 */
export class Lines {
  readonly #text: string;
  readonly #lists: (() => readonly Placed[])[] = [];
  #asked = 0;
  #isOneLine: boolean | undefined;
  #found: ReadonlyMap<Placed, number | undefined> = new Map();

  constructor(text: string) {
    this.#text = text;
  }

  /** Names those who may ask; nothing is looked at before many have. */
  announce(list: () => readonly Placed[]): void {
    this.#lists.push(list);
  }

  /** The 1-based line of a value, or undefined where there is no such value. */
  of(place: Placed): number | undefined {
    // Written by a machine, as large files are; then there is nothing to look for.
    this.#isOneLine ??= !this.#text.includes('\n') && !this.#text.includes('\r');
    if (this.#isOneLine) return 1;
    this.#asked += 1;
    if (this.#asked <= fewLines) return linesOf(this.#text, [place.at])[0];
    if (!this.#found.has(place)) {
      const places = [place, ...this.#lists.flatMap((list) => list())];
      const lines = linesOf(
        this.#text,
        places.map((one) => one.at),
      );
      this.#found = new Map(places.map((one, index) => [one, lines[index]]));
    }
    return this.#found.get(place);
  }
}

/** Comments are allowed, trailing commas are not (rule 47). Throws `HookrunError` (config) with line and column. */
async function parseWithComments(path: string, text: string): Promise<unknown> {
  try {
    // Most files hold no comment, and this is many times faster.
    return JSON.parse(text);
  } catch {
    const { stripComments } = await import('jsonc-parser');
    try {
      return JSON.parse(stripComments(text, ' '));
    } catch {
      const { whyNotJson } = await import('../../json-errors.ts');
      const { why, ...place } = whyNotJson(text, true);
      throw new HookrunError('config', say('gemini-settings-syntax', { path, ...place }, why));
    }
  }
}
