import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { InterruptSignal } from '../../src/exit-codes.ts';
import { type Interrupts, watchInterrupts } from '../../src/interrupts.ts';
import type { Spawner } from '../../src/spawn.ts';
import type { World } from '../../src/world.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Watched {
  readonly interrupts: Interrupts;
  readonly told: string[];
  signal(name: InterruptSignal): void;
}

function watch(): Watched {
  let callback = (_name: InterruptSignal): void => {};
  const told: string[] = [];
  const world: Pick<World, 'onSignal'> = {
    onSignal(listener) {
      callback = listener;
      return () => void told.push('stop');
    },
  };
  const spawner: Pick<Spawner, 'interrupt' | 'killAll'> = {
    interrupt: () => void told.push('interrupt'),
    killAll: () => void told.push('kill'),
  };
  const interrupts = watchInterrupts(world as World, spawner as Spawner);
  return { interrupts, told, signal: (name) => callback(name) };
}

describe('work that a signal interrupts', () => {
  it('is as it would be without one', async () => {
    const { interrupts } = watch();
    await expect(interrupts.orInterrupted(Promise.resolve(7))).resolves.toBe(7);
    await expect(interrupts.orInterrupted(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('ends with the signal, and so does all that comes later', async () => {
    const { interrupts, signal, told } = watch();
    const never = interrupts.orInterrupted(new Promise(() => {}));
    signal('SIGTERM');
    await expect(never).rejects.toMatchObject({ kind: 'SIGTERM' });
    await expect(interrupts.orInterrupted(new Promise(() => {}))).rejects.toMatchObject({ kind: 'SIGTERM' });
    signal('SIGINT');
    expect(told).toEqual(['interrupt', 'kill', 'stop']);
    expect(interrupts.signal).toBe('SIGTERM');
  });

  it('is not held on to when it is done, however long a stream lasts', async () => {
    const { interrupts } = watch();
    const done = await (async () => {
      const result = await interrupts.orInterrupted(Promise.resolve({ large: 'x'.repeat(1000) }));
      return new WeakRef(result);
    })();
    // What was touched in this turn of the loop is kept to its end.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(done.deref()).toBeUndefined();
    expect(interrupts.signal).toBeUndefined();
  });
});
