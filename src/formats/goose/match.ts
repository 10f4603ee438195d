import type { RegexBudget } from '../../regex.ts';
import type { HookEvent } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import type { MatchAnswer } from '../format.ts';
import type { GooseHook } from './detail.ts';
import { matchesPlain, parsePlain } from './plain-pattern.ts';
import { type RustAnswer, testRust } from './rust-regex.ts';
import { say } from './words.ts';

/** How long all of an event's matchers together may take, in ms. */
const budgetMs = 250;
/** How long the check of a single matcher may take where only its validity is asked, in ms. */
const checkMs = 1000;

/** What a run of hookrun has spent on Rust's engine, in ms, by the budget that it was handed for its matchers. */
const spent = new WeakMap<RegexBudget, number>();

/** Whether a hook is for this event: an unanchored search, against the empty string where the event has no target (goose, "Matching"). */
export function matches(hook: GooseHook, event: HookEvent, regexes: RegexBudget): MatchAnswer {
  const { matcher } = hook;
  if (matcher === undefined) return { kind: 'match' };
  const answer = testWithin(matcher, event.target ?? '', regexes);
  if (answer.kind === 'match' || answer.kind === 'no match') return { kind: answer.kind };
  const place = { path: hook.source.path, key: hook.source.key.replace(/\.hooks\[\d+\]$/, '.matcher') };
  const problem =
    answer.kind === 'too-slow'
      ? sayStage('matcher-too-slow', place, matcher.slice(0, 100), budgetMs)
      : matcher === '*'
        ? say('goose-matcher-star', place)
        : say('goose-matcher-invalid', place, matcher.slice(0, 100), answer.why);
  // A rule is skipped as a whole, so it is said once, with its first action.
  const problems = hook.detail.first ? [problem] : [];
  return { kind: 'off', off: { why: 'invalid', detail: problem.message }, problems };
}

function testWithin(matcher: string, target: string, regexes: RegexBudget): RustAnswer {
  const plain = parsePlain(matcher);
  if (plain !== undefined) return { kind: matchesPlain(plain, target) ? 'match' : 'no match' };
  const before = spent.get(regexes) ?? 0;
  const began = performance.now();
  const answer = testRust(matcher, target, budgetMs - before);
  spent.set(regexes, before + performance.now() - began);
  return answer;
}

/** Whether goose's engine takes a matcher at all. */
export function isValidMatcher(matcher: string): boolean {
  return parsePlain(matcher) !== undefined || testRust(matcher, undefined, checkMs).kind !== 'invalid';
}
