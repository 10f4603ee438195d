import type { FilePart, FingerprintParts, HookPart, NamedPart } from './fingerprint.ts';

/** One difference between what was trusted and what is there now. */
export interface Change {
  readonly what: 'hook' | 'script' | 'switch' | 'setting';
  readonly how: 'added' | 'removed' | 'edited' | 'reordered';
  /** The hook's name and event, the file's path, the switch's name. */
  readonly name: string;
  readonly event?: string;
  /** What about it, where its content is the same. */
  readonly detail?: string;
}

/** What changed between two fingerprints, in words' raw form; pure. Empty only for the same content under the same scheme. */
export function changesBetween(before: FingerprintParts, now: FingerprintParts): Change[] {
  return [
    ...hookChanges(before.hooks, now.hooks),
    ...partChanges('script', before.files, now.files, (file) => file.path, sameFile, bitChange),
    ...partChanges('switch', before.switches, now.switches, (part) => part.name, sameNamed),
    ...partChanges('setting', before.settings, now.settings, (part) => part.name, sameNamed),
  ];
}

/** For people: `edited hook lint (BeforeTool)`. */
export function describeChange({ what, how, name, event, detail }: Change): string {
  if (how === 'reordered') return `another order of the hooks of ${name}`;
  const more = event ?? detail;
  return `${how} ${what === 'setting' ? 'setting of hookrun' : what} ${name}${more === undefined ? '' : ` (${more})`}`;
}

/** Whether two looks at a file found the same. */
export const sameFile = (a: FilePart, b: FilePart): boolean => sameContent(a, b) && a.executable === b.executable;
const sameContent = (a: FilePart, b: FilePart): boolean =>
  a.sha256 === b.sha256 && a.link === b.link && a.unreadable === b.unreadable;
/** For a file of which nothing but its mode is another: nobody would find that in its content. */
const bitChange = (before: FilePart, now: FilePart): string | undefined =>
  !sameContent(before, now) ? undefined : now.executable ? 'executable now' : 'not executable any more';
const sameNamed = (a: NamedPart, b: NamedPart): boolean => a.sha256 === b.sha256;

function partChanges<Part>(
  what: Change['what'],
  before: readonly Part[],
  now: readonly Part[],
  nameOf: (part: Part) => string,
  isSame: (a: Part, b: Part) => boolean,
  detailOf: (before: Part, now: Part) => string | undefined = () => undefined,
): Change[] {
  const old = new Map(before.map((part) => [nameOf(part), part]));
  const present = new Set(now.map(nameOf));
  const changes = now.flatMap((part): Change[] => {
    const name = nameOf(part);
    const other = old.get(name);
    if (other === undefined) return [{ what, how: 'added', name }];
    if (isSame(other, part)) return [];
    const detail = detailOf(other, part);
    return [{ what, how: 'edited', name, ...(detail === undefined ? {} : { detail }) }];
  });
  const removed = before.map(nameOf).filter((name) => !present.has(name));
  return [...changes, ...removed.map((name): Change => ({ what, how: 'removed', name }))];
}

/** Equal hooks are taken off each other first; of the rest, one with the name of another counts as the same one, edited. */
function hookChanges(before: readonly HookPart[], now: readonly HookPart[]): Change[] {
  const left = [...before];
  const fresh = now.filter((hook) => {
    const at = left.findIndex((old) => old.event === hook.event && old.sha256 === hook.sha256);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (left.length === 0 && fresh.length === 0) return orderChanges(before, now);
  const changes = fresh.map(({ event, name }): Change => {
    const at = left.findIndex((old) => old.event === event && old.name === name);
    if (at >= 0) left.splice(at, 1);
    return { what: 'hook', how: at >= 0 ? 'edited' : 'added', name, event };
  });
  return [...changes, ...left.map(({ event, name }): Change => ({ what: 'hook', how: 'removed', name, event }))];
}

function orderChanges(before: readonly HookPart[], now: readonly HookPart[]): Change[] {
  const events = new Set(now.flatMap((hook, index) => (hook.sha256 === before[index]?.sha256 ? [] : [hook.event])));
  return [...events].map((name) => ({ what: 'hook', how: 'reordered', name }));
}
