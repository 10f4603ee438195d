import { type Aggregate, aggregate } from './aggregate.ts';
import { cpuMs, nowMs } from './clock.ts';
import type { FollowedResult } from './decision-schema.ts';
import { applyDenialCap } from './denial-cap.ts';
import { HookrunError } from './errors.ts';
import type { Config, FollowUp } from './formats/format.ts';
import { fitsGlob } from './glob.ts';
import type { Interrupts } from './interrupts.ts';
import type { Mask } from './mask.ts';
import { noteworthy } from './noteworthy.ts';
import type { RunOptions } from './options.ts';
import { projectSettingsFor } from './own-settings/project.ts';
import type { Selection } from './plan.ts';
import type { Prepared } from './prepare.ts';
import type { Problem } from './problems.ts';
import { createRegexBudget, matcherBudgetMs } from './regex.ts';
import {
  type Planned,
  type Ran,
  type Report,
  reportDryRun,
  reportFollowed,
  reportFollowedPlan,
  reportRefusal,
  reportRun,
} from './report.ts';
import { rulesUsed } from './rules-used.ts';
import { type RunWish, runPlan, type Watcher } from './run.ts';
import type { Spawner } from './spawn.ts';
import { planWithTrust, refusalOf, type TrustedPlan, trustLookup } from './trust.ts';
import type { HookEvent, Outcome, Plan, Ruling, Skipped } from './types.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** The tools of one run that outlive a single event. */
export interface Running {
  readonly config: Config;
  readonly spawner: Spawner;
  readonly interrupts: Interrupts;
  readonly watcher: Watcher;
  readonly mask: Mask;
  /** Told the options as they count once it is known what the project has to say about them. */
  settled(options: RunOptions): void;
  /** When hookrun began, on the clock of `nowMs`. */
  readonly began: number;
}

/**
 * Plans and runs the hooks of one event and of those that follow from it, and reports what came of it. Throws `HookrunError` (config)
 * under `--strict`; an error of hookrun's own in the middle is thrown on only where no denial has been stated yet.
 */
