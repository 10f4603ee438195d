import type { Mask } from './mask.ts';
import type { RunOptions } from './options.ts';
import type { Prepared } from './prepare.ts';
import type { Report } from './report.ts';
import { jsonForTerminal, plain, plainLines } from './shown.ts';
import { toJson } from './to-json.ts';
import type { World } from './world.ts';

/** What a run prints, and the code that it ends with. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

type Streams = Pick<World, 'stdout' | 'stderr'>;

/** The report in the way that `--output` asks for. */
export function spoken(
  report: Report,
  prepared: Prepared | undefined,
  output: RunOptions['output'],
  mask: Mask,
  streams: Streams,
): Printed {
  return output === 'hook' ? asHook(report, prepared, mask, streams) : asDocument(report, streams);
}

/** The one document that goes to stdout: one line into a pipe, indented on a terminal. */
export function asDocument({ decision, exitCode }: Report, { stdout }: Pick<Streams, 'stdout'>): Printed {
  const text = stdout.isTTY ? jsonForTerminal(toJson(decision, 2)) : toJson(decision);
  return { stdout: `${text}\n`, stderr: '', code: exitCode };
}

/** Prints the document. Returns the exit code. */
export const printDecision = (report: Report, world: Streams): Promise<number> =>
  write(asDocument(report, world), world);

/**
 * The decision in the agent's own hook protocol, as one hook of it would say it. What hookrun could not decide is a denial there: 2,
 * with the reason on stderr, which all of these agents understand.
 */
function asHook({ decision }: Report, prepared: Prepared | undefined, mask: Mask, streams: Streams): Printed {
  if (prepared === undefined || decision.error !== undefined || decision.cause === 'untrusted') {
    const reason = decision.reason ?? decision.error?.message ?? 'hookrun could not decide';
    return { stdout: '', stderr: `${plain(mask.text(reason))}\n`, code: 2 };
  }
  const { format, event } = prepared;
  const said = format.speak({
    event,
    ruling: decision.decision ?? 'allow',
    reason: decision.reason ?? '',
    effects: decision.effects ?? {},
    native: decision.native,
    failed: decision.cause === 'hook_failure',
  });
  // On an allow nobody reads stderr as the reason, so what must never go unsaid is said there.
  const never = ['nested', 'switched-off', 'log-unwritable'];
  const notes =
    said.code === 0
      ? (decision.warnings ?? [])
          .filter((warning) => never.includes(warning.code))
          .map(({ code, message }) => `hookrun: ${plain(mask.text(message))} [${code}]\n`)
      : [];
  return {
    stdout: streams.stdout.isTTY ? plainLines(said.stdout) : said.stdout,
    stderr: notes.join('') + (streams.stderr.isTTY ? plainLines(said.stderr) : said.stderr),
    code: said.code,
  };
}

/** Writes it. Returns the exit code. */
export async function write({ stdout, stderr, code }: Printed, streams: Streams): Promise<number> {
  if (stderr !== '') await streams.stderr.write(stderr);
  if (stdout !== '') await streams.stdout.write(stdout);
  return code;
}
