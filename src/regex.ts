import { cpuMs } from './clock.ts';
import { compilePattern, PatternError, type Program } from './regex-program.ts';
import { search } from './regex-search.ts';

/**
 * What `new RegExp(pattern).test(target)` says. `newer`: only since ECMAScript 2025 (Node 23); an agent on an older
 * Node takes such a pattern as invalid. `too-slow`: it did not come to an end within the budget (or within memory).
 */
export type RegexAnswer =
  | { kind: 'match' | 'no match'; newer?: true }
  | { kind: 'invalid'; why: string }
  | { kind: 'too-slow' };

export interface RegexBudget {
  /** Tests as the agent would: unanchored, no flags. Never throws, never takes longer than one pattern's slice of what is left. */
  test(pattern: string, target: string): RegexAnswer;
}

/** How long the matchers of one run may take, all together, in ms; the reserve for what comes after that is as much again. */
export const matcherBudgetMs = 250;

/** What one pattern may use of the budget, so that a slow one leaves something to those after it, and what of the reserve. */
const SLICE = 1 / 4;
const RESERVE_SLICE = 1 / 50;

/** Longer patterns are too slow: reading them is not interrupted by the clock. Plain ones are read by the engine, faster. */
const MAX_PATTERN = 16_384;
const MAX_PLAIN_PATTERN = 65_536;
/**
 * How many characters a plain pattern may at worst compare: some milliseconds for one, below a second for all. Making a
 * RegExp costs V8 about as much as comparing this many.
 */
const COST_OF_COMPILING = 20_000;
const MAX_DIRECT = 8_000_000;
const MAX_DIRECT_IN_ALL = 200_000_000;

/** What is nothing but a short word is tested for every hook anew, at no cost that would count. */
const SHORT = 64;
const SHORT_TARGET = 1024;
const WORD = /^\w+$/;
const MATCH: RegexAnswer = { kind: 'match' };
const NO_MATCH: RegexAnswer = { kind: 'no match' };

/**
 * Whether a pattern is made of nothing but ASCII literals, `|`, `^`, `$`, at most two `.*` and escaped punctuation.
 * Such a pattern answers alike in JavaScript and in Rust's regex (but for line ends in the target), and cannot run
 * away on a short target.
 */
export function isPlain(pattern: string): boolean {
  return anythings(pattern) !== undefined;
}

/**
 * Returns a tester that spends at most `ms` milliseconds over all its tests together, by the clock `now`, and at most a
 * slice of them on one pattern. When they are spent, a reserve of as much again answers what is cheap: a few slow matchers
 * must not switch off an innocent guard that comes after them. When that is gone too, plain patterns are still answered,
 * as far as they are cheap, and others are 'too-slow'. The limit is design.md's, for matchers that come from repositories.
 *
 * Patterns that are not plain are run by regex-search.ts, not by the engine's RegExp under a `node:vm` timeout: bun does
 * not interrupt a compiled regex (1.4.5 was still at `.*.*.*.*.*x` after 15 seconds), and the syntax would depend on the build.
 */
