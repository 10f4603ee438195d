import { tryConfigText } from '../../config-file.ts';
import type { ReadOnlyFs } from '../../file-system.ts';
import type { Problem } from '../../problems.ts';
import { say } from './words.ts';

/** Rules by extension name, in the order of the file. */
export type EnablementRules = ReadonlyMap<string, readonly string[]>;

/** Which extensions are on where. A file that does not fit is a warning and counts as empty: everything is on. */
export function readEnablement(fs: ReadOnlyFs, path: string): { rules: EnablementRules; problems: Problem[] } {
  const rules = new Map<string, string[]>();
  const bad = (why: string) => ({ rules: new Map(), problems: [say('gemini-enablement', { path }, why)] });
  const file = tryConfigText(fs, path);
  if ('missing' in file) return { rules, problems: [] };
  if ('why' in file) return bad(file.why);
  let value: unknown;
  try {
    value = JSON.parse(file.text);
  } catch {
    return bad('it is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('it is no object');
  for (const [name, entry] of Object.entries(value)) {
    const overrides: unknown = (entry as { overrides?: unknown } | null)?.overrides;
    if (!Array.isArray(overrides) || !overrides.every((one) => typeof one === 'string'))
      return bad(`${JSON.stringify(name)} has no list "overrides" of texts`);
    rules.set(name, overrides as string[]);
  }
  return { rules, problems: [] };
}

/**
 * Whether an extension is on in a folder: on by default; of the rules that match the folder the last one decides. A rule is a
 * folder with slashes at both ends, `!` switches off, a `*` at the end takes the sub-folders in.
 */
export function isEnabled(rules: EnablementRules, name: string, folder: string): boolean {
  const place = withSlashes(folder);
  let on = true;
  for (const rule of rules.get(name) ?? []) {
    const off = rule.startsWith('!');
    const written = off ? rule.slice(1) : rule;
    const deep = written.endsWith('*');
    const path = withSlashes(deep ? written.slice(0, -1) : written);
    if (deep ? place.startsWith(path) : place === path) on = !off;
  }
  return on;
}

function withSlashes(path: string): string {
  const started = path.startsWith('/') ? path : `/${path}`;
  return started.endsWith('/') ? started : `${started}/`;
}
