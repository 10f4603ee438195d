import type { Place, Problem } from '../../problems.ts';
import type { Where } from '../format.ts';
import { readText } from './read-text.ts';
import { say } from './words.ts';

/** The plugins that goose's own configuration switches off, by the text of their root path, and who says so. */
export interface ConfigMap {
  readonly off: ReadonlySet<string>;
  readonly by: string;
  readonly problems: readonly Problem[];
}

const nothing = (by: string, problems: readonly Problem[] = []): ConfigMap => ({ off: new Set(), by, problems });

/**
 * The map `plugins` of config.yaml, or of the environment variable PLUGINS, which stands for all of it (goose corner 17). The YAML parser is
 * loaded only where the text can say something: goose writes an entry for every plugin it meets, almost always `enabled: true`.
 */
export async function readConfigMap({ fs, env }: Pick<Where, 'fs' | 'env'>, path: string): Promise<ConfigMap> {
  const variable = env['PLUGINS'];
  if (variable !== undefined) return fromVariable(variable);
  const file = readText(fs, path);
  if (file === undefined) return nothing(path);
  if ('why' in file) return nothing(path, [say('goose-config-unreadable', { path }, file.why)]);
  if (saysNothing(file.text)) return nothing(path);
  const { parseDocument } = await import('yaml');
  const document = parseDocument(file.text, { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const place = positionOf(file.text, error.pos[0]);
    return nothing(path, [say('goose-config-syntax', { path, ...place }, error.message.split('\n')[0]!)]);
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    const map = isObject(value) ? value['plugins'] : undefined;
    return map === undefined ? nothing(path) : fromMap(map, path, { path, key: 'plugins' });
  } catch (error) {
    return nothing(path, [say('goose-config-syntax', { path }, (error as Error).message.split('\n')[0]!)]);
  }
}

/** Whether the text has no map of plugins, or one as goose writes it and with every plugin on. */
function saysNothing(text: string): boolean {
  if (!text.includes('plugins')) return true;
  const [, map, more] = text.split(/^plugins:[ \t]*\r?\n/m);
  if (map === undefined || more !== undefined) return false;
  const [block] = map.split(/^(?=[^\s])/m);
  return /^(?: {2}\/[\w ./+@-]*:\r?\n {4}enabled: true\r?(?:\n|$))*\s*$/.test(block ?? '');
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

function fromVariable(text: string): ConfigMap {
  const by = 'the environment variable PLUGINS';
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Then it is a plain text, which is no map either.
  }
  return fromMap(value, by, { key: 'PLUGINS' });
}

/** One entry of the wrong shape drops the whole map, and everything is on (goose corner 17). */
function fromMap(map: unknown, by: string, place: Place): ConfigMap {
  const drop = (why: string, lost: string): ConfigMap =>
    nothing(by, [say('goose-config-map-dropped', place, why, lost)]);
  if (!isObject(map)) return drop('it is no map', '');
  const entries = Object.entries(map);
  const off = entries.filter(([, entry]) => isObject(entry) && entry['enabled'] === false).map(([root]) => root);
  const bad = entries.find(([, entry]) => !isObject(entry) || typeof entry['enabled'] !== 'boolean');
  if (bad !== undefined) return drop(`the entry of ${bad[0]} has no "enabled" that is true or false`, off.join(', '));
  return { off: new Set(off), by, problems: [] };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
