import { nowMs } from '../clock.ts';
import { decide } from '../decide.ts';
import type { HookrunError } from '../errors.ts';
import { fail } from '../fail.ts';
import { finish } from '../finish.ts';
import { watchInterrupts } from '../interrupts.ts';
import { createMask } from '../mask.ts';
import type { RunOptions } from '../options.ts';
import { optionsByFlag } from '../own-settings/project.ts';
import { type Prepared, prepare } from '../prepare.ts';
import { createSpawner } from '../spawn.ts';
import { createTeller } from '../tell.ts';
import type { World } from '../world.ts';

/**
 * `hookrun run`: one event in, its hooks run, one decision out. Returns the exit code. `unfit`: why the settings are not fit to run with.
 * What stands in the way before a hook has said anything is reported here too, as the options have it by then.
 */
export async function run(asked: RunOptions, unfit: HookrunError | undefined, world: World): Promise<number> {
  const began = nowMs();
  const mask = createMask([world.env], world.fs);
  const teller = createTeller(asked.tell, world, mask);
  const spawner = createSpawner(world.startChild, { folder: world.tmp, name: () => `.hookrun-${world.uuid()}` });
  const interrupts = watchInterrupts(world, spawner);
  let options = asked;
  let prepared: Prepared | undefined;
  const settled = (counting: RunOptions): void => {
    options = counting;
  };
  try {
    if (unfit !== undefined) throw unfit;
    prepared = await interrupts.orInterrupted(prepare(options, world));
    const config = await interrupts.orInterrupted(prepared.format.load(prepared.where));
    const running = { config, spawner, interrupts, watcher: teller.live, mask, settled, began };
    const report = await decide(prepared, options, world, running);
    return await finish(report, prepared, options, mask, world);
  } catch (error) {
    // A config that does not load ends the run before the project is asked; trusted by a flag, it has its say all the same.
    if (prepared !== undefined && options === asked) options = await optionsByFlag(asked, prepared.where);
    return await fail(error, options, prepared, world);
  } finally {
    spawner.killAll();
    teller.live.stop();
    interrupts.stop();
  }
}
