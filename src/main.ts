import { onFailureOf, outputOf, parseCall } from './cli.ts';
import { HookrunError } from './errors.ts';
import type { RunOptions } from './options.ts';
import { print } from './print.ts';
import { reportError } from './report.ts';
import { createTeller } from './tell.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/**
 * hookrun, whole: takes the arguments after the program's name, does what they ask for in the world it is handed, and returns the
 * exit code. Never throws: whatever goes wrong ends as a document on stdout and a code.
 */
export async function main(argv: readonly string[], world: World): Promise<number> {
  let options: RunOptions | undefined;
  try {
    const call = parseCall(argv, world);
    if (call.command === 'print') {
      await world.stdout.write(call.text);
      return 0;
    }
    if (call.command === 'trust') return await (await import('./commands/trust.ts')).trust(call.options, world);
    if (call.command === 'untrust') return await (await import('./commands/untrust.ts')).untrust(call.options, world);
    options = call.options;
    const { run } = await import('./commands/run.ts');
    return await run(options, world);
  } catch (error) {
    return await fail(error, argv, options, world);
  } finally {
    world.stdin.close();
  }
}

/** `options` is undefined where the arguments could not be understood; then they are only looked through for what matters here. */
async function fail(
  error: unknown,
  argv: readonly string[],
  options: RunOptions | undefined,
  world: World,
): Promise<number> {
  const known =
    error instanceof HookrunError
      ? error
      : new HookrunError('bug', say('bug', {}, error instanceof Error ? error.message : String(error)));
  const report = reportError(known, options?.onFailure ?? onFailureOf(argv));
  const output = options?.output ?? outputOf(argv);
  const tell = options?.tell ?? { quiet: false, verbose: false, color: undefined };
  if (output === 'json') await createTeller(tell, world).report(report.decision, known.advice);
  return await print(report, undefined, output, world);
}
