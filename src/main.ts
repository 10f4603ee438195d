import { parseCall } from './cli.ts';
import { fail } from './fail.ts';
import { reportingOf } from './failed-call.ts';
import { readOwn } from './own-settings/own.ts';
import type { World } from './world.ts';

/**
 * hookrun, whole: takes the arguments after the program's name, does what they ask for in the world it is handed, and returns the
 * exit code. Never throws: whatever goes wrong ends as a document on stdout and a code.
 */
export async function main(argv: readonly string[], world: World): Promise<number> {
  const own = await readOwn(world);
  try {
    const call = await parseCall(argv, world, own);
    if (call.command === 'print') {
      await world.stdout.write(call.text);
      return 0;
    }
    if (call.command === 'trust') return await (await import('./commands/trust.ts')).trust(call.options, world);
    if (call.command === 'untrust') return await (await import('./commands/untrust.ts')).untrust(call.options, world);
    if (call.command === 'stream')
      return await (await import('./commands/stream.ts')).stream(call.options, own.error, world);
    const { run } = await import('./commands/run.ts');
    return await run(call.options, own.error, world);
  } catch (error) {
    return await fail(error, reportingOf(argv, own.settings, world.cwd), undefined, world);
  } finally {
    world.stdin.close();
  }
}
