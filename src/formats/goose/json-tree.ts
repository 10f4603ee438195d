/**
 * JSON as a tree that still knows how things were written. goose reads its files with a parser that sees what JSON.parse hides:
 * keys that stand twice, `30.0` for 30, a lone surrogate, a number that is none (goose corners 19 to 21, 39, 40).
 */

export type JsonNode =
  | { readonly kind: 'string'; readonly at: number; readonly value: string }
  | { readonly kind: 'number'; readonly at: number; readonly text: string }
  | { readonly kind: 'word'; readonly at: number; readonly value: true | false | null }
  | { readonly kind: 'array'; readonly at: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'object'; readonly at: number; readonly members: readonly Member[] };

export type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

export interface Member {
  readonly key: string;
  readonly keyAt: number;
  readonly value: JsonNode;
}

type Open = { items: JsonNode[] } | { members: Member[]; key: { text: string; at: number } | undefined };

const words: Readonly<Record<string, true | false | null>> = { true: true, false: false, null: null };

/**
 * The tree of a text that JSON.parse has accepted; of another text it is not defined, but the call ends. `at` is an offset into the text.
 * Keeps its own stack, since a text may be nested some hundred thousand levels deep.
 */
export function readTree(text: string): JsonNode {
  const open: Open[] = [];
  let root: JsonNode | undefined;
  const place = (node: JsonNode): void => {
    const top = open.at(-1);
    if (top === undefined) root = node;
    else if ('items' in top) top.items.push(node);
    else {
      top.members.push({ key: top.key?.text ?? '', keyAt: top.key?.at ?? node.at, value: node });
      top.key = undefined;
    }
  };
  let at = 0;
  while (at < text.length && (root === undefined || open.length > 0)) {
    const char = text[at]!;
    if (char === '{') {
      const members: Member[] = [];
      place({ kind: 'object', at, members });
      open.push({ members, key: undefined });
      at += 1;
    } else if (char === '[') {
      const items: JsonNode[] = [];
      place({ kind: 'array', at, items });
      open.push({ items });
      at += 1;
    } else if (char === '}' || char === ']') {
      open.pop();
      at += 1;
    } else if (char === '"') {
      const end = endOfString(text, at);
      const value = unquote(text.slice(at, end));
      const top = open.at(-1);
      if (top !== undefined && 'members' in top && top.key === undefined) top.key = { text: value, at };
      else place({ kind: 'string', at, value });
      at = end;
    } else if (' \t\n\r,:'.includes(char)) at += 1;
    else {
      const end = endOfScalar(text, at);
      const written = text.slice(at, end);
      if (Object.hasOwn(words, written)) place({ kind: 'word', at, value: words[written]! });
      else place({ kind: 'number', at, text: written });
      at = end;
    }
  }
  return root ?? { kind: 'word', at: 0, value: null };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfScalar(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !' \t\n\r,:{}[]"'.includes(text[at]!)) at += 1;
  return at;
}

const unquote = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

/** The last member of this name, which is the one that counts wherever a name may stand twice. */
export function member(node: ObjectNode, key: string): JsonNode | undefined {
  return node.members.findLast((one) => one.key === key)?.value;
}

export const isNull = (node: JsonNode): boolean => node.kind === 'word' && node.value === null;

/** A half of a surrogate pair alone: goose's parser refuses it in every text that it keeps. */
export const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text);

/** What a node is, for messages. */
export function describeNode(node: JsonNode): string {
  switch (node.kind) {
    case 'array':
      return 'an array';
    case 'object':
      return 'an object';
    case 'string':
      return node.value.length > 40 ? 'a string' : `the string ${JSON.stringify(node.value)}`;
    case 'number':
      return `the number ${node.text.length > 40 ? `${node.text.slice(0, 40)}…` : node.text}`;
    case 'word':
      return String(node.value);
  }
}

/** How deep goose's parser goes: the 128th level is one too many (goose corner 21). */
const deepest = 127;

/** Something in a value that goose's parser refuses though it is JSON. */
export interface Flaw {
  readonly at: number;
  readonly why: string;
}

/**
 * The first thing in a value that goose's parser refuses when it keeps the value: a lone surrogate, a number beyond a double, too many
 * levels (goose corner 21). `depth` is the level that the value itself stands on, counted from 1.
 */
export function flawIn(node: JsonNode, depth: number): Flaw | undefined {
  switch (node.kind) {
    case 'string':
      return hasLoneSurrogate(node.value) ? { at: node.at, why: 'half of a surrogate pair in a string' } : undefined;
    case 'number':
      return Number.isFinite(Number(node.text)) ? undefined : { at: node.at, why: 'a number that is too large' };
    case 'word':
      return undefined;
  }
  if (depth > deepest) return { at: node.at, why: 'more than 127 levels' };
  if (node.kind === 'array') {
    for (const item of node.items) {
      const flaw = flawIn(item, depth + 1);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  }
  for (const { key, keyAt, value } of node.members) {
    if (hasLoneSurrogate(key)) return { at: keyAt, why: 'half of a surrogate pair in a key' };
    const flaw = flawIn(value, depth + 1);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}
