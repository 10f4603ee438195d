import { nowMs } from './clock.ts';
import type { TellOptions } from './options.ts';
import type { World } from './world.ts';

/** Counts what became of the events of a stream, shows how far it is on a terminal, and sums up at the end. */
export interface Tally {
  count(exitCode: number): void;
  /** The worst exit code so far. */
  readonly worst: number;
  report(): Promise<void>;
}

/** From best to worst: hookrun's own failures are worse than any decision, since nobody decided there. */
const ranking = [0, 3, 2, 4, 77, 64, 65, 66, 78, 1];
const rankOf = (code: number): number => (ranking.includes(code) ? ranking.indexOf(code) : ranking.length);

const names: Readonly<Record<number, string>> = {
  0: 'allowed',
  2: 'denied',
  3: 'asked',
  4: 'stopped',
  77: 'not trusted',
};

/** How often the line on a terminal changes, in ms. */
const everyMs = 200;

export function createTally(options: TellOptions, world: World): Tally {
  const counts = new Map<number, number>();
  const began = nowMs();
  let worst = 0;
  let total = 0;
  let shown = 0;
  const summary = (): string => {
    const parts = [...counts].sort(([a], [b]) => rankOf(a) - rankOf(b));
    const words = parts.map(([code, count]) => `${count} ${names[code] ?? `failed with ${code}`}`);
    const seconds = Math.max(0.001, (nowMs() - began) / 1000);
    return `${total} event${total === 1 ? '' : 's'}${words.length === 0 ? '' : `: ${words.join(', ')}`} (${seconds.toFixed(1)} s, ${Math.round(total / seconds)} a second)`;
  };
  const isLive = world.stderr.isTTY && !options.quiet;
  return {
    count(exitCode) {
      total += 1;
      counts.set(exitCode, (counts.get(exitCode) ?? 0) + 1);
      if (rankOf(exitCode) > rankOf(worst)) worst = exitCode;
      const now = nowMs();
      if (!isLive || now - shown < everyMs) return;
      shown = now;
      void world.stderr.write(`\r\u001b[2K${summary()}`);
    },
    get worst() {
      return worst;
    },
    async report() {
      if (options.quiet) return;
      await world.stderr.write(`${isLive && shown > 0 ? '\r\u001b[2K' : ''}${summary()}\n`);
      if ((counts.get(65) ?? 0) > 0)
        await world.stderr.write('  a stream has one payload a line; jq -c . makes such lines of any JSON\n');
    },
  };
}
