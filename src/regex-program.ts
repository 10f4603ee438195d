/**
 * A JavaScript pattern (no flags) made into steps for regex-search.ts. The syntax is ECMAScript 2025's with Annex B,
 * which is what `new RegExp(pattern)` takes in a browser-like engine: modifiers such as `(?i:x)` and equal group names
 * in different alternatives included, whatever the engine below us knows of them.
 */

/** Steps, as numbers in one flat array: an operation, then its operands. */
export const OP = {
  /** The whole pattern has matched. */
  match: 0,
  /** code: this code unit comes next. The `Back` forms read backwards, inside a look-behind. */
  char: 1,
  charBack: 2,
  /** set: a code unit of this set comes next. */
  set: 3,
  setBack: 4,
  /** target: go on; if that fails, go on at the target. */
  split: 5,
  jump: 6,
  start: 7,
  end: 8,
  lineStart: 9,
  lineEnd: 10,
  wordEdge: 11,
  notWordEdge: 12,
  /** register: note where a group begins. */
  open: 13,
  /** register, group, back: the group's capture is from there to here. */
  close: 14,
  /** references: repeats what a group has captured. */
  reference: 15,
  /** set, min, max, greedy, back, number of the run: a repeated single character. */
  run: 16,
  /** counter: no iteration yet. */
  zero: 17,
  /** counter, min, max, greedy, exit: another iteration, or go on at the exit? */
  loop: 18,
  /** counter, register, first group, end of groups: an iteration begins. */
  iterate: 19,
  /** counter, register, min: an iteration ends; beyond `min` it must not have been empty. */
  iterated: 20,
  /** height register, position register: a look-around begins. */
  look: 21,
  looked: 22,
  /** height register, exit: a negated look-around begins. */
  lookNot: 23,
  lookedNot: 24,
} as const;

export interface Program {
  readonly code: readonly number[];
  readonly sets: readonly CharSet[];
  readonly references: readonly Reference[];
  /** Captures come first among the registers: start and end of group n are registers 2n-2 and 2n-1. */
  readonly registers: number;
  readonly runs: number;
  /** Whether the pattern uses syntax that JavaScript has only had since ECMAScript 2025 (Node 23). */
  readonly newer: boolean;
}

/** The groups, of which at most one has captured something, and how to compare with it. */
export interface Reference {
  readonly groups: readonly number[];
  readonly ignoreCase: boolean;
  readonly back: boolean;
}

/** A pattern that JavaScript does not take. The message says why, without naming the pattern. */
export class PatternError extends Error {}

/** V8 limits nesting by its stack, at some thousands. A limit of our own is the same in every build. */
const MAX_DEPTH = 1000;
/** V8's: larger numbers in braces mean this one. */
const MAX_REPEAT = 2 ** 31 - 1;

/**
 * Compiles a pattern. Takes time and space linear in its length: repetitions are counted, not unrolled.
 *
 * @throws PatternError if the pattern is not valid
 */
export function compilePattern(pattern: string): Program {
  const parsed = new Parser(pattern).parse();
  return new Emitter(parsed).program(parsed);
}

// --- internal: sets of code units ---

/** A set of UTF-16 code units: without the u flag they are what a pattern matches. */
export class CharSet {
  readonly #low = new Uint8Array(256);
  /** First and last of each range, in order. */
  readonly #ranges: readonly number[];

  constructor(ranges: readonly number[]) {
    this.#ranges = ranges;
    for (let i = 0; i < ranges.length; i += 2) {
      for (let code = ranges[i]!; code <= Math.min(ranges[i + 1]!, 255); code++) this.#low[code] = 1;
    }
  }

  /** NaN, which charCodeAt gives outside a string, is in no set. */
  has(code: number): boolean {
    if (code < 256) return this.#low[code] === 1;
    if (!(code <= 0xffff)) return false;
    let from = 0;
    let to = this.#ranges.length >> 1;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (code < this.#ranges[2 * middle]!) to = middle;
      else if (code > this.#ranges[2 * middle + 1]!) from = middle + 1;
      else return true;
    }
    return false;
  }
}

