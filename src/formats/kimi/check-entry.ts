import { nearestEvent } from '../../nearest-event.ts';
import { kimi } from './entry.ts';

/** A hook entry that passed the strict rule, as configured. */
export interface Entry {
  readonly event: string;
  readonly command: string;
  readonly matcher: string | undefined;
  /** Whole seconds. */
  readonly timeout: number;
}

/** What is wrong with an entry: which of its keys (undefined: the entry as such), and why, for people. */
export interface Fault {
  readonly key: string | undefined;
  readonly why: string;
}

export type Checked =
  | { readonly kind: 'good'; readonly entry: Entry }
  /** `event` and `command` as far as the entry has them, so that it can still be shown. */
  | {
      readonly kind: 'bad';
      readonly faults: readonly Fault[];
      readonly event: string | undefined;
      readonly command: string;
    };

const defaultSeconds = 30;
const longestSeconds = 600;
const known = ['event', 'matcher', 'command', 'timeout'];

/**
 * Holds one entry of `hooks` against the strict rule: four fields and no other, each of its type (Kimi protocol, Config). The
 * faults come in the order of the engine's own checks. The same rule holds for config.toml and for plugins; what a
 * fault means differs.
 */
export function checkEntry(raw: unknown): Checked {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || raw instanceof Date) {
    const why = `an entry must be a table with event and command, but it is ${nameOf(raw)}`;
    return { kind: 'bad', faults: [{ key: undefined, why }], event: undefined, command: '' };
  }
  const { event, matcher, command, timeout } = raw as Record<string, unknown>;
  const faults = [
    ...faultOf('event', eventFault(event)),
    ...faultOf(
      'matcher',
      matcher === undefined || typeof matcher === 'string'
        ? undefined
        : `must be a string, but it is ${nameOf(matcher)}`,
    ),
    ...faultOf('command', commandFault(command)),
    ...faultOf('timeout', timeout === undefined ? undefined : timeoutFault(timeout)),
    ...Object.keys(raw)
      .filter((key) => !known.includes(key))
      .map((key) => ({ key, why: extraFault(key) })),
  ];
  if (faults.length > 0)
    return {
      kind: 'bad',
      faults,
      event: typeof event === 'string' && kimi.events.includes(event) ? event : undefined,
      command: typeof command === 'string' ? command : '',
    };
  return {
    kind: 'good',
    entry: {
      event: event as string,
      command: command as string,
      matcher: matcher as string | undefined,
      timeout: timeout === undefined ? defaultSeconds : (timeout as number),
    },
  };
}

const faultOf = (key: string, why: string | undefined): Fault[] => (why === undefined ? [] : [{ key, why }]);

function eventFault(event: unknown): string | undefined {
  if (event === undefined) return 'is missing';
  if (typeof event !== 'string') return `must be a string, but it is ${nameOf(event)}`;
  if (kimi.events.includes(event)) return undefined;
  const near = nearestEvent(event, kimi);
  return `${JSON.stringify(event)} is no event of Kimi Code${near === undefined ? '' : `; did you mean ${near}?`}`;
}

function commandFault(command: unknown): string | undefined {
  if (command === undefined) return 'is missing';
  if (typeof command !== 'string') return `must be a string, but it is ${nameOf(command)}`;
  return command === '' ? 'is empty' : undefined;
}

function timeoutFault(timeout: unknown): string | undefined {
  const isWhole = typeof timeout === 'number' && Number.isSafeInteger(timeout);
  if (isWhole && timeout >= 1 && timeout <= longestSeconds) return undefined;
  // Gemini CLI's timeouts are in milliseconds, and so are many that were carried over from there.
  const seconds = isWhole && timeout % 1000 === 0 ? timeout / 1000 : 0;
  const hint = seconds >= 1 && seconds <= longestSeconds ? `; ${timeout} milliseconds would be ${seconds}` : '';
  return `must be a whole number of seconds from 1 to ${longestSeconds}, but it is ${nameOf(timeout)}${hint}`;
}

/** Fields that other agents' hooks have. */
const foreignFields: Readonly<Record<string, string>> = {
  hooks:
    'a list of hooks under a matcher is how Claude Code and Gemini CLI write it; here each hook is an entry of its own',
  type: 'every hook is a command here',
  run: 'the field is called command',
  on_failure: 'a failed hook always allows in Kimi Code',
};

const extraFault = (key: string): string => {
  const hint = Object.hasOwn(foreignFields, key) ? `; ${foreignFields[key]}` : '';
  return `is not allowed: an entry has event, command, matcher and timeout, and no other field${hint}`;
};

/** What a TOML or JSON value is, for messages. */
export function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Date) return 'a date';
  if (typeof value === 'object') return 'a table';
  if (typeof value === 'string') return value.length > 40 ? 'a string' : `the string ${JSON.stringify(value)}`;
  return `the ${typeof value === 'boolean' ? 'boolean' : 'number'} ${String(value)}`;
}
