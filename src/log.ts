import type { HookResult } from './decision-schema.ts';
import type { Mask } from './mask.ts';
import type { LogOptions } from './options.ts';
import type { Prepared } from './prepare.ts';
import type { Ran, Report } from './report.ts';
import { toJson } from './to-json.ts';
import type { Outcome } from './types.ts';

/** A payload over this size is left out of the log, in UTF-16 units. */
const longestPayload = 1024 * 1024;

/** What the log says about one run, as one line of JSON with its line end, secrets masked. Pure. */
export function logLine(
  { decision, ran = [] }: Report,
  exit: number,
  prepared: Prepared | undefined,
  options: LogOptions,
  mask: Mask,
  time: string,
): string {
  const { event, reason, cause, decidedBy, dryRun, error, skipped, warnings, durationMs } = decision;
  const [main, ...followed] = ran;
  const record = {
    time,
    version: __VERSION__,
    project: prepared?.where.project,
    session: prepared?.event.sessionId,
    event: event ?? eventOf(prepared),
    dryRun,
    decision: decision.decision,
    cause,
    reason,
    decidedBy,
    exit,
    error,
    hooks: hooksOf(decision.hooks ?? [], main, options, mask),
    skipped: skipped?.map(({ name, source, why }) => ({ name, scope: source?.scope, path: source?.path, why })),
    followed:
      followed.length === 0
        ? undefined
        : followed.map((one) => ({ event: one.event.name, hooks: hooksOf(one.hooks, one, options, mask) })),
    warnings: warnings?.map((warning) => warning.code),
    durationMs,
    payload: options.payload ? payloadOf(prepared) : undefined,
  };
  return `${mask.json(toJson(record))}\n`;
}

const eventOf = (prepared: Prepared | undefined): object | undefined =>
  prepared === undefined
    ? undefined
    : { format: prepared.format.name, name: prepared.event.name, target: prepared.event.target };

function hooksOf(results: readonly HookResult[], ran: Ran | undefined, options: LogOptions, mask: Mask): object[] {
  return results.map((result, index) => {
    const { name, source, verdict, failure, counted, exit, durationMs } = result;
    const outcome = ran?.outcomes[index];
    return {
      name,
      scope: source.scope,
      path: source.path,
      verdict,
      failure,
      counted,
      exit,
      durationMs,
      ...(outcome === undefined ? {} : sizesOf(outcome)),
      // Shown output is masked with the hook's own environment already, and cut.
      ...(options.payload ? { stdout: result.stdout, stderr: result.stderr, command: mask.text(result.command) } : {}),
    };
  });
}

const sizesOf = ({ run }: Outcome): object => ({ stdoutBytes: run.stdout.length, stderrBytes: run.stderr.length });

const payloadOf = (prepared: Prepared | undefined): unknown =>
  prepared === undefined
    ? undefined
    : prepared.event.text.length > longestPayload
      ? 'left out: larger than 1 MiB'
      : prepared.event.payload;
