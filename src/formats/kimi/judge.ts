import { leadingObject } from '../../leading-object.ts';
import type { Problem } from '../../problems.ts';
import { readsLikeShellFailure } from '../../shell-failure.ts';
import { cut } from '../../shown.ts';
import type { Failure, Hook, HookEvent, HookRun, Verdict } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import { brokenOutput } from './broken-output.ts';
import { dialectProblems } from './dialects.ts';
import { type KimiResult, type Reading, readRun, readStructured, type Structured } from './read-run.ts';

/** The reason of a block that gives none (Kimi protocol, Reading one run). */
export const defaultReason = (event: string): string => `Blocked by ${event} hook`;

/** A reason as the decision has it: trimmed, and never blank. */
export const reasonOr = (event: string, reason: string | undefined): string => {
  const trimmed = reason?.trim();
  return trimmed === undefined || trimmed === '' ? defaultReason(event) : trimmed;
};

/**
 * What one run says; pure, never throws. As the engine has it (exit 2, or exit 0 with a deny in the output), and beyond it a complete
 * deny JSON that stood there before the hook was ended or died (row kimi-early-deny). Everything else that is no plain
 * exit 0 is a hook that could not decide.
 */
export function judge(run: HookRun, hook: Hook, event: HookEvent): Verdict<KimiResult> {
  const reading = readRun(run);
  const { result, structured } = reading;
  const base = {
    reading: result,
    ...(structured === undefined ? {} : { output: structured.value }),
    problems: [...dialectProblems(reading, run.exit, hook), ...shellProblems(reading, run, hook)],
  };
  if (result.action === 'block') return { ...base, kind: 'deny', reason: reasonOr(event.name, result.reason) };
  if (deniedBefore(run, reading)) {
    const reason = run.exit.kind === 'exited' ? reading.stderr : structured?.reason;
    return { ...base, kind: 'deny', reason: reasonOr(event.name, reason), differs: ['kimi-early-deny'] };
  }
  const first = statedFirst(run, reading);
  if (first !== undefined) {
    const differs = [run.exit.kind === 'exited' ? 'kimi-late-output' : 'kimi-early-deny'];
    return { ...base, output: first.value, kind: 'deny', reason: reasonOr(event.name, first.reason), differs };
  }
  const failure = failureOf(run, reading, event);
  if (failure === undefined) return { ...base, kind: 'allow' };
  return { ...base, kind: 'no-decision', failure };
}

/** Hooks that failed where the shell, not a policy, is what spoke. */
function shellProblems({ stderr }: Reading, { exit }: HookRun, hook: Hook): Problem[] {
  if (!('code' in exit) || exit.code === 0) return [];
  const place = { path: hook.source.path, key: hook.source.key };
  // Kimi Code gives its hooks sockets; what opens them by name gets ENXIO, and dash then exits with 2.
  if (
    /No such device or address|ENXIO/.test(stderr) &&
    /\/dev\/(?:std|fd)|\/proc\/self\/fd/.test(hook.command + stderr)
  )
    return [sayStage('socket-stdio', place, hook.name)];
  return exit.code === 2 && readsLikeShellFailure(stderr) ? [sayStage('exit-2-by-shell', place, hook.name)] : [];
}

/** Whether a denial was stated that the engine loses because the hook did not come to an end by itself. */
function deniedBefore({ exit, interrupted }: HookRun, { structured }: Reading): boolean {
  const isStated = structured?.denies === true;
  switch (exit.kind) {
    case 'timed-out':
    case 'signalled':
    case 'output-limit':
      return isStated;
    case 'exited':
      return interrupted && (exit.code === 2 || (exit.code === 0 && isStated));
    case 'not-started':
      return false;
  }
}

/**
 * A deny JSON with which the output begins, where something else may have written to it as well, or gone on writing when the hook was
 * done. The early output alone does not tell: a background process may have written before the hook ended.
 */
function statedFirst({ exit, held, early }: HookRun, { stdout }: Reading): Structured | undefined {
  if (!held && early === undefined && exit.kind !== 'timed-out' && exit.kind !== 'output-limit') return undefined;
  // With another exit code a printed decision does not count, in the engine neither.
  if (exit.kind === 'exited' && exit.code !== 0) return undefined;
  const piece = leadingObject(stdout);
  const structured = piece === undefined ? undefined : readStructured(piece);
  return structured?.denies ? structured : undefined;
}

function failureOf({ exit }: HookRun, reading: Reading, event: HookEvent): Failure | undefined {
  switch (exit.kind) {
    case 'timed-out':
      return { kind: 'timed-out', text: `timed out after ${exit.afterMs} ms` };
    case 'signalled':
      return { kind: 'signalled', text: `was killed by ${exit.signal}` };
    case 'output-limit':
      return { kind: 'output-limit', text: 'wrote more output than is kept, and was ended' };
    case 'not-started':
      return { kind: 'not-started', text: `could not be started: ${exit.why}` };
    case 'exited':
      if (exit.code !== 0) return { kind: 'exit-code', text: exitText(exit.code, reading.stderr, event) };
      return brokenOutput(reading.stdout);
  }
}

function exitText(code: number, stderr: string, event: HookEvent): string {
  const said = stderr.trim();
  const meaning =
    code === 127 || code === 126
      ? ` (${code === 127 ? 'not found' : 'not executable'}; a relative path counts from ${event.cwd ?? 'the working folder'})`
      : '';
  return `exit code ${code}${meaning}${said === '' ? '' : `: ${cut(said, 1000)}`}`;
}