function normalized(ranges: readonly number[]): number[] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i]!, ranges[i + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const result: number[] = [];
  for (const [first, last] of pairs) {
    const end = result.at(-1);
    if (end !== undefined && first <= end + 1) result[result.length - 1] = Math.max(end, last);
    else result.push(first, last);
  }
  return result;
}

function inverted(ranges: readonly number[]): number[] {
  const result: number[] = [];
  let from = 0;
  const sorted = normalized(ranges);
  for (let i = 0; i < sorted.length; i += 2) {
    if (sorted[i]! > from) result.push(from, sorted[i]! - 1);
    from = sorted[i + 1]! + 1;
  }
  if (from <= 0xffff) result.push(from, 0xffff);
  return result;
}

/**
 * ECMAScript's Canonicalize for patterns without the u flag: upper case, as long as that is one code unit and does
 * not turn a non-ASCII letter into an ASCII one (so the Kelvin sign is no k).
 */
export function canonical(code: number): number {
  if (code < 128) return code >= 0x61 && code <= 0x7a ? code - 0x20 : code;
  const upper = String.fromCharCode(code).toUpperCase();
  if (upper.length !== 1) return code;
  return upper.charCodeAt(0) < 128 ? code : upper.charCodeAt(0);
}

/** Non-ASCII code units that share their canonical form with another: each with all of its family. Built when first needed, some milliseconds. */
let families: [code: number, family: number[]][] | undefined;

function caseFamilies(): [code: number, family: number[]][] {
  if (families !== undefined) return families;
  const byCanonical = new Map<number, number[]>();
  for (let code = 128; code <= 0xffff; code++) {
    const key = canonical(code);
    const family = byCanonical.get(key);
    if (family === undefined) byCanonical.set(key, [code]);
    else family.push(code);
  }
  families = [];
  for (const family of byCanonical.values()) {
    if (family.length > 1) for (const code of family) families.push([code, family]);
  }
  return families;
}

/** The ranges with every code unit that differs from one of theirs only in case. ASCII and the rest never mix. */
function withBothCases(ranges: readonly number[]): number[] {
  const sorted = normalized(ranges);
  const all = [...sorted];
  for (let i = 0; i < sorted.length; i += 2) {
    for (let code = sorted[i]!; code <= Math.min(sorted[i + 1]!, 127); code++) {
      const flipped = code ^ 0x20;
      if (canonical(code) === canonical(flipped)) all.push(flipped, flipped);
    }
  }
  if ((sorted.at(-1) ?? 0) >= 128) {
    const set = new CharSet(sorted);
    for (const [code, family] of caseFamilies()) {
      if (set.has(code)) for (const other of family) if (!set.has(other)) all.push(other, other);
    }
  }
  return normalized(all);
}

const DIGITS = [0x30, 0x39];
const WORD = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const LINE_ENDS = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];
const SPACES = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f,
  0x3000, 0x3000, 0xfeff, 0xfeff,
];
const CLASS_ESCAPES: Readonly<Record<string, readonly number[]>> = {
  d: DIGITS,
  D: inverted(DIGITS),
  s: SPACES,
  S: inverted(SPACES),
  w: WORD,
  W: inverted(WORD),
};
const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d };

// --- internal: pattern to tree ---

type Node =
  | { kind: 'char'; code: number }
  | { kind: 'set'; ranges: readonly number[] }
  | { kind: 'sequence'; items: Node[] }
  | { kind: 'either'; items: Node[] }
  | { kind: 'group'; index: number; body: Node }
  | { kind: 'reference'; to: number | string; ignoreCase: boolean }
  | { kind: 'assert'; op: number }
  | { kind: 'look'; behind: boolean; negated: boolean; body: Node }
  | { kind: 'repeat'; body: Node; min: number; max: number; greedy: boolean; firstGroup: number; endGroup: number };

