// Starts programs and measures them: time from start to end, and peak memory where the system tells.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Milliseconds that one run takes. Throws when it does not end as it should. */
export function timeOf({ name, command, input = '', cwd, env, status = 0 }) {
  const began = performance.now();
  const run = spawnSync(command[0], command.slice(1), { cwd, env, input, maxBuffer: 1 << 30 });
  const took = performance.now() - began;
  if (run.status !== status) throw new Error(`${name} ended with ${run.status}: ${run.stderr}`);
  return took;
}

/** Medians of all programs, measured in turns (A B C A B C …), so that whatever else the machine does falls on all of them. */
export function mediansOf(programs, rounds) {
  const times = programs.map(() => []);
  for (let round = 0; round < rounds + 2; round += 1)
    for (const [index, program] of programs.entries()) {
      const took = timeOf(program);
      // The first rounds only warm the caches of the system.
      if (round >= 2) times[index].push(took);
    }
  return times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]);
}

/** Peak memory of one run in MB, or undefined where /proc does not tell it. `atEvent`: also the peak after so many lines of stdout. */
export async function peakOf({ command, input = '', cwd, env }, atEvent) {
  if (process.platform !== 'linux') return undefined;
  const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  let peak = 0;
  let early = 0;
  let lines = 0;
  let running = true;
  const look = () => {
    try {
      peak = Math.max(
        peak,
        Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1'))?.[1] ?? 0) / 1024,
      );
    } catch {
      // It has ended.
    }
  };
  child.stdout.on('data', (chunk) => {
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (atEvent !== undefined && early === 0 && lines >= atEvent) {
      look();
      early = peak;
    }
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const watch = () => {
    if (!running) return;
    look();
    setImmediate(watch);
  };
  watch();
  await ended;
  running = false;
  return { peak, early };
}
