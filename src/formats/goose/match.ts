import type { Problem } from '../../problems.ts';
import type { RegexBudget } from '../../regex.ts';
import type { HookEvent } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import type { MatchAnswer } from '../format.ts';
import type { GooseHook } from './detail.ts';
import { matchesPlain, parsePlain } from './plain-pattern.ts';
import { type Allowance, type RustAnswer, testRust } from './rust-regex.ts';
import { say } from './words.ts';

/** How long the searches of all of an event's matchers may take together, in ms. */
const searchMs = 250;
/** How long compiling all of them may take, in ms. goose itself compiles every matcher of every file, without a limit. */
const compileMs = 2000;

/** Time for many matchers, of which each may use at most a slice, so that a slow one leaves something to those after it; in ms. */
interface Pool {
  readonly left: Allowance;
  readonly slice: Readonly<Allowance>;
}

interface Asked {
  /** The reserve is for when the first is used up: it answers what is cheap, so that slow matchers switch off no innocent one. */
  readonly pools: { readonly first: Pool; readonly reserve: Pool };
  /** By text, then by matcher. */
  readonly answers: Map<string, Map<string, RustAnswer>>;
}

/**
 * The slices are what a search or a compilation needs at most (rust-regex.ts), alone on the machine; it is interrupted only after a
 * multiple of it, all of which is taken from the pool.
 */
const freshPools = (): Asked['pools'] => ({
  first: { left: { compiling: compileMs, searching: searchMs }, slice: { compiling: 500, searching: 15 } },
  reserve: { left: { compiling: 500, searching: searchMs }, slice: { compiling: 20, searching: 10 } },
});

/** What is left to Rust's engine, and what it has answered, by the budget that the caller keeps for all matchers of its run. */
const asked = new WeakMap<RegexBudget, Asked>();

/** Whether a hook is for this event: an unanchored search, against the empty string where the event has no target (goose, "Matching"). */
export function matches(hook: GooseHook, event: HookEvent, regexes: RegexBudget): MatchAnswer {
  const { matcher } = hook;
  if (matcher === undefined) return { kind: 'match' };
  const answer = testWithin(matcher, event.target ?? '', regexes);
  if (answer.kind === 'match' || answer.kind === 'no match') return { kind: answer.kind };
  const problem = problemOf(answer, matcher, hook);
  // A rule is skipped as a whole, so it is said once, with its first action.
  const problems = hook.detail.first ? [problem] : [];
  return { kind: 'off', off: { why: 'invalid', detail: problem.message }, problems };
}

function problemOf(
  answer: Extract<RustAnswer, { kind: 'invalid' | 'too-slow' }>,
  matcher: string,
  { source }: GooseHook,
): Problem {
  const place = { path: source.path, key: source.key.replace(/\.hooks\[\d+\]$/, '.matcher') };
  const shown = matcher.slice(0, 100);
  if (answer.kind === 'too-slow') return sayStage('matcher-too-slow', place, shown, searchMs);
  return matcher === '*' ? say('goose-matcher-star', place) : say('goose-matcher-invalid', place, shown, answer.why);
}

function testWithin(matcher: string, target: string, regexes: RegexBudget): RustAnswer {
  const plain = parsePlain(matcher);
  if (plain !== undefined) return { kind: matchesPlain(plain, target) ? 'match' : 'no match' };
  const known = asked.get(regexes) ?? { pools: freshPools(), answers: new Map() };
  asked.set(regexes, known);
  // Rules often share a matcher, and one that is too slow should use up its time only once.
  const answers = known.answers.get(target) ?? new Map<string, RustAnswer>();
  known.answers.set(target, answers);
  const answer = answers.get(matcher) ?? testWithSlice(matcher, target, known.pools);
  answers.set(matcher, answer);
  return answer;
}

function testWithSlice(matcher: string, target: string, { first, reserve }: Asked['pools']): RustAnswer {
  // A rest that is smaller than a slice of the reserve is no chance for anybody.
  const from = (purpose: keyof Allowance): Pool => (first.left[purpose] > reserve.slice[purpose] ? first : reserve);
  const pools = { compiling: from('compiling'), searching: from('searching') };
  const sliceOf = (purpose: keyof Allowance): number =>
    Math.min(pools[purpose].left[purpose], pools[purpose].slice[purpose]);
  const given = { compiling: sliceOf('compiling'), searching: sliceOf('searching') };
  const left = { ...given };
  const answer = testRust(matcher, target, left);
  for (const purpose of ['compiling', 'searching'] as const)
    pools[purpose].left[purpose] -= given[purpose] - left[purpose];
  return answer;
}

/** Whether goose's engine takes a matcher at all. */
export function isValidMatcher(matcher: string): boolean {
  return (
    parsePlain(matcher) !== undefined ||
    testRust(matcher, undefined, { compiling: compileMs, searching: 0 }).kind !== 'invalid'
  );
}
