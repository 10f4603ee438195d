import { HookrunError } from './errors.ts';
import type { Config, Format, Setup } from './formats/format.ts';
import { makePlan, placeOf, planDifferences, type Selection } from './plan.ts';
import type { Problem } from './problems.ts';
import type { RegexBudget } from './regex.ts';
import type { Settled, TrustQuestion } from './settle-trust.ts';
import { toJson } from './to-json.ts';
import type { Hook, HookEvent, Plan, Skipped } from './types.ts';
import { say } from './words.ts';

/** The plan that trust allows, or what stands in the way of running anything. */
export interface TrustedPlan {
  readonly plan: Plan;
  /** Set when the user has not decided and the project would change something: nothing may be started. */
  readonly refused: readonly Hook[] | undefined;
  /** With it: what is no longer as it was trusted. */
  readonly changes?: readonly string[] | undefined;
}

/** Where to ask about trust; asked only when the answer makes a difference, since it may take reading and hashing files. */
export interface TrustLookup {
  /** `--trust`, `HOOKRUN_TRUST=1`. */
  readonly forThisRun: boolean;
  /** Somebody has put down what the project may hold, so what it no longer holds matters as well. */
  readonly isPinned: boolean;
  readonly settle: () => Promise<Settled>;
  /** The same for hookrun's own settings of the project: those can be there whatever the agent itself reads in a project. */
  readonly settleOwn: () => Promise<Settled>;
}

/** The lookup of one run: whatever is found out is found out once. */
export function trustLookup(question: TrustQuestion, forThisRun: boolean): TrustLookup {
  let settled: Promise<Settled> | undefined;
  return {
    forThisRun,
    isPinned: isPinned(question),
    settle() {
      settled ??= settle();
      return settled;
    },
    async settleOwn() {
      if (forThisRun || question.config.project !== undefined) return this.settle();
      const { settleTrust } = await import('./settle-trust.ts');
      const undecided = { state: 'undecided', by: '' } as const;
      return settleTrust({ ...question, config: { ...question.config, trust: undecided } });
    },
  };
  async function settle(): Promise<Settled> {
    if (forThisRun) return { state: 'trusted', by: '--trust or HOOKRUN_TRUST=1', problems: [] };
    // Without a project scope there is nothing that hookrun's record could be about.
    if (question.config.project === undefined) return { ...question.config.trust, problems: [] };
    const { settleTrust } = await import('./settle-trust.ts');
    return settleTrust(question);
  }
}

/**
 * Plans with the project's configuration or without, as trust has it (design: trust as direnv does it). Decided against: the whole
 * project scope is left out. Undecided: if both plans are the same, nothing is lost by leaving it out; if they are not, the run is
 * refused, since a guard that is silently off is worse than a stop.
 */
export async function planWithTrust(
  config: Config,
  event: HookEvent,
  format: Format,
  wish: Selection,
  regexes: RegexBudget,
  lookup: TrustLookup,
  project: string,
): Promise<TrustedPlan> {
  const setup = setupOrError(config, event);
  const ownSetup = (): Setup => config.setup(event.name, false);
  const mayBeSilent = !lookup.forThisRun && !lookup.isPinned;
  if (!(setup instanceof HookrunError) && mayBeSilent && isSilent(setup, ownSetup()))
    return { plan: makePlan(setup, event, format, wish, regexes), refused: undefined };
  const trust = await lookup.settle();
  if (setup instanceof HookrunError) {
    if (trust.state !== 'untrusted') throw setup;
    const own = makePlan(ownSetup(), event, format, wish, regexes);
    const left = [...trust.problems, say('untrusted-left-out', { path: project }, trust.by), setup.problem];
    return { plan: { ...own, problems: [...own.problems, ...left] }, refused: undefined };
  }
  const full = makePlan(setup, event, format, wish, regexes);
  const told = (plan: Plan, more: readonly Problem[] = []): Plan => ({
    ...plan,
    all: setup.hooks,
    problems: [...plan.problems, ...trust.problems, ...more],
  });
  if (trust.state === 'trusted') return { plan: { ...told(full), guard: trust.guard }, refused: undefined };
  const own = makePlan(ownSetup(), event, format, wish, regexes);
  const changed = planDifferences(full, own);
  if (trust.state === 'undecided') {
    // A record that no longer fits is no record: a guard that was taken away would else be silently off.
    if (changed.length > 0 || trust.changes !== undefined)
      return { plan: told(full), refused: changed, changes: trust.changes };
    return { plan: told(withSaid(own, full)), refused: undefined };
  }
  const problems = changed.length === 0 ? [] : [say('untrusted-left-out', { path: project }, trust.by)];
  return {
    plan: { ...told(own, problems), skipped: withUntrusted(setup, full, own, trust.by) },
    refused: undefined,
  };
}

/**
 * The plan without the project, and what is to be said about the project all the same: what HOOKRUN=0 and HOOKRUN_SKIP switch off, entries
 * that are not valid, and every warning. Reading a configuration runs nothing.
 */
function withSaid(own: Plan, full: Plan): Plan {
  const said = full.skipped.filter(
    ({ hook, why }) => hook.source.scope === 'project' && (why === 'switched-off' || why === 'invalid'),
  );
  return { ...own, skipped: [...own.skipped, ...said], problems: full.problems };
}

/** Whether there is a record of trusted folders, or HOOKRUN_TRUST names a content. A cheap look: what they say is found out later. */
const isPinned = ({ world }: TrustQuestion): boolean =>
  (world.env['HOOKRUN_TRUST'] ?? '').length > 1 || world.fs.info(world.trustFile.path) !== undefined;

/** Whether the project says nothing at all about an event: then it does not matter if it is trusted. */
function isSilent(withProject: Setup, own: Setup): boolean {
  if (withProject.problems.length !== own.problems.length || withProject.hooks.length !== own.hooks.length)
    return false;
  const said = (hooks: readonly Hook[]): string =>
    toJson(
      hooks.map(({ source, name, event, command, matcher, timeoutMs, off, detail }) => [
        [source.path, source.key, name, event],
        [command, matcher, timeoutMs, off, detail],
      ]),
    );
  return (
    !withProject.hooks.some(({ source }) => source.scope === 'project') && said(withProject.hooks) === said(own.hooks)
  );
}

/** Why nothing is started: the folder is not trusted yet, or no longer. */
export function refusalOf(project: string, plans: readonly Pick<TrustedPlan, 'changes'>[], names: string): Problem {
  const changes = plans.find((one) => one.changes !== undefined)?.changes;
  return changes === undefined
    ? say('untrusted', { path: project }, project, names)
    : say('untrusted-changed', { path: project }, project, listed(changes), names);
}

const listed = (changes: readonly string[]): string =>
  changes.length > 8 ? `${changes.slice(0, 8).join(', ')} and ${changes.length - 8} more` : changes.join(', ');

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
  const kept = new Map(own.skipped.map((one) => [placeOf(one.hook), one]));
  const considered = new Set([...full.steps, ...full.skipped.map((one) => one.hook)]);
  return setup.hooks.flatMap((hook): Skipped[] => {
    if (hook.source.scope !== 'project') {
      const one = kept.get(placeOf(hook));
      return one === undefined ? [] : [one];
    }
    return considered.has(hook) ? [{ hook, why: 'untrusted', detail: by }] : [];
  });
}
