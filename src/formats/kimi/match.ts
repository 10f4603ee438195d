import type { Place, Problem } from '../../problems.ts';
import { matcherBudgetMs, type RegexBudget } from '../../regex.ts';
import type { Hook, HookEvent } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import type { MatchAnswer } from '../format.ts';
import { isToolEvent } from './events.ts';
import { foreignTool, kimiTools } from './tool-names.ts';
import { say } from './words.ts';

/**
 * Whether a hook runs for an event: a JavaScript regex, unanchored, without flags; empty or absent always matches, an invalid one
 * never does (Kimi protocol, Matching). hookrun says so where Kimi Code is silent. One that does not come to an end is a
 * failed matcher.
 */
export function matches(hook: Hook, event: HookEvent, regexes: RegexBudget): MatchAnswer {
  const matcher = hook.matcher ?? '';
  if (matcher === '') return { kind: 'match' };
  // Looked up only where there is something to say: finding the line means reading the file's text again.
  const place = (): Place => ({
    path: hook.source.path,
    key: `${hook.source.key}.matcher`,
    line: hook.source.line?.(),
  });
  const answer = regexes.test(matcher, event.target ?? '');
  switch (answer.kind) {
    case 'invalid':
      return { kind: 'no match', problems: [sayStage('matcher-invalid', place(), matcher, answer.why)] };
    case 'too-slow': {
      const problem = sayStage('matcher-too-slow', place(), matcher, matcherBudgetMs);
      return { kind: 'off', off: { why: 'invalid', detail: problem.message }, problems: [problem] };
    }
    case 'match':
    case 'no match': {
      const problems: Problem[] = answer.newer === true ? [sayStage('matcher-newer-syntax', place(), matcher)] : [];
      if (answer.kind === 'no match') problems.push(...toolHint(matcher, event, place, regexes));
      return { kind: answer.kind, problems };
    }
  }
}

/** A matcher that can't match any tool of Kimi Code and names one of another agent was carried over from there. */
function toolHint(matcher: string, event: HookEvent, place: () => Place, regexes: RegexBudget): Problem[] {
  const foreign = isToolEvent(event.name) ? foreignTool(matcher) : undefined;
  if (foreign === undefined || kimiTools.some((tool) => regexes.test(matcher, tool).kind === 'match')) return [];
  return [say('kimi-tool-name', place(), foreign.name, foreign.meant)];
}