interface Parsed {
  readonly tree: Node;
  readonly groups: number;
  readonly names: ReadonlyMap<string, readonly number[]>;
  readonly newer: boolean;
}

interface Modes {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
}

class Parser {
  readonly #text: string;
  readonly #groups: number;
  /** With a group name anywhere, `\k` is a reference everywhere. */
  readonly #named: boolean;
  readonly #names = new Map<string, number[]>();
  readonly #referred = new Set<string>();
  #at = 0;
  #opened = 0;
  #depth = 0;
  #newer = false;

  constructor(text: string) {
    this.#text = text;
    const { groups, named } = countGroups(text);
    this.#groups = groups;
    this.#named = named;
  }

  parse(): Parsed {
    const { tree } = this.#disjunction({ i: false, m: false, s: false });
    if (this.#at < this.#text.length) throw new PatternError('unmatched )');
    for (const name of this.#referred) {
      if (!this.#names.has(name)) throw new PatternError(`\\k<${name}> refers to no group`);
    }
    return { tree, groups: this.#groups, names: this.#names, newer: this.#newer };
  }

  #has(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#has(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** What a sticky expression finds here, stepped over; undefined if it does not. */
  #takeMatch(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found === null) return undefined;
    this.#at = sticky.lastIndex;
    return found;
  }

  /** Up to the closing parenthesis or the end. `names` are the group names inside, for the rule on equal ones. */
  #disjunction(modes: Modes): { tree: Node; names: Set<string> } {
    if (++this.#depth > MAX_DEPTH) throw new PatternError(`groups nested more than ${MAX_DEPTH} deep`);
    const items: Node[] = [];
    let names = new Set<string>();
    do {
      const alternative = this.#alternative(modes);
      items.push(alternative.tree);
      names = union(names, alternative.names);
    } while (this.#take('|'));
    this.#depth--;
    return { tree: items.length === 1 ? items[0]! : { kind: 'either', items }, names };
  }

  #alternative(modes: Modes): { tree: Node; names: Set<string> } {
    const items: Node[] = [];
    let names = new Set<string>();
    while (this.#at < this.#text.length && !this.#has('|') && !this.#has(')')) {
      const firstGroup = this.#opened + 1;
      const term = this.#term(modes);
      for (const name of term.names ?? []) {
        // Only groups of which one run can enter just one may share a name: those in different alternatives.
        if (names.has(name)) throw new PatternError(`two groups are named ${name}`);
      }
      if (term.names !== undefined) names = union(names, term.names);
      items.push(term.repeatable ? this.#quantified(term.tree, firstGroup) : term.tree);
    }
    return { tree: items.length === 1 ? items[0]! : { kind: 'sequence', items }, names };
  }

  #quantified(body: Node, firstGroup: number): Node {
    const found = this.#takeMatch(/(?:([*+?])|\{([0-9]+)(,([0-9]*))?\})(\??)/y);
    if (found === undefined) return body;
    const [, sign, least, comma, most, lazy] = found;
    const min = sign === undefined ? clamped(least!) : sign === '+' ? 1 : 0;
    let max = MAX_REPEAT;
    if (sign === '?') max = 1;
    else if (sign === undefined && comma === undefined) max = min;
    else if (most) max = clamped(most);
    if (min > max) throw new PatternError('numbers out of order in {} quantifier');
    return { kind: 'repeat', body, min, max, greedy: lazy === '', firstGroup, endGroup: this.#opened + 1 };
  }

  #term(modes: Modes): { tree: Node; repeatable: boolean; names?: Set<string> } {
    const once = (op: number) => ({ tree: { kind: 'assert', op } as const, repeatable: false });
    const set = (ranges: readonly number[]) => ({ tree: { kind: 'set', ranges } as const, repeatable: true });
    const { i: ignoreCase } = modes;
    const char = (code: number) => ({ tree: charNode(code, ignoreCase), repeatable: true });

    // Only `*`, `+`, `?` and well-formed braces are quantifiers; any other brace stands for itself (Annex B).
    if (this.#takeMatch(/[*+?]|\{[0-9]+(?:,[0-9]*)?\}/y)) throw new PatternError('nothing to repeat');
    if (this.#take('^')) return once(modes.m ? OP.lineStart : OP.start);
    if (this.#take('$')) return once(modes.m ? OP.lineEnd : OP.end);
    if (this.#take('.')) return set(modes.s ? [0, 0xffff] : inverted(LINE_ENDS));
    if (this.#take('[')) return set(this.#class(ignoreCase));
    if (this.#take('(')) return this.#group(modes);
    if (!this.#take('\\')) return char(this.#text.charCodeAt(this.#at++));

    if (this.#take('b')) return once(OP.wordEdge);
    if (this.#take('B')) return once(OP.notWordEdge);
    const named = this.#takeMatch(/[dDsSwW]/y);
    // Every one of these sets has both cases of each of its letters already.
    if (named) return set(CLASS_ESCAPES[named[0]]!);
    if (this.#named && this.#take('k')) {
      if (!this.#take('<')) throw new PatternError('invalid named reference');
      const to = this.#name();
      this.#referred.add(to);
      return { tree: { kind: 'reference', to, ignoreCase }, repeatable: true };
    }
    const before = this.#at;
    const number = this.#takeMatch(/[1-9][0-9]*/y);
    if (number) {
      const to = clamped(number[0]);
      if (to <= this.#groups) return { tree: { kind: 'reference', to, ignoreCase }, repeatable: true };
      this.#at = before;
    }
    return char(this.#characterEscape(false));
  }

  /** A group's inside, from behind its opening parenthesis to behind the closing one. */
  #group(modes: Modes): { tree: Node; repeatable: boolean; names: Set<string> } {
    const close = () => {
      if (!this.#take(')')) throw new PatternError('unterminated group');
    };
    const look = this.#takeMatch(/\?(<?)([=!])/y);
    if (look) {
      const { tree: body, names } = this.#disjunction(modes);
      close();
      const behind = look[1] === '<';
      // Annex B lets a look-ahead be repeated, for old pages' sake; a look-behind came too late for that.
      return { tree: { kind: 'look', behind, negated: look[2] === '!', body }, repeatable: !behind, names };
    }
    if (this.#take('?<')) {
      const name = this.#name();
      const index = ++this.#opened;
      const known = this.#names.get(name);
      if (known === undefined) this.#names.set(name, [index]);
      else {
        known.push(index);
        this.#newer = true;
      }
      const { tree: body, names } = this.#disjunction(modes);
      close();
      if (names.has(name)) throw new PatternError(`two groups are named ${name}`);
      return { tree: { kind: 'group', index, body }, repeatable: true, names: names.add(name) };
    }
    let inner = modes;
    let index: number | undefined;
    if (this.#take('?')) inner = this.#modifiers(modes);
    else index = ++this.#opened;
    const { tree: body, names } = this.#disjunction(inner);
    close();
    return { tree: index === undefined ? body : { kind: 'group', index, body }, repeatable: true, names };
  }

  /** `:`, `i:`, `i-m:`, `-s:` …, from behind the question mark to behind the colon. */
  #modifiers(modes: Modes): Modes {
    const found = this.#takeMatch(/([ims]*)(-?)([ims]*):/y);
    if (found === undefined) throw new PatternError('invalid group');
    const [, on, minus, off] = found;
    const flags = on! + off!;
    if (minus === '-' && flags === '') throw new PatternError('invalid group: no flag to switch');
    if (new Set(flags).size < flags.length) throw new PatternError('invalid group: a flag stands twice');
    if (flags !== '') this.#newer = true;
    const mode = (flag: keyof Modes) => on!.includes(flag) || (modes[flag] && !off!.includes(flag));
    return { i: mode('i'), m: mode('m'), s: mode('s') };
  }

  /** A group's name, from behind `<` to behind `>`, unescaped. */
  #name(): string {
    const end = this.#text.indexOf('>', this.#at);
    if (end < 0) throw new PatternError('invalid group name');
    const name = this.#text
      .slice(this.#at, end)
      .replace(/\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]+)\})/g, (written, four?: string, braced?: string) => {
        const code = Number.parseInt((four ?? braced)!, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : written;
      });
    if (!/^[$_\p{ID_Start}](?:[$\p{ID_Continue}]|\u200c|\u200d)*$/u.test(name))
      throw new PatternError('invalid group name');
    this.#at = end + 1;
    return name;
  }

  /** A class, from behind its opening bracket to behind the closing one, as the ranges it matches. */
  #class(ignoreCase: boolean): readonly number[] {
    const isNegated = this.#take('^');
    const ranges: number[] = [];
    while (!this.#take(']')) {
      const first = this.#classAtom();
      const dash = this.#at;
      if (!this.#take('-') || this.#has(']')) {
        this.#at = dash;
        add(ranges, first);
        continue;
      }
      const last = this.#classAtom();
      if (typeof first === 'number' && typeof last === 'number') {
        if (first > last) throw new PatternError('range out of order in character class');
        ranges.push(first, last);
      } else {
        // `\w-z` is no range: the dash stands for itself (Annex B).
        add(ranges, first);
        add(ranges, last);
        add(ranges, 0x2d);
      }
    }
    const all = ignoreCase ? withBothCases(ranges) : normalized(ranges);
    return isNegated ? inverted(all) : all;
  }

  #classAtom(): number | readonly number[] {
    if (this.#at >= this.#text.length) throw new PatternError('unterminated character class');
    if (!this.#take('\\')) return this.#text.charCodeAt(this.#at++);
    const named = this.#takeMatch(/[dDsSwW]/y);
    if (named) return CLASS_ESCAPES[named[0]]!;
    if (this.#take('b')) return 0x08;
    if (this.#named && this.#has('k')) throw new PatternError('invalid escape');
    return this.#characterEscape(true);
  }

  /** The code unit that an escape stands for, from behind its backslash. */
  #characterEscape(inClass: boolean): number {
    if (this.#at >= this.#text.length) throw new PatternError('\\ at end of pattern');
    if (this.#has('c')) {
      const control = this.#takeMatch(inClass ? /c([A-Za-z0-9_])/y : /c([A-Za-z])/y);
      // Without its letter the backslash stands for itself, and the c is the next character (Annex B).
      return control ? control[1]!.charCodeAt(0) % 32 : 0x5c;
    }
    const hex = this.#takeMatch(/x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})/y);
    if (hex) return Number.parseInt((hex[1] ?? hex[2])!, 16);
    const octal = this.#takeMatch(/[0-3][0-7]{0,2}|[4-7][0-7]?/y);
    if (octal) return Number.parseInt(octal[0], 8);
    const letter = this.#text[this.#at]!;
    this.#at++;
    return CONTROL_ESCAPES[letter] ?? letter.charCodeAt(0);
  }
}

/** How many groups capture, and whether one has a name: needed before the pattern can be read. */
function countGroups(pattern: string): { groups: number; named: boolean } {
  let groups = 0;
  let named = false;
  for (const [found] of pattern.matchAll(/\\.|\[(?:[^\]\\]|\\.)*|\((?:\?(?:<(?![=!]))?)?/gs)) {
    if (found === '(?<') named = true;
    if (found === '(' || found === '(?<') groups++;
  }
  return { groups, named };
}

function clamped(digits: string): number {
  return Math.min(Number(digits), MAX_REPEAT);
}

function add(ranges: number[], atom: number | readonly number[]): void {
  if (typeof atom === 'number') ranges.push(atom, atom);
  else ranges.push(...atom);
}

function charNode(code: number, ignoreCase: boolean): Node {
  if (!ignoreCase) return { kind: 'char', code };
  const ranges = withBothCases([code, code]);
  return ranges.length === 2 && ranges[0] === ranges[1] ? { kind: 'char', code } : { kind: 'set', ranges };
}

/** Adds the smaller set to the larger: the sets of deep nests would else be copied at every level. */
function union(a: Set<string>, b: Set<string>): Set<string> {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const name of small) large.add(name);
  return large;
}

// --- internal: tree to steps ---

class Emitter {
  readonly #code: number[] = [];
  readonly #sets: CharSet[] = [];
  readonly #references: Reference[] = [];
  readonly #names: ReadonlyMap<string, readonly number[]>;
  #registers: number;
  #runs = 0;

  constructor(parsed: Parsed) {
    this.#names = parsed.names;
    this.#registers = 2 * parsed.groups;
  }

  program(parsed: Parsed): Program {
    this.#emit(parsed.tree, false);
    this.#code.push(OP.match);
    return {
      code: this.#code,
      sets: this.#sets,
      references: this.#references,
      registers: this.#registers,
      runs: this.#runs,
      newer: parsed.newer,
    };
  }

  /** `back` inside a look-behind, which matches its parts from the last to the first, each of them backwards. */
  #emit(node: Node, back: boolean): void {
    const code = this.#code;
    switch (node.kind) {
      case 'char':
        code.push(back ? OP.charBack : OP.char, node.code);
        return;
      case 'set':
        code.push(back ? OP.setBack : OP.set, this.#set(node.ranges));
        return;
      case 'sequence':
        for (const item of back ? node.items.toReversed() : node.items) this.#emit(item, back);
        return;
      case 'either':
        this.#either(node.items, back);
        return;
      case 'group': {
        const register = this.#registers++;
        code.push(OP.open, register);
        this.#emit(node.body, back);
        code.push(OP.close, register, node.index, back ? 1 : 0);
        return;
      }
      case 'reference': {
        const groups = typeof node.to === 'number' ? [node.to] : (this.#names.get(node.to) ?? []);
        code.push(OP.reference, this.#references.length);
        this.#references.push({ groups, ignoreCase: node.ignoreCase, back });
        return;
      }
      case 'assert':
        code.push(node.op);
        return;
      case 'look': {
        const height = this.#registers++;
        const other = node.negated ? 0 : this.#registers++;
        code.push(node.negated ? OP.lookNot : OP.look, height, other);
        const operand = code.length - 1;
        this.#emit(node.body, node.behind);
        if (node.negated) {
          code.push(OP.lookedNot, height);
          code[operand] = code.length;
        } else code.push(OP.looked, height, other);
        return;
      }
      case 'repeat':
        this.#repeat(node, back);
        return;
    }
  }

  #either(items: readonly Node[], back: boolean): void {
    const code = this.#code;
    const jumps: number[] = [];
    for (const [n, item] of items.entries()) {
      if (n === items.length - 1) {
        this.#emit(item, back);
        break;
      }
      code.push(OP.split, 0);
      const operand = code.length - 1;
      this.#emit(item, back);
      code.push(OP.jump, 0);
      jumps.push(code.length - 1);
      code[operand] = code.length;
    }
    for (const operand of jumps) code[operand] = code.length;
  }

  #repeat(node: Node & { kind: 'repeat' }, back: boolean): void {
    const { body, min, max } = node;
    const code = this.#code;
    const greedy = node.greedy ? 1 : 0;
    if (max === 0) return;
    if (body.kind === 'char' || body.kind === 'set') {
      const ranges = body.kind === 'char' ? [body.code, body.code] : body.ranges;
      code.push(OP.run, this.#set(ranges), min, max, greedy, back ? 1 : 0, this.#runs++);
      return;
    }
    const counter = this.#registers++;
    const register = this.#registers++;
    code.push(OP.zero, counter);
    const loop = code.length;
    code.push(OP.loop, counter, min, max, greedy, 0);
    const operand = code.length - 1;
    code.push(OP.iterate, counter, register, node.firstGroup, node.endGroup);
    this.#emit(body, back);
    code.push(OP.iterated, counter, register, min, OP.jump, loop);
    code[operand] = code.length;
  }

  #set(ranges: readonly number[]): number {
    return this.#sets.push(new CharSet(ranges)) - 1;
  }
}
