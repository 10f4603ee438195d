import { whyNotJson } from '../../json-errors.ts';
import { nearestEvent } from '../../nearest-event.ts';
import type { Problem } from '../../problems.ts';
import { goose } from './entry.ts';
import { eventKinds } from './events.ts';
import { describeNode, flawIn, hasLoneSurrogate, isNull, type JsonNode, type Member, readTree } from './json-tree.ts';
import { type LineAndColumn, placesIn } from './lines.ts';
import { isJson } from './read-text.ts';
import { parseRules, Refusal, type Rule } from './rules.ts';
import { type Code, say } from './words.ts';

/** Something worth a warning that keeps nothing else from loading; `event` where it concerns the hooks of one event only. */
export interface Note {
  readonly event: string | undefined;
  readonly problem: Problem;
}

/** What became of one hooks.json. */
export type HooksFile =
  | {
      readonly kind: 'loaded';
      readonly rules: readonly Rule[];
      readonly notes: readonly Note[];
      readonly at: (offset: number) => LineAndColumn;
    }
  /** The whole file is skipped. `events`: what it would have spoken about, undefined where that can't be told. */
  | { readonly kind: 'refused'; readonly problem: Problem; readonly events: readonly string[] | undefined };

/**
 * Reads the text of a hooks.json by goose's loading rules, in goose's order of checks (goose, "hooks.json", corners 18 to 22). Pure, but for
 * `isValid`, which says whether a matcher compiles and is asked only where the answer decides about the file.
 */
export function parseHooksFile(text: string, path: string, isValid: (matcher: string) => boolean): HooksFile {
  const refuse = (
    why: string,
    place: { line?: number; column?: number; key?: string },
    events?: string[],
  ): HooksFile => ({
    kind: 'refused',
    problem: say('goose-file-skipped', { path, ...place }, why),
    events,
  });
  const at = placesIn(text);
  if (!isJson(text)) {
    const { why, ...place } = whyNotJson(text, false);
    return refuse(
      why === 'it does not parse' && text.startsWith('\uFEFF') ? 'it begins with a byte order mark' : why,
      place,
    );
  }
  const top = readTopLevel(readTree(text));
  if ('flaw' in top) return refuse(top.flaw, { ...at(top.at), key: 'hooks' });
  for (const { key, keyAt, value } of top.events) {
    const flaw = hasLoneSurrogate(key) ? { at: keyAt, why: 'half of a surrogate pair in a key' } : flawIn(value, 3);
    if (flaw !== undefined) return refuse(flaw.why, { ...at(flaw.at), key: `hooks.${key}` });
  }

  // The last of several equal keys counts, and the others are not looked at (goose corner 19).
  const events = [...new Map(top.events.map((one) => [one.key, one]))].map(([, one]) => one);
  const known = events.map((one) => one.key).filter((key) => Object.hasOwn(eventKinds, key));
  const rules: Rule[] = [];
  const notes: Note[] = [];
  const note =
    (event: string | undefined) =>
    (code: Code, key: string, offset: number, ...args: string[]) =>
      notes.push({ event, problem: sayAny(code, { path, key, ...at(offset) }, args) });
  noteTopLevel(top, note(undefined));
  for (const { key, keyAt, value } of events) {
    if (!known.includes(key)) {
      note(undefined)('goose-unknown-event', `hooks.${key}`, keyAt, key, nearestEvent(key, goose) ?? '');
      continue;
    }
    try {
      for (const rule of parseRules(key, value, note(key), isValid)) rules.push(rule);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuse(error.message, { key: error.key, ...at(error.at) }, known);
    }
  }
  return { kind: 'loaded', rules, notes, at };
}

const sayAny = (code: Code, place: object, args: string[]): Problem =>
  (say as unknown as (code: string, place: object, ...args: string[]) => Problem)(code, place, ...args);

type TopLevel = { readonly events: readonly Member[]; readonly others: readonly Member[] };

/** The map of events: `{"hooks": {…}}`, or the array form `[{…}]`, where a missing map is an empty one. */
function readTopLevel(root: JsonNode): TopLevel | { readonly flaw: string; readonly at: number } {
  if (root.kind === 'array') {
    const [first, second] = root.items;
    if (second !== undefined) return { flaw: 'the top level is an array with more than one element', at: second.at };
    return first === undefined ? { events: [], others: [] } : asEvents(first, []);
  }
  if (root.kind !== 'object')
    return { flaw: `the top level must be an object, but it is ${describeNode(root)}`, at: root.at };
  const bad = root.members.find(({ key }) => hasLoneSurrogate(key));
  if (bad !== undefined) return { flaw: 'half of a surrogate pair in a key', at: bad.keyAt };
  const [hooks, again] = root.members.filter(({ key }) => key === 'hooks');
  if (again !== undefined) return { flaw: 'the key "hooks" stands there twice', at: again.keyAt };
  const others = root.members.filter(({ key }) => key !== 'hooks');
  return hooks === undefined ? { events: [], others } : asEvents(hooks.value, others);
}

function asEvents(
  node: JsonNode,
  others: readonly Member[],
): TopLevel | { readonly flaw: string; readonly at: number } {
  if (node.kind === 'object') return { events: node.members, others };
  return { flaw: `"hooks" must be an object, but it is ${isNull(node) ? 'null' : describeNode(node)}`, at: node.at };
}

/** Events that stand at the top, without the key "hooks" around them, are unknown keys to goose and never run. */
function noteTopLevel(
  { others }: TopLevel,
  note: (code: Code, key: string, at: number, ...args: string[]) => void,
): void {
  const bare = others.find(({ key }) =>
    Object.hasOwn(eventKinds, nearestEvent(key, { ...goose, foreignEvents: {} }) ?? ''),
  );
  if (bare !== undefined) note('goose-events-without-hooks', bare.key, bare.keyAt, bare.key);
}
