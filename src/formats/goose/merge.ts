import { failureReason } from '../../policy.ts';
import type { Effects, HookEvent, Merged, Outcome, Ruling } from '../../types.ts';
import { bannerIn, readPrinted } from './answer.ts';
import { countedChain, engineChain, modelMessage } from './chain.ts';

/** All outcomes of one event together: message, banners, and what the engine itself makes of the runs. Pure. */
export function merge(outcomes: readonly Outcome[], event: HookEvent, ruling: Ruling): Merged {
  const late = outcomes.some(({ early }) => early) ? ['goose-lost-deny'] : [];
  const base = { effects: {}, engineRuling: 'allow' as const, differs: late, problems: [] };
  if (event.name === 'SessionStart') {
    const banners = bannersOf(outcomes);
    const effects: Effects = banners.length === 0 ? {} : { banners };
    return { ...base, effects, native: { banners } };
  }
  if (!event.canBlock) return { ...base, native: {} };
  const native = engineChain(outcomes);
  const message = ruling === 'deny' && event.name === 'PreToolUse' ? modelMessage(countedChain(outcomes)) : undefined;
  const reasons = outcomes
    .filter(({ counts }) => counts !== 'allow')
    .map((outcome) => outcome.verdict.reason ?? failureReason(outcome));
  const reason = ruling === 'allow' ? undefined : reasons.join('\n');
  return { ...base, native, engineRuling: native.decision, reason, message };
}

/** The banners of all hooks that exited 0, in order (goose corner 46). */
function bannersOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ run }) => {
    if (run.exit.kind !== 'exited' || run.exit.code !== 0) return [];
    const banner = bannerIn(readPrinted(run.stdout));
    return banner === undefined ? [] : [banner];
  });
}