export function createRegexBudget(ms = matcherBudgetMs, now: () => number = cpuMs): RegexBudget {
  let left = ms;
  let reserve = ms;
  let directLeft = MAX_DIRECT_IN_ALL;
  const answers = new Map<string, Map<string, RegexAnswer>>();

  function testLiterally(pattern: string, target: string): RegexAnswer | undefined {
    const cost = (pattern.length + 1) * (target.length + 1);
    if (pattern.length > MAX_PLAIN_PATTERN || cost > MAX_DIRECT || cost > directLeft) return undefined;
    const found = holdsLiteral(pattern, target);
    if (found === undefined) return undefined;
    directLeft -= cost;
    return { kind: found ? 'match' : 'no match' };
  }

  function testDirectly(pattern: string, target: string): RegexAnswer | undefined {
    const cost = COST_OF_COMPILING + directCost(pattern, target);
    if (pattern.length > MAX_PLAIN_PATTERN || cost > MAX_DIRECT || cost > directLeft) return undefined;
    directLeft -= cost;
    try {
      return { kind: new RegExp(pattern).test(target) ? 'match' : 'no match' };
    } catch {
      // Never the syntax, but V8 finds only when it first runs one that a pattern is too long for its stack.
      return undefined;
    }
  }

  function testSearching(pattern: string, target: string): RegexAnswer {
    if (pattern.length > MAX_PATTERN) return { kind: 'too-slow' };
    // A rest that is smaller than a slice of the reserve is no chance for anybody.
    const isReserve = left <= ms * RESERVE_SLICE;
    const slice = isReserve ? Math.min(reserve, ms * RESERVE_SLICE) : Math.min(left, ms * SLICE);
    if (slice <= 0) return { kind: 'too-slow' };
    const start = now();
    try {
      return searchWithin(pattern, target, () => now() - start < slice);
    } finally {
      const spent = now() - start;
      if (isReserve) reserve -= spent;
      else left -= spent;
    }
  }

  return {
    test(pattern, target) {
      // A name, as most matchers are: there is nothing to be kept that would be found faster.
      if (pattern.length <= SHORT && target.length <= SHORT_TARGET && WORD.test(pattern))
        return target.includes(pattern) ? MATCH : NO_MATCH;
      // Hooks often share a matcher, and a catastrophic one should use up its time only once.
      const known = answers.get(target) ?? new Map<string, RegexAnswer>();
      answers.set(target, known);
      const answer =
        known.get(pattern) ??
        testLiterally(pattern, target) ??
        testDirectly(pattern, target) ??
        testSearching(pattern, target);
      known.set(pattern, answer);
      return answer;
    },
  };
}

// --- internal ---

function searchWithin(pattern: string, target: string, goOn: () => boolean): RegexAnswer {
  let program: Program;
  try {
    program = compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { kind: 'invalid', why: error.message };
  }
  const found = goOn() ? search(program, target, goOn) : undefined;
  if (found === undefined) return { kind: 'too-slow' };
  const kind = found ? 'match' : 'no match';
  return program.newer ? { kind, newer: true } : { kind };
}

/**
 * The answer for a pattern that is nothing but literals, between `|`, with `^` and `$` only at their ends; undefined for another.
 * No RegExp is made for it: a settings file may hold a hundred thousand of them.
 */
function holdsLiteral(pattern: string, target: string): boolean | undefined {
  if (anythings(pattern) !== 0 || pattern.includes('\\')) return undefined;
  let found = false;
  for (const alternative of pattern.split('|')) {
    const starts = alternative.startsWith('^');
    const ends = alternative.length > (starts ? 1 : 0) && alternative.endsWith('$');
    const literal = alternative.slice(starts ? 1 : 0, ends ? -1 : undefined);
    if (/[$^]/.test(literal)) return undefined;
    found ||= starts
      ? ends
        ? target === literal
        : target.startsWith(literal)
      : ends
        ? target.endsWith(literal)
        : target.includes(literal);
  }
  return found;
}

/** The most characters that a plain pattern can compare: from each start, each `.*` may end anywhere. Infinity if not plain. */
function directCost(pattern: string, target: string): number {
  const count = anythings(pattern);
  if (count === undefined) return Number.POSITIVE_INFINITY;
  return (pattern.length + 1) * (target.length + 1) ** (count + 1);
}

const DOT = 0x2e;
const STAR = 0x2a;
const BACKSLASH = 0x5c;
const META = '\\.*+?()[]{}';

/** Printable ASCII that stands for itself in a pattern. */
function isLiteral(code: number): boolean {
  return code >= 0x20 && code <= 0x7e && !META.includes(String.fromCharCode(code));
}

/** Punctuation that both languages take behind a backslash: not `<` and `>`, which make edges of words in Rust's regex. */
function isEscapable(code: number): boolean {
  const isLetterOrDigit = /[0-9A-Za-z]/.test(String.fromCharCode(code));
  return code > 0x20 && code <= 0x7e && code !== 0x3c && code !== 0x3e && !isLetterOrDigit;
}

/** How many `.*` a plain pattern has; undefined if the pattern is not plain. */
function anythings(pattern: string): number | undefined {
  let count = 0;
  for (let i = 0; i < pattern.length; i++) {
    const code = pattern.charCodeAt(i);
    if (code === DOT) {
      if (pattern.charCodeAt(++i) !== STAR || ++count > 2) return undefined;
    } else if (code === BACKSLASH) {
      if (!isEscapable(pattern.charCodeAt(++i))) return undefined;
    } else if (!isLiteral(code)) return undefined;
  }
  return count;
}
