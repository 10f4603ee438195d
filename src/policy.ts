import type { OnFailure, Outcome, Ruling, Verdict } from './types.ts';

/**
 * What a verdict counts as under the failure policy. This is the one place where "could not decide" becomes something else:
 * `native` lets a failure pass unless the hook's own configuration blocks on it (an engine that denies on a failure has
 * already said so in the verdict), `allow` lets every failure pass, `block` lets none.
 */
export function countsAs(verdict: Verdict, onFailure: OnFailure): Ruling {
  if (verdict.failure === undefined) return verdict.kind === 'no-decision' ? 'allow' : verdict.kind;
  if (onFailure === 'block') return verdict.kind === 'stop' ? 'stop' : 'deny';
  if (onFailure === 'allow') return 'allow';
  if (verdict.kind === 'no-decision') return verdict.onFailure === 'block' ? 'deny' : 'allow';
  return verdict.kind;
}

/** What is given as the reason when a failure denies: which hook, and what became of it. */
export const failureReason = ({ hook, verdict }: Pick<Outcome, 'hook' | 'verdict'>): string =>
  `hook ${hook.name} could not decide: ${verdict.failure?.text ?? 'no reason known'}`;
