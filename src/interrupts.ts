import { HookrunError } from './errors.ts';
import type { InterruptSignal } from './exit-codes.ts';
import type { Spawner } from './spawn.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** How long hooks get to end by themselves when hookrun is told to end, in ms: somebody waits for it. */
const patienceMs = 1000;

/** SIGHUP, SIGINT and SIGTERM to hookrun, as something that the stages can ask and wait for. */
export interface Interrupts {
  readonly signal: InterruptSignal | undefined;
  /** The work, or `HookrunError` as soon as a signal comes: for work that no hook is part of. */
  orInterrupted<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

/** A signal ends the hooks that are running, a second one at once; a third is hookrun's own end. */
export function watchInterrupts(world: World, spawner: Spawner): Interrupts {
  let signal: InterruptSignal | undefined;
  let given: HookrunError | undefined;
  // Not one promise that all race against: it would hold on to every piece of work of a stream for as long as that lasts.
  const waiting = new Set<(error: HookrunError) => void>();
  const stop = world.onSignal((name) => {
    if (signal !== undefined) {
      spawner.killAll();
      // No hook is left to wait for, so what may still hold hookrun is a reader that does not read.
      stop();
      return;
    }
    signal = name;
    spawner.interrupt(patienceMs);
    given = new HookrunError(name, say('interrupted', {}, name));
    for (const reject of waiting) reject(given);
    waiting.clear();
  });
  return {
    get signal() {
      return signal;
    },
    orInterrupted(work) {
      if (given !== undefined) return Promise.race([work, Promise.reject(given)]);
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        const settle =
          <T>(how: (value: T) => void) =>
          (value: T): void => {
            waiting.delete(reject);
            how(value);
          };
        work.then(settle(resolve), settle(reject));
      });
    },
    stop,
  };
}
