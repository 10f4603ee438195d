import type { RunOptions } from './options.ts';
import type { Prepared } from './prepare.ts';
import type { Report } from './report.ts';
import { maskSecrets } from './secrets.ts';
import { plain } from './shown.ts';
import { toJson } from './to-json.ts';
import type { World } from './world.ts';

/** Prints the one document that goes to stdout: one line into a pipe, indented on a terminal. Returns the exit code. */
export async function printDecision(report: Report, world: World): Promise<number> {
  await world.stdout.write(`${toJson(report.decision, world.stdout.isTTY ? 2 : undefined)}\n`);
  return report.exitCode;
}

/**
 * Says the decision in the agent's own hook protocol, as one hook of it would. What hookrun could not decide is a denial there: 2,
 * with the reason on stderr, which all of these agents understand.
 */
export async function printAsHook(report: Report, prepared: Prepared | undefined, world: World): Promise<number> {
  const { decision } = report;
  if (prepared === undefined || decision.error !== undefined || decision.cause === 'untrusted') {
    const reason = decision.reason ?? decision.error?.message ?? 'hookrun could not decide';
    await world.stderr.write(`${maskSecrets(plain(reason))}\n`);
    return 2;
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
  const never = ['nested', 'switched-off'];
  if (said.code === 0)
    for (const { code, message } of decision.warnings ?? [])
      if (never.includes(code)) await world.stderr.write(`hookrun: ${plain(message)} [${code}]\n`);
  if (said.stderr !== '') await world.stderr.write(said.stderr);
  if (said.stdout !== '') await world.stdout.write(said.stdout);
  return said.code;
}

/** Prints a report the way `--output` asks for. Returns the exit code. */
export async function print(
  report: Report,
  prepared: Prepared | undefined,
  output: RunOptions['output'],
  world: World,
): Promise<number> {
  return output === 'hook' ? printAsHook(report, prepared, world) : printDecision(report, world);
}
