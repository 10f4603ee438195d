/** One writer at a time, across processes: a lock file that holds who has it. */

import { linkSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** How long to wait for the lock, and how often it is looked at, in ms. */
export const patienceMs = 20_000;
const pollMs = 5;
/** A lock of another machine (a shared home) can't be asked whether it lives; it is held for a moment only, so an old one is dead. */
const foreignMs = 60_000;
/** How many breakers of locks may have died one after the other. */
const deepest = 3;

interface Holder {
  readonly pid: number;
  /** When the process started, as the system counts it: a process id may be used again. */
  readonly start: string;
  readonly host: string;
  /** Never the same twice. */
  readonly token: string;
}

/**
 * Does the work while holding the lock. The lock of a process that died is broken. Throws an Error when the lock can't be had in time.
 *
 * The file appears with its content in one step (a hard link that fails where it exists), so no half of a lock can be left behind.
 */
export async function withLock<T>(path: string, work: () => T): Promise<T> {
  const holder = { pid: process.pid, start: startOf(process.pid), host: hostname(), token: newToken() };
  for (const end = Date.now() + patienceMs; ; ) {
    if (take(path, holder)) break;
    breakIfDead(path, deepest);
    if (Date.now() > end) throw new Error(`another hookrun holds ${path}; remove it if there is none`);
    await new Promise((resolve) => setTimeout(resolve, pollMs + Math.random() * pollMs * 4));
  }
  try {
    return work();
  } finally {
    // Nobody else removes the lock of a living process, so it is this one's.
    rmSync(path, { force: true });
  }
}

const newToken = (): string =>
  `${process.pid.toString(36)}${process.hrtime.bigint().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

function take(path: string, holder: Holder): boolean {
  const own = `${path}.${holder.token}`;
  writeFileSync(own, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK') throw error;
    return takeWithoutLinks(path, holder);
  } finally {
    rmSync(own, { force: true });
  }
}

/** On a file system without hard links; a crash at just the wrong moment then leaves an empty lock, which a person has to remove. */
function takeWithoutLinks(path: string, holder: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock whose holder is dead. Two that see the same dead lock must not both remove "it": the slower one would take away the
 * next holder's. So who removes it holds a lock on that, named by the dead one's token, and looks again under it: only then can the file
 * not have changed hands. That lock's holder may die as well, and is treated in the same way.
 */
function breakIfDead(path: string, depth: number): void {
  const seen = read(path);
  if (seen === undefined || isAlive(seen, path)) return;
  if (depth === 0) throw new Error(`${path} belongs to a process that died; remove it`);
  const marker = `${path}.${seen.token}.broken`;
  const breaker = { pid: process.pid, start: startOf(process.pid), host: hostname(), token: newToken() };
  if (!take(marker, breaker)) {
    breakIfDead(marker, depth - 1);
    return;
  }
  try {
    if (read(path)?.token === seen.token) unlinkSync(path);
  } finally {
    unlinkSync(marker);
  }
}

function read(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { pid, start, host, token } = JSON.parse(text) as Partial<Record<keyof Holder, unknown>>;
    if (Number.isSafeInteger(pid) && typeof start === 'string' && typeof host === 'string' && /^\w+$/.test(`${token}`))
      return { pid: pid as number, start, host, token: `${token}` };
  } catch {
    // Said below.
  }
  throw new Error(`${path} is no lock of hookrun; remove it`);
}

function isAlive({ pid, start, host }: Holder, path: string): boolean {
  if (host !== hostname()) {
    try {
      return Date.now() - statSync(path).mtimeMs < foreignMs;
    } catch {
      return true;
    }
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  const now = startOf(pid);
  return now === '' || start === '' || now === start;
}

/** When a process started, in the system's own ticks; empty where the system does not say. */
function startOf(pid: number): string {
  try {
    // Counted from the last bracket, since the name before it may hold anything: state is the first field there, start the 20th.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
