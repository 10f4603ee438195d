import { aggregate } from './aggregate.ts';
import { nowMs } from './clock.ts';
import { HookrunError } from './errors.ts';
import type { Config } from './formats/format.ts';
import type { Interrupts } from './interrupts.ts';
import { noteworthy } from './noteworthy.ts';
import type { RunOptions } from './options.ts';
import type { Prepared } from './prepare.ts';
import type { Problem } from './problems.ts';
import { createRegexBudget } from './regex.ts';
import { type Planned, type Report, reportDryRun, reportRefusal, reportRun } from './report.ts';
import { runPlan, type Watcher } from './run.ts';
import type { Spawner } from './spawn.ts';
import { planWithTrust, trustOf } from './trust.ts';
import type { Hook, Outcome, Plan, Skipped } from './types.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** How long matchers may take, all together, in ms. */
const matcherBudgetMs = 250;

/** The tools of one run that outlive a single event. */
export interface Running {
  readonly config: Config;
  readonly spawner: Spawner;
  readonly interrupts: Interrupts;
  readonly watcher: Watcher;
  /** When hookrun began, on the clock of `nowMs`. */
  readonly began: number;
}

/**
 * Plans and runs the hooks of one event, and reports what came of it. Throws `HookrunError` (config) under `--strict`; an error of
 * hookrun's own in the middle is thrown on only where no denial has been stated yet.
 */
export async function decide(prepared: Prepared, options: RunOptions, world: World, running: Running): Promise<Report> {
  const { format, event, where } = prepared;
  const regexes = createRegexBudget(matcherBudgetMs, () => nowMs());
  const trust = trustOf(running.config, options.trust);
  const trusted = planWithTrust(running.config, event, format, options.selection, regexes, trust, where.project);
  const { plan, problems } = withNesting(trusted.plan, options, world);
  const planned = (more: readonly Problem[] = []): Planned => ({
    format,
    event,
    plan,
    problems: [...prepared.problems, ...problems, ...more],
    listUnmatched: options.tell.verbose || options.dryRun,
    durationMs: nowMs() - running.began,
  });
  const configProblem = options.strict ? plan.problems[0] : undefined;
  if (configProblem !== undefined)
    throw new HookrunError('config', configProblem, '--strict makes an error of this warning');

  const wish = {
    env: options.env,
    extraEnv: options.output === 'hook' ? { HOOKRUN_DEPTH: '1' } : {},
    jobs: options.jobs,
    timeoutMs: options.timeoutMs,
    deadlineAt: options.deadlineMs === undefined ? undefined : running.began + options.deadlineMs,
    onFailure: options.onFailure,
  };
  const trustProblem = say('untrusted', { path: where.project }, where.project, named(trusted.refused ?? []));
  if (options.dryRun)
    return reportDryRun(
      planned(trusted.refused === undefined ? [] : [trustProblem]),
      plan.steps.map((hook) => format.start(hook, event, where, wish)),
    );
  if (trusted.refused !== undefined) return reportRefusal(planned(), trustProblem.message, options.onFailure);

  const outcomes: Outcome[] = [];
  let cut: readonly Skipped[] = [];
  let bug: Problem[] = [];
  try {
    cut = await runPlan(plan, event, format, where, wish, running.spawner, running.watcher, outcomes);
  } catch (error) {
    // An error of hookrun's own must not cost a denial that a hook has already stated.
    running.spawner.killAll();
    if (!outcomes.some((outcome) => outcome.counts === 'deny' || outcome.counts === 'stop')) throw error;
    bug = [say('bug', {}, (error as Error).message)];
  }
  const known = outcomes.filter((outcome) => outcome !== undefined);
  const result = aggregate(plan, known, event, format, options.onFailure, options.requireMatch);
  const interrupted = known.some(({ run }) => run.interrupted) ? running.interrupts.signal : undefined;
  const notes = [
    ...bug,
    ...noteworthy(known),
    ...(interrupted === undefined ? [] : [say('interrupted', {}, interrupted)]),
  ];
  return reportRun(
    planned(notes),
    known,
    cut,
    result,
    options.onFailure,
    interrupted,
    await rulesUsed(plan, known, result.merged.differs),
  );
}

/** The names of some hooks, for a sentence. */
function named(hooks: readonly Hook[]): string {
  const names = hooks.slice(0, 5).map((hook) => hook.name);
  return hooks.length > 5 ? `${names.join(', ')} and ${hooks.length - 5} more` : names.join(', ');
}

/** With `-o hook`, hookrun below another hookrun would find itself as a hook: it runs nothing then. */
function withNesting(plan: Plan, options: RunOptions, world: World): { plan: Plan; problems: Problem[] } {
  const { selection } = options;
  const problems: Problem[] = [];
  const off = plan.skipped.filter((one) => one.why === 'switched-off').length;
  if (off > 0 && selection.allOff) problems.push(say('switched-off', {}, 'HOOKRUN=0', off));
  else if (off > 0) problems.push(say('switched-off', {}, `HOOKRUN_SKIP=${selection.off.join(',')}`, off));
  if (options.output !== 'hook' || (world.env['HOOKRUN_DEPTH'] ?? '') === '') return { plan, problems };
  const skipped = plan.steps.map((hook): Skipped => ({ hook, why: 'switched-off', detail: 'HOOKRUN_DEPTH is set' }));
  return {
    plan: { ...plan, steps: [], skipped: [...plan.skipped, ...skipped] },
    problems: [...problems, say('nested', {})],
  };
}

/** The rows of the table of differences that were made use of, as warnings. The table is loaded only where there are any. */
async function rulesUsed(plan: Plan, outcomes: readonly Outcome[], merged: readonly string[]): Promise<Problem[]> {
  const used = [
    ...plan.skipped.flatMap(({ hook, differs }) => (differs === undefined ? [] : [{ id: differs, hook }])),
    ...outcomes.flatMap(({ hook, verdict }) => (verdict.differs ?? []).map((id) => ({ id, hook }))),
    ...merged.map((id) => ({ id, hook: undefined })),
  ];
  if (used.length === 0) return [];
  const { difference } = await import('./differences.ts');
  return used.map(({ id, hook }) => {
    const { engine, hookrun } = difference(id);
    const place = hook === undefined ? {} : { path: hook.source.path, key: hook.source.key };
    return say('engine-differs', place, id, engine, hookrun);
  });
}
