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

const memoryField = (status, name) => Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1] ?? 0) / 1024;

/** Resident memory of a process in MB, now and at most so far; undefined when it has ended. */
function memoryNow(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return { now: memoryField(status, 'VmRSS'), peak: memoryField(status, 'VmHWM') };
  } catch {
    return undefined;
  }
}

/** Peak memory of one run in MB, or undefined where /proc does not tell it. */
export async function peakOf({ command, input = '', cwd, env }) {
  if (process.platform !== 'linux') return undefined;
  const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ['pipe', 'ignore', 'ignore'] });
  let peak = 0;
  let running = true;
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const watch = () => {
    if (!running) return;
    peak = Math.max(peak, memoryNow(child.pid)?.peak ?? 0);
    setImmediate(watch);
  };
  watch();
  await ended;
  running = false;
  return peak;
}

/** Memory of one run in MB when so many lines have come from it, or undefined where /proc does not tell it. */
export async function memoryOf({ command, input = '', cwd, env }, atLines) {
  if (process.platform !== 'linux') return undefined;
  const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const found = [];
  let lines = 0;
  child.stdout.on('data', (chunk) => {
    for (const byte of chunk) {
      if (byte !== 10) continue;
      lines += 1;
      // The last is not waited for: by then the program may have ended.
      if (lines === atLines[found.length] - 1) found.push(memoryNow(child.pid));
    }
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  await new Promise((resolve) => child.once('exit', resolve));
  return found.length === atLines.length && !found.includes(undefined) ? found : undefined;
}
