import { join, relative } from 'node:path';
import { ReadError, type ReadOnlyFs } from '../file-system.ts';
import type { Problem } from '../problems.ts';
import { say } from '../words.ts';
import type { Checked, Fault } from './check.ts';

/** Settings are a few lines; parsers of YAML take long over much more. */
const settingsLimit = 64 * 1024;
/** As for any other config file. */
const packageLimit = 16 * 1024 * 1024;

/** What the settings files of one folder hold. */
export interface FoundSettings extends Pick<Checked, 'settings'> {
  /** The file that counts; undefined where there is none. */
  readonly path: string | undefined;
  /** What is wrong: unreadable, no data, an unknown key, a wrong value. */
  readonly faults: readonly SettingsFault[];
  /** A second file that is not looked at. */
  readonly notes: readonly Problem[];
}

export interface SettingsFault {
  readonly kind: 'unreadable' | 'content';
  readonly problem: Problem;
  /** The text of a file that is no data. */
  readonly text?: string;
}

const nothing: FoundSettings = { path: undefined, settings: {}, faults: [], notes: [] };

/** Where settings may be read from: `inside` refuses a file that a link fetches from outside of that folder. */
export interface SettingsPlace {
  readonly folder: string;
  readonly names: readonly string[];
  readonly inside: boolean;
}

/** The files of a folder that are there, read and not yet taken apart. */
export interface SettingsTexts {
  readonly folder: string;
  /** By path, in the order in which they count. */
  readonly texts: ReadonlyMap<string, string>;
  readonly faults: readonly SettingsFault[];
}

/**
 * Looks for the settings files of a folder, and undefined if there are none: that is every run of most people, so nothing is loaded for it.
 * All of them are regular files, and small.
 */
export function findSettings({ folder, names, inside }: SettingsPlace, fs: ReadOnlyFs): SettingsTexts | undefined {
  const texts = new Map<string, string>();
  const faults: SettingsFault[] = [];
  for (const name of names) {
    const path = join(folder, name);
    try {
      const text = readOne(path, name, folder, fs, inside);
      if (text !== undefined && text.trim() !== '') texts.set(path, text);
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      faults.push({ kind: 'unreadable', problem: say('settings-unreadable', { path }, error.message) });
    }
  }
  return texts.size === 0 && faults.length === 0 ? undefined : { folder, texts, faults };
}

/** What the files say: the first that holds settings counts. Never throws for what they hold. */
export async function readSettings(
  found: SettingsTexts,
  formats: readonly string[],
  isUserFile: boolean,
): Promise<FoundSettings> {
  const { folder, texts } = found;
  const faults = [...found.faults];
  const [first, ...others] = [...texts.keys()];
  if (first === undefined) return { ...nothing, faults };
  const { DataError, readData } = await import('./read-data.ts');
  try {
    const names = [...texts.keys()].map((path) => relative(folder, path));
    const data = await readData(folder, names, texts);
    if (data === undefined) return { ...nothing, faults };
    const { path, values } = data;
    if (typeof values !== 'object' || values === null || Array.isArray(values))
      throw new DataError('no object', { path });
    const { checkSettings } = await import('./check.ts');
    const checked = checkSettings(values as Record<string, unknown>, formats, isUserFile);
    faults.push(
      ...checked.faults.map((fault): SettingsFault => ({ kind: 'content', problem: faultProblem(fault, path) })),
    );
    const notes = others
      .filter((other) => other !== path)
      .map((other) => say('settings-second', { path: other }, path));
    return { path, settings: checked.settings, faults, notes };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const { place, message } = error;
    const problem = say('settings-no-data', place, message);
    faults.push({ kind: 'content', problem, text: texts.get(place.path ?? first) ?? '' });
    return { ...nothing, path: place.path ?? first, faults };
  }
}

function faultProblem(fault: Fault, path: string): Problem {
  const place = { path, key: fault.key };
  switch (fault.kind) {
    case 'import':
      return say('settings-import', place);
    case 'unknown':
      return say('settings-unknown', place, fault.key, fault.near);
    case 'value':
      return say('settings-value', place, fault.key, fault.expected);
  }
}

/** The text of one file, or undefined where it is not there or is no business of hookrun's. Throws `ReadError`. */
function readOne(path: string, name: string, folder: string, fs: ReadOnlyFs, inside: boolean): string | undefined {
  if (fs.isMissing(path)) return undefined;
  const isPackage = name === 'package.json';
  try {
    const real = inside ? fs.real(path) : undefined;
    if (real !== undefined && !isInside(real, fs.real(folder)))
      throw new ReadError('denied', path, 'it is a link that leads out of the folder');
    const text = fs
      .read(path, isPackage ? packageLimit : settingsLimit)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    // Nearly every package.json is without; an escape could hide the key.
    return isPackage && !text.includes('"hookrun"') && !text.includes('\\u') ? undefined : text;
  } catch (error) {
    if (!(error instanceof ReadError) || error.kind !== 'missing') throw error;
    if (fs.linkInfo(path)?.kind !== 'link') return undefined;
    throw new ReadError('missing', path, 'it is a link that leads nowhere');
  }
}

const isInside = (path: string | undefined, folder: string | undefined): boolean =>
  path !== undefined && folder !== undefined && path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
