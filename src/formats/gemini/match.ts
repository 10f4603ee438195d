import { describe } from '../../payload.ts';
import type { Place } from '../../problems.ts';
import { matcherBudgetMs, type RegexBudget } from '../../regex.ts';
import type { HookEvent } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import type { MatchAnswer } from '../format.ts';
import type { GeminiHook } from './detail.ts';
import { kindOf } from './events.ts';
import { say } from './words.ts';

const unmatched: MatchAnswer = { kind: 'no match' };

const placeOf = ({ source }: GeminiHook): Place => ({ path: source.path, key: source.key });

/** Whether a hook is for this event (rules 38 to 42). */
export function matches(hook: GeminiHook, event: HookEvent, regexes: RegexBudget): MatchAnswer {
  const { rawMatcher } = hook;
  if (rawMatcher && typeof rawMatcher !== 'string') {
    const why = `matcher must be a string, but it is ${describe(rawMatcher)}`;
    return {
      kind: 'off',
      off: { why: 'invalid', detail: why, differs: 'gemini-matcher-type' },
      problems: [say('gemini-matcher-not-string', placeOf(hook), describe(rawMatcher))],
    };
  }
  const { matching } = kindOf(event.name);
  const matcher = typeof rawMatcher === 'string' ? rawMatcher.trim() : '';
  // Without a value to test, the engine does not test (rule 41).
  if (matching === 'ignored' || matcher === '' || matcher === '*' || !event.target) return { kind: 'match' };
  if (matching === 'exact') return { kind: matcher === event.target ? 'match' : 'no match' };
  const answer = regexes.test(matcher, event.target);
  if (answer.kind === 'no match' && answer.newer !== true) return unmatched;
  switch (answer.kind) {
    case 'invalid':
      return {
        kind: matcher === event.target ? 'match' : 'no match',
        problems: [say('gemini-matcher-literal', placeOf(hook), matcher, answer.why)],
      };
    case 'too-slow': {
      const problem = sayStage('matcher-too-slow', placeOf(hook), matcher, matcherBudgetMs);
      return { kind: 'off', off: { why: 'invalid', detail: problem.message }, problems: [problem] };
    }
    default:
      return answer.newer === true
        ? { kind: answer.kind, problems: [sayStage('matcher-newer-syntax', placeOf(hook), matcher)] }
        : { kind: answer.kind };
  }
}
