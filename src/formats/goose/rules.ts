/** The rules of one event, by goose's loading rules. Whatever refuses the whole file is thrown as a `Refusal`. */

import { noteKeys, noteMatcher, noteTimeout } from './foreign.ts';
import { describeNode, isNull, type JsonNode, member, type ObjectNode } from './json-tree.ts';
import type { Code } from './words.ts';

export interface Action {
  readonly command: string;
  /** Seconds, up to 2^64-1. */
  readonly timeout: bigint;
  readonly onFailure: 'allow' | 'block';
  /** For people: `hooks.PreToolUse[0].hooks[1]`. */
  readonly key: string;
  /** Offset in the file. */
  readonly at: number;
  /** Place in the list, counted from 0 and with the ignored ones. */
  readonly index: number;
}

export interface Rule {
  readonly event: string;
  /** undefined: none, or an empty one, which is the same. */
  readonly matcher: string | undefined;
  readonly index: number;
  readonly actions: readonly Action[];
}

/** Why a whole hooks.json is skipped. */
export class Refusal extends Error {
  readonly key: string;
  readonly at: number;
  constructor(key: string, at: number, message: string) {
    super(message);
    this.key = key;
    this.at = at;
  }
}

/** Takes a code, the key, the offset and the arguments of the sentence. */
export type Note = (code: Code, key: string, at: number, ...args: string[]) => void;

const defaultTimeout = 30n;
const longestTimeout = 2n ** 64n - 1n;

/**
 * The rules of an event that goose knows. Order of the checks: shape of all rules, then of each rule its actions (type, command, timeout),
 * then its matcher, then `on_failure`. Throws `Refusal`.
 */
export function parseRules(event: string, value: JsonNode, note: Note, isValid: (matcher: string) => boolean): Rule[] {
  const at = `hooks.${event}`;
  if (value.kind !== 'array') throw wrong(at, value, 'a list of rules');
  const shapes = value.items.map((item, index) => readShape(item, `${at}[${index}]`));
  return shapes.flatMap(({ matcher, actions, node, key }, index): Rule[] => {
    const selected = actions.flatMap((action, place): Selected[] => {
      const one = readAction(action, `${key}.hooks[${place}]`, place, note);
      return one === undefined ? [] : [one];
    });
    if (node.kind === 'object') noteKeys('rule', node, key, note);
    if (selected.length === 0) return [];
    noteMatcher(event, matcher, key, node.at, note);
    const onFailure = readOnFailures(event, matcher, selected, isValid);
    const read = selected.map((one, place): Action => {
      const { command, timeout, node: action, key: actionKey, index: number } = one;
      return { command, timeout, onFailure: onFailure[place]!, key: actionKey, at: action.at, index: number };
    });
    return [{ event, matcher, index, actions: read }];
  });
}

interface Shape {
  readonly matcher: string | undefined;
  readonly actions: readonly JsonNode[];
  readonly node: JsonNode;
  readonly key: string;
}

/** A rule is an object, or an array of its matcher and its actions, which may be shorter. */
function readShape(node: JsonNode, key: string): Shape {
  if (node.kind === 'array') {
    const [matcher, actions, third] = node.items;
    if (third !== undefined)
      throw new Refusal(key, third.at, 'a rule given as an array has a matcher and actions, nothing more');
    return { matcher: readMatcher(matcher, key), actions: readActions(actions, key), node, key };
  }
  if (node.kind !== 'object') throw wrong(key, node, 'an object');
  const matcher = readMatcher(member(node, 'matcher'), `${key}.matcher`);
  return { matcher, actions: readActions(member(node, 'hooks'), `${key}.hooks`), node, key };
}

function readMatcher(node: JsonNode | undefined, key: string): string | undefined {
  if (node === undefined || isNull(node)) return undefined;
  if (node.kind !== 'string') throw wrong(key, node, 'a string');
  return node.value === '' ? undefined : node.value;
}

function readActions(node: JsonNode | undefined, key: string): readonly JsonNode[] {
  if (node === undefined) return [];
  if (node.kind !== 'array') throw wrong(key, node, 'a list of actions');
  return node.items;
}

interface Selected {
  readonly command: string;
  readonly timeout: bigint;
  readonly node: ObjectNode;
  readonly key: string;
  readonly index: number;
}

/** An action that goose would run; undefined for one that it ignores. */
function readAction(node: JsonNode, key: string, index: number, note: Note): Selected | undefined {
  if (node.kind !== 'object') throw wrong(key, node, 'an object');
  const type = member(node, 'type');
  if (type !== undefined && !isNull(type)) {
    if (type.kind !== 'string') throw wrong(`${key}.type`, type, 'a string');
    if (type.value !== 'command') {
      note('goose-action-type', `${key}.type`, type.at, type.value);
      return undefined;
    }
  }
  noteKeys('action', node, key, note);
  const command = member(node, 'command');
  if (command === undefined || isNull(command)) {
    note('goose-action-without-command', key, node.at);
    return undefined;
  }
  if (command.kind !== 'string') throw wrong(`${key}.command`, command, 'a string');
  const timeout = readTimeout(member(node, 'timeout'), `${key}.timeout`);
  noteTimeout(timeout, `${key}.timeout`, node.at, note);
  return { command: command.value, timeout, node, key, index };
}

/** Whole seconds as they are written: `30.0` and `3e1` are refused (goose corner 20). */
function readTimeout(node: JsonNode | undefined, key: string): bigint {
  if (node === undefined || isNull(node)) return defaultTimeout;
  const seconds = node.kind === 'number' && /^\d+$/.test(node.text) ? BigInt(node.text) : undefined;
  if (seconds === undefined || seconds > longestTimeout)
    throw wrong(key, node, 'a whole number of seconds, written without point or exponent');
  return seconds;
}

/** `on_failure` counts on PreToolUse only; under an invalid matcher it is not read any more. */
function readOnFailures(
  event: string,
  matcher: string | undefined,
  actions: readonly Selected[],
  isValid: (matcher: string) => boolean,
): readonly ('allow' | 'block')[] {
  if (event !== 'PreToolUse') return actions.map(() => 'allow' as const);
  const modes = actions.map(({ node }) => readOnFailure(member(node, 'on_failure')));
  const bad = modes.indexOf(undefined);
  if (bad === -1) return modes as ('allow' | 'block')[];
  if (matcher !== undefined && !isValid(matcher)) return modes.map((mode) => mode ?? 'allow');
  const { node, key } = actions[bad]!;
  throw wrong(`${key}.on_failure`, member(node, 'on_failure')!, '"allow" or "block"');
}

function readOnFailure(node: JsonNode | undefined): 'allow' | 'block' | undefined {
  if (node === undefined) return 'allow';
  if (node.kind === 'object' && node.members.length > 0) {
    const [key] = node.members.map((one) => one.key);
    const isUnit = node.members.every((one) => one.key === key) && isNull(member(node, key!)!);
    return isUnit ? asMode(key!) : undefined;
  }
  return node.kind === 'string' ? asMode(node.value) : undefined;
}

const asMode = (text: string): 'allow' | 'block' | undefined =>
  text === 'allow' || text === 'block' ? text : undefined;

function wrong(key: string, node: JsonNode, expected: string): Refusal {
  return new Refusal(key, node.at, `${key} must be ${expected}, but it is ${describeNode(node)}`);
}