export async function decide(prepared: Prepared, asked: RunOptions, world: World, running: Running): Promise<Report> {
  const { format, event, where } = prepared;
  const regexes = createRegexBudget(matcherBudgetMs, cpuMs);
  const trust = trustLookup({ format, config: running.config, where, world }, asked.trust);
  // With `-o hook`, hookrun below another hookrun would find itself as a hook: it runs nothing then, and allows whatever is there.
  const nested = asked.output === 'hook' && (world.env['HOOKRUN_DEPTH'] ?? '') !== '';
  const own = await running.interrupts.orInterrupted(projectSettingsFor(asked, trust, where));
  const { options } = own;
  running.settled(options);
  const [fault] = own.faults;
  if (fault !== undefined && options.onFailure === 'block' && !nested) throw new HookrunError('config', fault);
  const onFailure = nested ? 'allow' : options.onFailure;
  const planOf = async (one: HookEvent): Promise<TrustedPlan> => {
    const planned = await planWithTrust(running.config, one, format, options.selection, regexes, trust, where.project);
    return nested ? withoutSteps(planned) : planned;
  };
  const trusted = await running.interrupts.orInterrupted(planOf(event));
  const { plan } = trusted;
  const describe = (one: HookEvent, itsPlan: Plan, more: readonly Problem[]): Planned => ({
    format,
    event: one,
    plan: itsPlan,
    problems: more,
    listUnmatched: options.tell.verbose || options.dryRun,
    durationMs: nowMs() - running.began,
    mask: running.mask,
  });
  const off = [...switchedOff(plan, options.selection), ...(nested ? [say('nested', {})] : [])];
  // What is known about the record of trusted folders may stand in the plan already.
  const more = own.problems.filter((problem) => !plan.problems.includes(problem));
  const aboutSettings = [...options.notes, ...more, ...own.faults];
  const unused = unusedGlobs(plan, options.selection);
  const known = [...aboutSettings, ...unused, ...prepared.problems, ...off, ...(format.inspect?.(event) ?? [])];
  // What may follow is planned before anything is started: a refusal comes before the first process.
  const possible: (FollowUp & { readonly trusted: TrustedPlan })[] = [];
  for (const one of format.follow?.(event, [], options.derived) ?? [])
    possible.push({ ...one, trusted: await planOf(one.event) });
  const configProblem = options.strict
    ? [...aboutSettings, ...[trusted, ...possible.map((one) => one.trusted)].flatMap((one) => one.plan.problems)][0]
    : undefined;
  if (configProblem !== undefined)
    throw new HookrunError('config', configProblem, '--strict makes an error of this warning');

  const wish: RunWish = {
    env: options.env,
    extraEnv: options.output === 'hook' ? { HOOKRUN_DEPTH: '1' } : {},
    jobs: options.jobs,
    timeoutMs: options.timeoutMs,
    projectTimeoutMs: options.projectTimeoutMs,
    deadlineAt: options.deadlineMs === undefined ? undefined : running.began + options.deadlineMs,
    onFailure: options.onFailure,
  };
  const plans = [trusted, ...possible.map((one) => one.trusted)];
  const refused = plans.flatMap((one) => one.refused ?? []);
  // A run that the project would make stricter is not as safe without it.
  const stricter = nested ? [] : own.stricter;
  const isRefused = refused.length > 0 || stricter.length > 0 || plans.some((one) => one.changes !== undefined);
  const names = named([...refused.map((hook) => hook.name), ...stricter]);
  const trustProblem = refusalOf(where.project, [...plans, own], names);
  if (options.dryRun) {
    const startsOf = (one: HookEvent, itsPlan: Plan) =>
      itsPlan.steps.map((hook) => format.start(hook, one, where, wish));
    const followed = possible
      .filter((one) => hasHooks(one.trusted.plan))
      .map((one) =>
        reportFollowedPlan(describe(one.event, one.trusted.plan, []), startsOf(one.event, one.trusted.plan)),
      );
    const notes = isRefused ? [...known, trustProblem] : known;
    return reportDryRun(describe(event, plan, notes), startsOf(event, plan), followed);
  }
  if (isRefused) return reportRefusal(describe(event, plan, known), trustProblem.message, options.onFailure);

  const run = await runToEnd(prepared, plan, wish, running);
  const result = aggregate(plan, run.outcomes, event, format, onFailure, options.requireMatch && !nested);
  const interrupted = run.outcomes.some((one) => one.run.interrupted) ? running.interrupts.signal : undefined;
  const isWhole = interrupted === undefined && run.bug === undefined;
  const capped = isWhole ? applyDenialCap(result, event, format, options.stopCap, world) : result;
  const next = isWhole ? (format.follow?.(event, run.outcomes, options.derived) ?? []) : [];
  const followed = await runFollowUps(prepared, next, planOf, describe, wish, running).catch((error: unknown) =>
    broughtNothing(error, capped.ruling),
  );
  const notes = [
    ...known,
    ...(run.bug === undefined ? [] : [say('bug', {}, run.bug.message)]),
    ...noteworthy(run.outcomes),
    ...followed.problems,
    ...(interrupted === undefined ? [] : [say('interrupted', {}, interrupted)]),
  ];
  const rules = await rulesUsed(plan, run.outcomes, result.merged.differs);
  const final = withFollowed(capped, followed.natives);
  return reportRun(
    describe(event, plan, notes),
    run.outcomes,
    run.cut,
    final,
    options.onFailure,
    interrupted,
    rules,
    followed.results,
    followed.ran,
  );
}

/** What is known at the end of a run, whether it went through or broke off. */
interface RunEnd {
  /** In plan order; those that are missing had not ended when hookrun itself failed. */
  readonly outcomes: readonly Outcome[];
  readonly cut: readonly Skipped[];
  /** An error of hookrun's own in the middle. */
  readonly bug: Error | undefined;
}

/** An error of hookrun's own must not cost a denial that a hook has already stated; without one it is thrown on. */
async function runToEnd(prepared: Prepared, plan: Plan, wish: RunWish, running: Running): Promise<RunEnd> {
  const { format, event, where } = prepared;
  const outcomes: Outcome[] = [];
  try {
    const cut = await runPlan(plan, event, format, where, wish, running.spawner, running.watcher, outcomes);
    return { outcomes, cut, bug: undefined };
  } catch (error) {
    running.spawner.killAll();
    const ended = outcomes.filter((outcome) => outcome !== undefined);
    if (!ended.some(hasDenied)) throw error;
    return { outcomes: ended, cut: [], bug: error as Error };
  }
}

