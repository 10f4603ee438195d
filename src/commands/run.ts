import { nowMs } from '../clock.ts';
import { decide } from '../decide.ts';
import { watchInterrupts } from '../interrupts.ts';
import type { RunOptions } from '../options.ts';
import { prepare } from '../prepare.ts';
import { print } from '../print.ts';
import { createSpawner } from '../spawn.ts';
import { createTeller } from '../tell.ts';
import type { World } from '../world.ts';

/**
 * `hookrun run`: one event in, its hooks run, one decision out. Returns the exit code. Throws `HookrunError` for what stands in the
 * way before a hook has said anything.
 */
export async function run(options: RunOptions, world: World): Promise<number> {
  const began = nowMs();
  const teller = createTeller(options.tell, world);
  const spawner = createSpawner({ folder: world.tmp, name: () => `.hookrun-${world.uuid()}` });
  const interrupts = watchInterrupts(world, spawner);
  try {
    const prepared = await interrupts.orInterrupted(prepare(options, world));
    const config = await interrupts.orInterrupted(prepared.format.load(prepared.where));
    const running = { config, spawner, interrupts, watcher: teller.live, began };
    const report = await decide(prepared, options, world, running);
    if (options.output === 'json') await teller.report(report.decision);
    return await print(report, prepared, options.output, world);
  } finally {
    spawner.killAll();
    teller.live.stop();
    interrupts.stop();
  }
}
