import type { Format } from './formats/format.ts';
import { failureReason } from './policy.ts';
import type { Problem } from './problems.ts';
import type { HookEvent, Merged, OnFailure, Outcome, Plan, Ruling } from './types.ts';
import { say } from './words.ts';

export type Cause = 'policy_denial' | 'hook_failure' | 'untrusted' | 'no_match';

/** All verdicts of one event as one. */
export interface Aggregate {
  readonly ruling: Ruling;
  readonly cause: Cause | undefined;
  readonly reason: string | undefined;
  readonly decidedBy: readonly string[];
  readonly merged: Merged;
  readonly problems: readonly Problem[];
}

const rank: Readonly<Record<Ruling, number>> = { allow: 0, ask: 1, deny: 2, stop: 3 };

const strictest = (rulings: Iterable<Ruling>): Ruling => {
  let ruling: Ruling = 'allow';
  for (const one of rulings) if (rank[one] > rank[ruling]) ruling = one;
  return ruling;
};

/**
 * Stop beats deny beats ask beats allow; on an event that can't block the ruling is allow, whatever was said. Pure. An entry
 * that the configuration holds and that had to be left out is a failure like any other, so `block` does not let it pass.
 */
export function aggregate(
  plan: Plan,
  outcomes: readonly Outcome[],
  event: HookEvent,
  format: Format,
  onFailure: OnFailure,
  requireMatch: boolean,
): Aggregate {
  const invalid = onFailure === 'block' && event.canBlock ? plan.skipped.filter((one) => one.why === 'invalid') : [];
  const said = event.canBlock ? strictest(outcomes.map((outcome) => outcome.counts)) : 'allow';
  const noMatch = requireMatch && plan.steps.length === 0;
  const ruling = strictest([said, invalid.length > 0 || noMatch ? 'deny' : 'allow']);
  const deciders = outcomes.filter((outcome) => ruling !== 'allow' && event.canBlock && outcome.counts === ruling);
  const merged = format.merge(outcomes, event, said, plan.mode);
  const problems: Problem[] = [...merged.problems];

  const reasons = ruling === said && ruling !== 'allow' ? [merged.reason ?? joinReasons(deciders)] : [];
  for (const one of ruling === 'deny' ? invalid : []) reasons.push(`${one.hook.name} is not valid: ${one.detail}`);
  if (noMatch) reasons.push(say('require-match', {}, event.name).message);
  if (said === 'allow' && ruling === 'allow' && merged.reason !== undefined) reasons.push(merged.reason);

  if (!event.canBlock && outcomes.some((outcome) => rank[outcome.counts] > 0))
    problems.push(say('deny-ignored', {}, event.name));
  const letPass = outcomes.filter(
    (outcome) =>
      onFailure === 'allow' &&
      outcome.verdict.failure !== undefined &&
      (outcome.verdict.kind === 'deny' || outcome.verdict.onFailure === 'block'),
  );
  if (letPass.length > 0)
    problems.push(say('on-failure-allow', {}, letPass.map((outcome) => outcome.hook.name).join(', ')));

  return {
    ruling,
    cause: causeOf(ruling, deciders, outcomes, invalid.length > 0, noMatch),
    reason: reasons.length === 0 ? undefined : reasons.join('\n'),
    decidedBy: [
      ...deciders.map((outcome) => outcome.hook.name),
      ...(ruling === 'deny' ? invalid : []).map((one) => one.hook.name),
    ],
    merged,
    problems,
  };
}

function joinReasons(deciders: readonly Outcome[]): string {
  return deciders
    .map((outcome) => outcome.verdict.reason ?? failureReason(outcome))
    .filter((reason) => reason !== '')
    .join('\n');
}

function causeOf(
  ruling: Ruling,
  deciders: readonly Outcome[],
  outcomes: readonly Outcome[],
  invalid: boolean,
  noMatch: boolean,
): Cause | undefined {
  if (ruling === 'allow')
    return outcomes.some(({ verdict }) => verdict.failure !== undefined) ? 'hook_failure' : undefined;
  if (deciders.some(({ verdict }) => verdict.failure === undefined)) return 'policy_denial';
  if (deciders.length > 0 || invalid) return 'hook_failure';
  return noMatch ? 'no_match' : undefined;
}
