import type { FormatEntry } from './formats/format.ts';

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * The event that was probably meant by a name that is none of this agent's: another spelling, another agent's name for the same moment, or
 * at most two letters off. Pure.
 */
export function nearestEvent(
  name: string,
  { events, foreignEvents }: Pick<FormatEntry, 'events' | 'foreignEvents'>,
): string | undefined {
  const wanted = bare(name);
  const same = events.find((event) => bare(event) === wanted);
  if (same !== undefined) return same;
  if (Object.hasOwn(foreignEvents, wanted)) return foreignEvents[wanted];
  // A long name that nobody has would take long to compare and is near to nothing.
  if (wanted.length > 40) return undefined;
  const near = events.map((event) => [event, distance(wanted, bare(event))] as const).filter(([, far]) => far <= 2);
  return near.sort(([, a], [, b]) => a - b)[0]?.[0];
}

/** How many letters must be put in, taken out or changed to make one text of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
