import { join, resolve, sep } from 'node:path';
import { tryConfigText } from '../../config-file.ts';
import type { ReadOnlyFs } from '../../file-system.ts';
import { linesOf } from '../../json-text.ts';
import { checkEntry, nameOf } from './check-entry.ts';
import type { HookList } from './hook-list.ts';
import type { ReadList } from './read-config.ts';
import type { Installed } from './read-installed.ts';
import { say } from './words.ts';

const namePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * The hooks of one installed plugin, from the first of its two manifests that exists. A bad entry is dropped alone; an error in
 * the manifest drops the plugin (Kimi protocol, Config). Never throws for what the plugin holds.
 */
export async function readPlugin({ id, root, enabled }: Installed, home: string, fs: ReadOnlyFs): Promise<ReadList> {
  const path = [join(root, 'kimi.plugin.json'), join(root, '.kimi-plugin', 'plugin.json')].find(
    (file) => fs.info(file)?.kind === 'file',
  );
  const base = { label: id, scope: 'plugin', path: path ?? root, detail: { plugin: { root, home } }, strict: false };
  const drop = (why: string): ReadList => {
    const noLine = (): undefined => undefined;
    // Nobody asked for a plugin that is switched off, so what is wrong with it is nobody's problem.
    if (!enabled) return { list: undefined, problems: [] };
    const list: HookList = { ...base, entries: [], line: noLine, off: { why: 'invalid', detail: why } };
    return { list, problems: [say('kimi-plugin-invalid', { path: base.path }, id, why)] };
  };
  if (path === undefined) return drop('it has neither kimi.plugin.json nor .kimi-plugin/plugin.json');
  const file = tryConfigText(fs, path);
  if (!('text' in file)) return drop(`its manifest can't be read: ${'why' in file ? file.why : 'no such file'}`);
  const { text } = file;
  const read = await parseManifest(text);
  if (read.kind === 'bad') return drop(read.why);
  const fault = manifestFault(read.manifest, root, fs);
  if (fault !== undefined) return drop(fault);
  const { hooks } = read.manifest;
  if (hooks === undefined) return { list: undefined, problems: [] };
  if (!Array.isArray(hooks))
    return {
      list: undefined,
      problems: enabled ? [say('kimi-plugin-hooks', { path, key: 'hooks' }, id, nameOf(hooks))] : [],
    };
  const line = (index: number): number | undefined => linesOf(text, [index < 0 ? ['hooks'] : ['hooks', index]])[0];
  const entries = hooks.map(checkEntry);
  const off = enabled ? undefined : ({ why: 'disabled', detail: `plugin ${id} is disabled` } as const);
  const problems = entries.flatMap((checked, index) =>
    checked.kind === 'good' || !enabled
      ? []
      : checked.faults.map(({ key, why }) => {
          const place = key === undefined ? `hooks[${index}]` : `hooks[${index}].${key}`;
          return say('kimi-plugin-entry-invalid', { path, key: place, line: line(index) }, id, key, why);
        }),
  );
  return { list: { ...base, entries, line, off }, problems };
}

type Manifest = Readonly<Record<string, unknown>>;

type Parsed = { kind: 'good'; manifest: Manifest } | { kind: 'bad'; why: string };

async function parseManifest(text: string): Promise<Parsed> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    const { whyNotJson } = await import('../../json-errors.ts');
    return { kind: 'bad', why: `its manifest is not valid JSON: ${whyNotJson(text, false).why}` };
  }
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
    return { kind: 'bad', why: `its manifest must be a JSON object, but it is ${nameOf(manifest)}` };
  return { kind: 'good', manifest: manifest as Manifest };
}

/** What makes a manifest an error as a whole: its name, and folders that it may not name. */
function manifestFault(manifest: Manifest, root: string, fs: ReadOnlyFs): string | undefined {
  const name = typeof manifest['name'] === 'string' ? manifest['name'].trim() : '';
  if (name === '') return 'its manifest has no name';
  if (!namePattern.test(name)) return `its name ${JSON.stringify(name)} must be of a-z, 0-9, _ and -, at most 64`;
  return folderFault('skills', manifest['skills'], root, fs) ?? folderFault('agents', manifest['agents'], root, fs);
}

function folderFault(field: string, value: unknown, root: string, fs: ReadOnlyFs): string | undefined {
  if (value === undefined) return undefined;
  const folders: unknown[] = Array.isArray(value) ? value : [value];
  for (const folder of folders) {
    if (typeof folder !== 'string') return `${field} must be a path or a list of paths`;
    if (!folder.startsWith('./')) return `the path ${JSON.stringify(folder)} in ${field} must begin with ./`;
    const absolute = resolve(root, folder);
    const inside = fs.real(root) ?? root;
    const real = fs.real(absolute) ?? absolute;
    if (real !== inside && !real.startsWith(inside.endsWith(sep) ? inside : inside + sep))
      return `the path ${JSON.stringify(folder)} in ${field} leads out of the plugin`;
  }
  return undefined;
}
