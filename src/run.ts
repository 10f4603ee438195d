import { nowMs } from './clock.ts';
import type { Format, StartWish, Where } from './formats/format.ts';
import { type Judged, judge } from './judge.ts';
import { countsAs } from './policy.ts';
import type { Problem } from './problems.ts';
import type { Limits, Spawner } from './spawn.ts';
import type { Hook, HookEvent, HookRun, OnFailure, Outcome, Plan, Skipped, Start } from './types.ts';

/** Bytes of stdout and of stderr that are kept of one hook, each. */
export const outputLimit = 64 * 1024 * 1024;

export interface RunWish extends StartWish {
  /** How many hooks may run at once. */
  readonly jobs: number;
  /** An upper bound on every hook's own timeout, in ms. */
  readonly timeoutMs: number | undefined;
  /** The same for hooks of the project alone, in ms. */
  readonly projectTimeoutMs?: number | undefined;
  /** When the whole run must be over, on the clock of `nowMs`. */
  readonly deadlineAt: number | undefined;
  readonly onFailure: OnFailure;
}

/** Told when a hook starts and ends, for the live line on a terminal. */
export interface Watcher {
  started(hook: Hook): void;
  ended(hook: Hook): void;
}

/**
 * Runs the steps of a plan, in parallel or in sequence, and judges each. A failed hook is a value, never an exception. Outcomes go
 * to `known` at their step's place as they come, so that the caller can still report them after an interrupt or an error
 * of hookrun's own. Returns the hooks that did not run because the chain had ended.
 */
export async function runPlan(
  plan: Plan,
  event: HookEvent,
  format: Format,
  where: Where,
  wish: RunWish,
  spawner: Spawner,
  watcher: Watcher,
  known: Outcome[],
): Promise<readonly Skipped[]> {
  const runOne = async (hook: Hook, start: Start, seen: HookEvent): Promise<HookRun> => {
    watcher.started(hook);
    const run = await spawner.run(start, seen.text, limitsFor(hook, wish));
    watcher.ended(hook);
    return run;
  };
  const one = async (index: number, seen: HookEvent): Promise<Outcome> => {
    const hook = plan.steps[index]!;
    const start = format.start(hook, seen, where, wish);
    const guarded = plan.guard?.(hook, start);
    const run = guarded?.refusal === undefined ? await runOne(hook, start, seen) : refusedRun(guarded.refusal);
    const judged = withGuard(judge(run, hook, seen, format), guarded?.refusal ?? guarded?.changed());
    const outcome = { hook, start, run, ...judged, counts: countsAs(judged.verdict, wish.onFailure) };
    known[index] = outcome;
    return outcome;
  };
  return plan.mode === 'parallel'
    ? inParallel(plan, event, wish.jobs, spawner, one)
    : inSequence(plan, event, format, one);
}

/** What stands for the run of a hook that was not let start. */
const refusedRun = (why: Problem): HookRun => ({
  exit: { kind: 'not-started', why: why.message },
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  durationMs: 0,
  held: false,
  interrupted: false,
});

/**
 * A hook whose files are not what was trusted denies, whatever it said itself and whatever a failure means: nobody knows who spoke. Its
 * own stop is stricter still, and stands.
 */
function withGuard(judged: Judged, problem: Problem | undefined): Judged {
  if (problem === undefined) return judged;
  const { failure: _failure, onFailure: _onFailure, ...said } = judged.verdict;
  const problems = [...(said.problems ?? []), problem];
  if (said.kind === 'stop') return { ...judged, verdict: { ...said, problems } };
  return { ...judged, verdict: { ...said, kind: 'deny', reason: problem.message, problems } };
}

type RunOne = (index: number, event: HookEvent) => Promise<Outcome>;

async function inParallel(
  plan: Plan,
  event: HookEvent,
  jobs: number,
  spawner: Spawner,
  one: RunOne,
): Promise<readonly Skipped[]> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < plan.steps.length) {
      const index = next;
      next += 1;
      await one(index, event);
    }
  };
  const workers = Array.from({ length: Math.min(jobs, plan.steps.length) }, () =>
    worker().catch((error: unknown) => {
      // The others are ended, and then heard: one of them may have printed a denial already.
      spawner.killAll();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(workers)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return [];
}

async function inSequence(plan: Plan, event: HookEvent, format: Format, one: RunOne): Promise<readonly Skipped[]> {
  let seen = event;
  for (const index of plan.steps.keys()) {
    const outcome = await one(index, seen);
    const next = format.advance(seen, outcome);
    if (next === 'end') {
      const detail = `${outcome.hook.name} denied, and the chain ends there`;
      return plan.steps.slice(index + 1).map((hook) => ({ hook, why: 'chain-ended', detail }));
    }
    seen = next;
  }
  return [];
}

function limitsFor(hook: Hook, wish: RunWish): Limits {
  const ofProject = hook.source.scope === 'project' ? wish.projectTimeoutMs : undefined;
  const bounds = [wish.timeoutMs, ofProject].filter((bound) => bound !== undefined);
  const own = Math.min(hook.timeoutMs, ...bounds);
  const left = wish.deadlineAt === undefined ? Number.POSITIVE_INFINITY : wish.deadlineAt - nowMs();
  return left < own
    ? { timeoutMs: Math.max(0, Math.round(left)), boundBy: 'deadline', outputBytes: outputLimit }
    : { timeoutMs: own, boundBy: 'timeout', outputBytes: outputLimit };
}
