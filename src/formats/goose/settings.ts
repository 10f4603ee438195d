import type { ReadOnlyFs } from '../../file-system.ts';
import { whyNotJson } from '../../json-errors.ts';
import { positionAt } from '../../json-text.ts';
import type { Place, Problem } from '../../problems.ts';
import { describeNode, hasLoneSurrogate, type JsonNode, type ObjectNode, readTree } from './json-tree.ts';
import { isJson, readText } from './read-text.ts';
import { say } from './words.ts';

/** The switches of one settings file, by plugin name. */
export interface Switches {
  readonly path: string;
  readonly enabled: ReadonlySet<string>;
  readonly disabled: ReadonlySet<string>;
}

/** Reads one settings file; undefined where there is none, a problem where goose leaves it out (goose corner 16). */
export function readSettings(fs: ReadOnlyFs, path: string): Switches | { readonly problem: Problem } | undefined {
  const file = readText(fs, path);
  if (file === undefined) return undefined;
  if ('why' in file) return { problem: say('goose-settings-left-out', { path }, file.why) };
  return parseSettings(file.text, path);
}

/** Pure. The file is `{"enabledPlugins": […], "disabledPlugins": […]}`, or an array of the two lists, which may be shorter. */
export function parseSettings(text: string, path: string): Switches | { readonly problem: Problem } {
  const leaveOut = (why: string, place: Place): { problem: Problem } => ({
    problem: say('goose-settings-left-out', { path, ...place }, why),
  });
  if (!isJson(text)) {
    const { why, ...place } = whyNotJson(text, false);
    return leaveOut(`not valid JSON: ${why}`, place);
  }
  const root = readTree(text);
  if (root.kind !== 'object' && root.kind !== 'array')
    return leaveOut(`it must be an object, but it is ${describeNode(root)}`, positionAt(text, root.at));
  const lists = root.kind === 'array' ? fromArray(root.items) : fromObject(root);
  if ('why' in lists) return leaveOut(lists.why, positionAt(text, lists.at));
  const [enabled, disabled] = [readNames(lists.enabled), readNames(lists.disabled)];
  for (const [key, names] of [
    ['enabledPlugins', enabled],
    ['disabledPlugins', disabled],
  ] as const)
    if ('why' in names) return leaveOut(`${key} ${names.why}`, { key, ...positionAt(text, names.at) });
  return { path, enabled: enabled as Set<string>, disabled: disabled as Set<string> };
}

type Fault = { readonly why: string; readonly at: number };
type Lists = { readonly enabled: JsonNode | undefined; readonly disabled: JsonNode | undefined };

function fromArray([enabled, disabled, third]: readonly JsonNode[]): Lists | Fault {
  if (third !== undefined) return { why: 'an array here has two lists, not more', at: third.at };
  return { enabled, disabled };
}

function fromObject({ members }: ObjectNode): Lists | Fault {
  const bad = members.find(({ key }) => hasLoneSurrogate(key));
  if (bad !== undefined) return { why: 'half of a surrogate pair in a key', at: bad.keyAt };
  for (const name of ['enabledPlugins', 'disabledPlugins']) {
    const [, again] = members.filter(({ key }) => key === name);
    if (again !== undefined) return { why: `the key "${name}" stands there twice`, at: again.keyAt };
  }
  const list = (name: string): JsonNode | undefined => members.find(({ key }) => key === name)?.value;
  return { enabled: list('enabledPlugins'), disabled: list('disabledPlugins') };
}

function readNames(node: JsonNode | undefined): Set<string> | Fault {
  if (node === undefined) return new Set();
  if (node.kind !== 'array') return { why: `must be a list of names, but it is ${describeNode(node)}`, at: node.at };
  const names = new Set<string>();
  for (const item of node.items) {
    if (item.kind !== 'string') return { why: `must hold names only, but there is ${describeNode(item)}`, at: item.at };
    if (hasLoneSurrogate(item.value)) return { why: 'holds half of a surrogate pair', at: item.at };
    names.add(item.value);
  }
  return names;
}

/** Who switches a plugin off: the first file that lists the name decides, and inside one file disabled beats enabled. */
export function disabledBy(name: string, files: readonly Switches[]): string | undefined {
  const file = files.find(({ enabled, disabled }) => disabled.has(name) || enabled.has(name));
  return file?.disabled.has(name) === true ? file.path : undefined;
}
