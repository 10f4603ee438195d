/** What is known at the end as the result document and the exit code; pure. */

import type { Aggregate } from './aggregate.ts';
import type {
  Decision,
  ErrorResult,
  FollowedResult,
  HookResult,
  SkippedResult,
  WarningResult,
} from './decision-schema.ts';
import type { HookrunError } from './errors.ts';
import { errorCodes, type InterruptSignal, rulingCodes, untrustedCode } from './exit-codes.ts';
import type { Format } from './formats/format.ts';
import { formMask, type Mask } from './mask.ts';
import { placeOf, whyUnmatched } from './plan.ts';
import type { Problem } from './problems.ts';
import { showOutput } from './shown.ts';
import type { Exit, Hook, HookEvent, OnFailure, Outcome, Plan, Skipped, Start } from './types.ts';

export interface Report {
  readonly decision: Decision;
  readonly exitCode: number;
  /** The hooks that were run, event by event, for the log: the main event first. */
  readonly ran?: readonly Ran[];
}

/** The hooks of one event, as they are reported and as they ran. */
export interface Ran {
  readonly event: HookEvent;
  readonly hooks: readonly HookResult[];
  readonly outcomes: readonly Outcome[];
}

/** What every report of a planned event says, whatever came of it. */
export interface Planned {
  readonly format: Format;
  readonly event: HookEvent;
  readonly plan: Plan;
  readonly problems: readonly Problem[];
  /** List hooks whose matcher did not match. */
  readonly listUnmatched: boolean;
  readonly durationMs: number;
  /** Absent: secrets are known by their form alone. */
  readonly mask?: Mask;
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

/** The document of a run that went through to its end, or was interrupted on the way (`interrupt`). */
export function reportRun(
  planned: Planned,
  outcomes: readonly Outcome[],
  cut: readonly Skipped[],
  result: Aggregate,
  onFailure: OnFailure,
  interrupt: InterruptSignal | undefined,
  differs: readonly Problem[],
  followed: readonly FollowedResult[],
  ranAfter: readonly Ran[] = [],
): Report {
  const { ruling, merged } = result;
  const hooks = outcomes.map((outcome) => hookResult(outcome, planned.mask));
  // Interrupted, a denial that was stated stands; anything less is not known to be the whole answer.
  const unfinished = interrupt !== undefined && ruling !== 'deny' && ruling !== 'stop';
  const decided = unfinished ? (onFailure === 'block' ? 'deny' : null) : ruling;
  const exitCode = decided === null ? errorCodes[interrupt!] : rulingCodes[decided];
  const isFailure = unfinished && decided === 'deny';
  const engineDiffers = !unfinished && merged.engineRuling !== ruling;
  const document: Decision = {
    schemaVersion: 1,
    decision: decided,
    ...optional('reason', isFailure ? interruptedReason(interrupt!) : unfinished ? undefined : result.reason),
    ...optional('cause', isFailure ? 'hook_failure' : unfinished ? undefined : result.cause),
    ...optional('decidedBy', result.decidedBy.length === 0 || unfinished ? undefined : [...result.decidedBy]),
    ...optional('message', unfinished ? undefined : merged.message),
    event: eventOf(planned),
    effects: merged.effects,
    mode: planned.plan.mode,
    hooks,
    skipped: skippedResults(planned, cut),
    unmatched: planned.plan.unmatched.length,
    ...optional('followed', followed.length === 0 ? undefined : [...followed]),
    native: merged.native,
    engine: { ...planned.format.engine, ...(engineDiffers ? { decision: merged.engineRuling } : {}) },
    warnings: [...planned.plan.problems, ...planned.problems, ...result.problems, ...differs].map(warning),
    durationMs: round(planned.durationMs),
    ...(unfinished
      ? { error: { code: 'interrupted', exit: errorCodes[interrupt!], message: interruptedReason(interrupt!) } }
      : {}),
  };
  return { decision: document, exitCode, ran: [{ event: planned.event, hooks, outcomes }, ...ranAfter] };
}

const interruptedReason = (signal: InterruptSignal): string =>
  `hookrun got ${signal} before all hooks had ended, and none of those that had did deny`;

/** An event that followed, with what became of its hooks. */
export const reportFollowed = (
  planned: Planned,
  outcomes: readonly Outcome[],
  cut: readonly Skipped[],
  native: unknown,
): FollowedResult => ({
  event: eventOf(planned),
  mode: planned.plan.mode,
  hooks: outcomes.map((outcome) => hookResult(outcome, planned.mask)),
  skipped: skippedResults(planned, cut),
  unmatched: planned.plan.unmatched.length,
  native,
});

/** The same in a dry run. */
export const reportFollowedPlan = (planned: Planned, starts: readonly Start[]): FollowedResult => ({
  event: eventOf(planned),
  mode: planned.plan.mode,
  hooks: plannedHooks(planned, starts),
  skipped: skippedResults(planned, []),
  unmatched: planned.plan.unmatched.length,
});

/** The document of a dry run: the plan, and nothing decided. */
export function reportDryRun(planned: Planned, starts: readonly Start[], followed: readonly FollowedResult[]): Report {
  const document: Decision = {
    schemaVersion: 1,
    dryRun: true,
    decision: null,
    event: eventOf(planned),
    mode: planned.plan.mode,
    hooks: plannedHooks(planned, starts),
    ...optional('followed', followed.length === 0 ? undefined : [...followed]),
    skipped: skippedResults(planned, []),
    unmatched: planned.plan.unmatched.length,
    engine: planned.format.engine,
    warnings: [...planned.plan.problems, ...planned.problems, ...starts.flatMap((start) => start.problems)].map(
      warning,
    ),
    durationMs: round(planned.durationMs),
  };
  return { decision: document, exitCode: 0 };
}

/** The document of a refusal: the folder is not trusted, so nothing was started. */
export function reportRefusal(planned: Planned, reason: string, onFailure: OnFailure): Report {
  const held = planned.plan.steps.map((hook): Skipped => {
    const isOwn = hook.source.scope === 'project';
    const detail = isOwn
      ? 'nobody trusts the folder as it is'
      : 'nothing is started before the folder is decided about';
    return { hook, why: 'untrusted', detail };
  });
  const document: Decision = {
    schemaVersion: 1,
    decision: 'deny',
    reason,
    cause: 'untrusted',
    event: eventOf(planned),
    mode: planned.plan.mode,
    hooks: [],
    skipped: skippedResults(planned, held),
    unmatched: planned.plan.unmatched.length,
    engine: planned.format.engine,
    warnings: [...planned.plan.problems, ...planned.problems].map(warning),
    durationMs: round(planned.durationMs),
  };
  return { decision: document, exitCode: onFailure === 'block' ? rulingCodes.deny : untrustedCode };
}

/** The document of an error of hookrun's own, where nothing else is known. */
export function reportError(error: HookrunError, onFailure: OnFailure, mask: Mask = formMask): Report {
  const exit = errorCodes[error.kind];
  const { code, path, key, line, column } = error.problem;
  // It may quote what was wrong in a payload or a config.
  const message = mask.text(error.problem.message);
  const result: ErrorResult = {
    code,
    exit,
    message,
    ...optional('path', path),
    ...optional('key', key),
    ...optional('line', line),
    ...optional('column', column),
  };
  if (onFailure !== 'block') return { decision: { schemaVersion: 1, decision: null, error: result }, exitCode: exit };
  const reason = `hookrun could not decide: ${message}`;
  return {
    decision: { schemaVersion: 1, decision: 'deny', reason, cause: 'hook_failure', error: result },
    exitCode: rulingCodes.deny,
  };
}

function eventOf({ format, event }: Planned): NonNullable<Decision['event']> {
  return { format: format.name, name: event.name, target: event.target, canBlock: event.canBlock };
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

function warning(problem: Problem): WarningResult {
  const { code, message, path, key, line, column } = problem;
  return {
    code,
    message,
    ...optional('path', path),
    ...optional('key', key),
    ...optional('line', line),
    ...optional('column', column),
  };
}

function sourceOf({ source }: Hook): NonNullable<SkippedResult['source']> {
  return { scope: source.scope, path: source.path, key: source.key, ...optional('line', source.line?.()) };
}

function hookHead(
  hook: Hook,
  start: Start,
): Pick<HookResult, 'name' | 'source' | 'command' | 'matcher' | 'strippedEnv'> {
  return {
    name: hook.name,
    source: sourceOf(hook),
    command: start.shown,
    ...optional('matcher', hook.matcher),
    ...optional('strippedEnv', start.removedEnv.length === 0 ? undefined : [...start.removedEnv]),
  };
}

function plannedHooks({ plan }: Planned, starts: readonly Start[]): HookResult[] {
  return plan.steps.map((hook, index) => ({
    ...hookHead(hook, starts[index]!),
    cwd: starts[index]!.cwd,
    timeoutMs: hook.timeoutMs,
    exit: { kind: 'not-started', why: 'dry run' },
  }));
}

function skippedResults({ plan, event, listUnmatched }: Planned, more: readonly Skipped[]): SkippedResult[] {
  const unmatched = listUnmatched ? plan.unmatched.map((hook) => unmatchedIn(hook, event)) : [];
  const all = [...plan.skipped, ...more, ...unmatched];
  return inPlanOrder(all, plan).map(({ hook, why, detail }) => ({
    name: hook.name,
    source: sourceOf(hook),
    why,
    detail,
  }));
}

const unmatchedIn = (hook: Hook, event: HookEvent): Skipped => ({
  hook,
  why: 'matcher',
  detail: whyUnmatched(hook, event),
});

/** They come from several lists, each in plan order. */
function inPlanOrder(skipped: readonly Skipped[], plan: Plan): readonly Skipped[] {
  if (skipped.length < 2 || plan.all === undefined) return skipped;
  const rank = new Map(plan.all.map((hook, index) => [placeOf(hook), index]));
  const rankOf = ({ hook }: Skipped): number => rank.get(placeOf(hook)) ?? plan.all!.length;
  return skipped.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function exitResult(exit: Exit): HookResult['exit'] {
  switch (exit.kind) {
    case 'exited':
      return { kind: exit.kind, code: exit.code };
    case 'signalled':
      return { kind: exit.kind, signal: exit.signal };
    case 'timed-out':
      return { kind: exit.kind, ...optional('code', exit.code), why: `${exit.by} of ${exit.afterMs} ms` };
    case 'not-started':
      return { kind: exit.kind, why: exit.why };
    case 'output-limit':
      return { kind: exit.kind, ...optional('code', exit.code) };
  }
}

function hookResult(outcome: Outcome, everywhere: Mask = formMask): HookResult {
  const { hook, start, run, verdict, counts } = outcome;
  const mask = everywhere.with(start.env);
  const stdout = showOutput(run.stdout, mask);
  const stderr = showOutput(run.stderr, mask);
  const plainly = verdict.kind === 'no-decision' ? 'allow' : verdict.kind;
  return {
    ...hookHead(hook, start),
    verdict: verdict.kind,
    ...optional('failure', verdict.failure?.kind),
    ...optional('counted', counts === plainly ? undefined : counts),
    exit: exitResult(run.exit),
    ...optional('reason', verdict.reason ?? verdict.failure?.text),
    durationMs: round(run.durationMs),
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: stdout.truncated || stderr.truncated,
    ...optional('output', mask.data(verdict.output)),
  };
}