/** Whether a hook denies by its own word or failure, and not for having been ended by us. */
const hasDenied = ({ run, verdict, counts }: Outcome): boolean =>
  (counts === 'deny' || counts === 'stop') && (!run.interrupted || verdict.kind === 'deny' || verdict.kind === 'stop');

/** Whether anybody subscribes to the event at all. */
const hasHooks = (plan: Plan): boolean => plan.steps.length + plan.skipped.length + plan.unmatched.length > 0;

interface Followed {
  readonly results: readonly FollowedResult[];
  readonly ran: readonly Ran[];
  readonly problems: readonly Problem[];
  /** What the engine's own result says about them, by key. */
  readonly natives: Readonly<Record<string, unknown>>;
}

/** The events that follow run one after the other, as the agent fires them; each has its own entry in the result. */
async function runFollowUps(
  prepared: Prepared,
  next: readonly FollowUp[],
  planOf: (event: HookEvent) => Promise<TrustedPlan>,
  describe: (event: HookEvent, plan: Plan, problems: readonly Problem[]) => Planned,
  wish: RunWish,
  running: Running,
): Promise<Followed> {
  const results: FollowedResult[] = [];
  const ran: Ran[] = [];
  const problems: Problem[] = [];
  const natives: Record<string, unknown> = {};
  for (const { event, nativeKey } of next) {
    const { plan, refused } = await planOf(event);
    // Its hooks were not among those that could be foreseen: then it is left alone.
    if (refused !== undefined || running.interrupts.signal !== undefined) continue;
    if (!hasHooks(plan)) continue;
    const run = await runToEnd({ ...prepared, event }, plan, wish, running);
    const merged = prepared.format.merge(run.outcomes, event, 'allow', plan.mode);
    const result = reportFollowed(describe(event, plan, []), run.outcomes, run.cut, merged.native);
    results.push(result);
    ran.push({ event, hooks: result.hooks, outcomes: run.outcomes });
    problems.push(...noteworthy(run.outcomes), ...(await rulesUsed(plan, run.outcomes, merged.differs)));
    if (nativeKey !== undefined && plan.steps.length > 0) natives[nativeKey] = event.payload;
  }
  return { results, ran, problems, natives };
}

/** An error of hookrun's own in what follows takes no denial back; without one it is thrown on. */
function broughtNothing(error: unknown, ruling: Ruling): Followed {
  if (ruling !== 'deny' && ruling !== 'stop') throw error;
  const message = error instanceof Error ? error.message : String(error);
  return { results: [], ran: [], problems: [say('bug', {}, message)], natives: {} };
}

function withFollowed(result: Aggregate, natives: Readonly<Record<string, unknown>>): Aggregate {
  if (Object.keys(natives).length === 0) return result;
  return { ...result, merged: { ...result.merged, native: { ...(result.merged.native as object), ...natives } } };
}

/** Some names, for a sentence. */
function named(all: readonly string[]): string {
  const names = [...new Set(all)];
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}

const nestedDetail = 'HOOKRUN_DEPTH is set';

function withoutSteps({ plan }: TrustedPlan): TrustedPlan {
  const skipped = plan.steps.map((hook): Skipped => ({ hook, why: 'switched-off', detail: nestedDetail }));
  return { plan: { ...plan, steps: [], skipped: [...plan.skipped, ...skipped] }, refused: undefined };
}

/** A name that no hook has: most likely mistyped, and then a gate may stand open. */
function unusedGlobs({ all = [] }: Plan, { only, skip }: Selection): Problem[] {
  const named = [...only.map((glob) => ['--only', glob] as const), ...skip.map((glob) => ['--skip', glob] as const)];
  return named
    .filter(([, glob]) => !all.some((hook) => fitsGlob(glob, hook.name)))
    .map(([flag, glob]) => say('glob-unused', {}, flag, glob));
}

/** What HOOKRUN=0 and HOOKRUN_SKIP have switched off: never in silence. */
function switchedOff(plan: Plan, selection: Selection): Problem[] {
  const off = plan.skipped.filter((one) => one.why === 'switched-off' && one.detail !== nestedDetail).length;
  if (off === 0) return [];
  return [say('switched-off', {}, selection.allOff ? 'HOOKRUN=0' : `HOOKRUN_SKIP=${selection.off.join(',')}`, off)];
}
