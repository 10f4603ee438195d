import type { Reporting } from './failed-call.ts';
import { logLine } from './log.ts';
import type { Mask } from './mask.ts';
import type { LogOptions } from './options.ts';
import type { Prepared } from './prepare.ts';
import { spoken, write } from './print.ts';
import type { Problem } from './problems.ts';
import type { Report } from './report.ts';
import { createTeller } from './tell.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/**
 * The end of every run, of one that failed too: the record in the log, what people read, the one document. Returns the exit code. The log
 * comes first, since not being able to write it is a warning, and never a changed decision.
 */
export async function finish(
  report: Report,
  prepared: Prepared | undefined,
  options: Reporting,
  mask: Mask,
  world: World,
  advice?: string,
): Promise<number> {
  const final = logged(report, prepared, options, mask, world);
  if (options.output === 'json') await createTeller(options.tell, world, mask).report(final.decision, advice);
  return await write(spoken(final, prepared, options.output, mask, world), world);
}

/** The report once its record is in the log; a log that can't be written is a warning in it, and never a changed decision. */
export function logged(
  report: Report,
  prepared: Prepared | undefined,
  options: Pick<Reporting, 'output' | 'log'>,
  mask: Mask,
  world: World,
): Report {
  if (options.log === undefined) return report;
  const why = tryLog(report, prepared, options.output, options.log, mask, world);
  return why === undefined ? report : withWarning(report, say('log-unwritable', { path: options.log.file }, why));
}

/** Why the record is not in the log, or undefined if it is. */
function tryLog(
  report: Report,
  prepared: Prepared | undefined,
  output: Reporting['output'],
  log: LogOptions,
  mask: Mask,
  world: World,
): string | undefined {
  try {
    const { code } = spoken(report, prepared, output, mask, world);
    world.appendFile(log.file, logLine(report, code, prepared, log, mask, world.now().toISOString()));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function withWarning(report: Report, { code, message, path }: Problem): Report {
  const warning = { code, message, ...(path === undefined ? {} : { path }) };
  return { ...report, decision: { ...report.decision, warnings: [...(report.decision.warnings ?? []), warning] } };
}
