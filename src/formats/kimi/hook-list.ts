import type { Hook, Off } from '../../types.ts';
import type { Checked, Fault } from './check-entry.ts';
import type { KimiDetail } from './detail.ts';

/** The hooks of one file or plugin, checked, before anybody asks for an event. */
export interface HookList {
  /** What names of hooks begin with: `config`, or the plugin's id. */
  readonly label: string;
  readonly scope: string;
  readonly path: string;
  readonly entries: readonly Checked[];
  /** 1-based line of an entry; of the whole list for -1. */
  readonly line: (index: number) => number | undefined;
  readonly detail: KimiDetail;
  /** One bad entry takes all others with it (config.toml), or is dropped alone (plugins). */
  readonly strict: boolean;
  /** Set when none of the list counts. Without entries one stand-in says so, since nobody knows which hooks there were. */
  readonly off?: Off | undefined;
}

/**
 * The hooks that a list has for one event, in its order; those that don't count say why. An entry whose event is not known might
 * have been meant for this one, so it is among them: `--on-failure block` must not overlook it.
 * `counts` holds how many hooks of the event each label has had so far: names are counted from 1.
 */
export function hooksFor(list: HookList, event: string, counts: Map<string, number>): Hook<KimiDetail>[] {
  const first = list.strict ? firstFault(list.entries) : undefined;
  const hooks = list.entries.flatMap((checked, index): Hook<KimiDetail>[] => {
    const own = checked.kind === 'good' ? checked.entry.event : checked.event;
    if (own !== undefined && own !== event) return [];
    const key = `hooks[${index}]`;
    const isBad = checked.kind === 'bad';
    return [
      {
        name: own === undefined ? `${list.label}:${key}` : `${list.label}:${event}#${next(counts, list.label)}`,
        event,
        command: isBad ? checked.command : checked.entry.command,
        matcher: isBad ? undefined : checked.entry.matcher,
        timeoutMs: isBad ? 0 : checked.entry.timeout * 1000,
        source: { scope: list.scope, path: list.path, key, line: () => list.line(index) },
        off: list.off ?? (isBad ? invalid(checked.faults[0]!) : first),
        detail: list.detail,
      },
    ];
  });
  if (list.off?.why !== 'invalid' || list.entries.length > 0) return hooks;
  const source = { scope: list.scope, path: list.path, key: 'hooks', line: () => list.line(-1) };
  const name = `${list.label}:hooks`;
  return [{ name, event, command: '', timeoutMs: 0, source, off: list.off, detail: list.detail }];
}

const invalid = ({ key, why }: Fault): Off => ({ why: 'invalid', detail: key === undefined ? why : `${key} ${why}` });

function firstFault(entries: readonly Checked[]): Off | undefined {
  const index = entries.findIndex((checked) => checked.kind === 'bad');
  const bad = entries[index];
  if (bad?.kind !== 'bad') return undefined;
  const { key, why } = bad.faults[0]!;
  const place = key === undefined ? `hooks[${index}]` : `hooks[${index}].${key}`;
  return { why: 'invalid', detail: `another entry of the file is not valid, which switches off all: ${place} ${why}` };
}

function next(counts: Map<string, number>, label: string): number {
  const count = (counts.get(label) ?? 0) + 1;
  counts.set(label, count);
  return count;
}
