import { HookrunError } from './errors.ts';
import type { Config, Format, Setup, TrustAnswer } from './formats/format.ts';
import { makePlan, planDifferences, type Selection } from './plan.ts';
import type { Problem } from './problems.ts';
import type { RegexBudget } from './regex.ts';
import type { Hook, HookEvent, Plan, Skipped } from './types.ts';
import { say } from './words.ts';

/** The plan that trust allows, or what stands in the way of running anything. */
export interface TrustedPlan {
  readonly plan: Plan;
  /** Set when the user has not decided and the project would change something: nothing may be started. */
  readonly refused: readonly Hook[] | undefined;
}

/** What the user said for this one run comes first, then the agent's own files. */
export const trustOf = (config: Config, forThisRun: boolean): TrustAnswer =>
  forThisRun ? { state: 'trusted', by: '--trust or HOOKRUN_TRUST=1' } : config.trust;

/**
 * Plans twice, with the project's configuration and without, and lets trust choose (design: trust as direnv has it).
 * Decided against: the whole project scope is left out. Undecided: if both plans are the same, nothing is lost by leaving it
 * out; if they are not, the run is refused, since a guard that is silently off is worse than a stop. Pure.
 */
export function planWithTrust(
  config: Config,
  event: HookEvent,
  format: Format,
  wish: Selection,
  regexes: RegexBudget,
  trust: TrustAnswer,
  project: string,
): TrustedPlan {
  const setup = trust.state === 'untrusted' ? setupOrError(config, event) : config.setup(event.name, true);
  if (setup instanceof HookrunError) {
    const own = makePlan(config.setup(event.name, false), event, format, wish, regexes);
    const left = [say('untrusted-left-out', { path: project }, trust.by), setup.problem];
    return { plan: { ...own, problems: [...own.problems, ...left] }, refused: undefined };
  }
  const full = makePlan(setup, event, format, wish, regexes);
  if (trust.state === 'trusted') return { plan: full, refused: undefined };
  const own = makePlan(config.setup(event.name, false), event, format, wish, regexes);
  const changed = planDifferences(full, own);
  if (trust.state === 'undecided') {
    if (changed.length === 0) return { plan: own, refused: undefined };
    return { plan: full, refused: changed };
  }
  const problems: Problem[] = changed.length === 0 ? [] : [say('untrusted-left-out', { path: project }, trust.by)];
  return {
    plan: { ...own, skipped: withUntrusted(setup, full, own, trust.by), problems: [...own.problems, ...problems] },
    refused: undefined,
  };
}

/** A broken configuration of a project that is not trusted anyway must not keep the user's own hooks from running. */
function setupOrError(config: Config, event: HookEvent): Setup | HookrunError {
  try {
    return config.setup(event.name, true);
  } catch (error) {
    if (error instanceof HookrunError) return error;
    throw error;
  }
}

/** The skipped of the plan without the project, and the project's own hooks as untrusted, where they would have stood. */
function withUntrusted(setup: Setup, full: Plan, own: Plan, by: string): Skipped[] {
  const place = (hook: Hook): string => JSON.stringify([hook.source.path, hook.source.key]);
  const kept = new Map(own.skipped.map((one) => [place(one.hook), one]));
  const considered = new Set([...full.steps, ...full.skipped.map((one) => one.hook)]);
  return setup.hooks.flatMap((hook): Skipped[] => {
    if (hook.source.scope !== 'project') {
      const one = kept.get(place(hook));
      return one === undefined ? [] : [one];
    }
    return considered.has(hook) ? [{ hook, why: 'untrusted', detail: by }] : [];
  });
}
