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

/** What is left to Rust's engine, and what it has answered, by the budget that the caller keeps for all matchers of its run. */
const asked = new WeakMap<RegexBudget, { readonly left: Allowance; readonly answers: Map<string, RustAnswer> }>();

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
  const known = asked.get(regexes) ?? { left: { compiling: compileMs, searching: searchMs }, answers: new Map() };
  asked.set(regexes, known);
  // Rules often share a matcher, and one that is too slow should use up its time only once.
  const question = JSON.stringify([matcher, target]);
  const answer = known.answers.get(question) ?? testRust(matcher, target, known.left);
  known.answers.set(question, answer);
  return answer;
}

/** Whether goose's engine takes a matcher at all. */
export function isValidMatcher(matcher: string): boolean {
  return (
    parsePlain(matcher) !== undefined ||
    testRust(matcher, undefined, { compiling: compileMs, searching: 0 }).kind !== 'invalid'
  );
}
