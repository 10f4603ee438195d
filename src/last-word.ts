import type { World } from './world.ts';

/**
 * The world of a process that does nothing but run hookrun: a signal that comes when the decision has been made ends the process with the decision's
 * code, not with the signal's. Without this a denial that is on stdout already could be followed by 143.
 */
export function withLastWord(world: World): World {
  return {
    ...world,
    onSignal(callback) {
      let current: typeof callback = callback;
      const stop = world.onSignal((name) => current(name));
      return () => {
        current = (name) => {
          if (process.exitCode !== undefined) process.exit();
          // Told to end for good before there is a decision.
          stop();
          process.kill(process.pid, name);
        };
      };
    },
  };
}
