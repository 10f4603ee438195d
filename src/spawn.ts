/** The only file that starts hooks. A failed hook is a value here, never an exception. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { nowMs } from './clock.ts';
import { fileStdio, type Stdio, socketStdio } from './stdio.ts';
import type { Exit, HookRun, Start } from './types.ts';

export interface Limits {
  /** Up to when the hook may run, in ms; Infinity for no bound. */
  readonly timeoutMs: number;
  /** What the bound is: the hook's own timeout, or the deadline of the whole run. */
  readonly boundBy: 'timeout' | 'deadline';
  /** Bytes of stdout and of stderr, each. */
  readonly outputBytes: number;
}

/** Starts hooks, and can end all that are still running. One object a run of hookrun. */
export interface Spawner {
  run(start: Start, stdin: string, limits: Limits): Promise<HookRun>;
  /** Ends the process groups of all unfinished hooks, SIGTERM first; their runs then resolve as usual. */
  interrupt(graceMs: number): void;
  /** SIGKILL to every group that is still there: the last thing before hookrun leaves on an error of its own. */
  killAll(): void;
  readonly interrupted: boolean;
}

/** After the hook itself has exited, what still comes on its pipes is read for this long (ms); then it is judged. */
export const drainMs = 100;
/** setTimeout takes no more; a larger value would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** How often a group that is being ended is looked at, in ms. */
const pollMs = 10;
/** How long a process gets to die of SIGKILL, in ms. */
const unkillableMs = 2000;

type Ending = 'timed-out' | 'output-limit' | 'interrupted';

interface Live {
  end(why: Ending, graceMs: number): void;
  kill(): void;
}

/** @param files where unlinked files for `stdio: 'files'` are made, and a fresh name for each. */
export function createSpawner(files: { readonly folder: string; readonly name: () => string }): Spawner {
  const live = new Set<Live>();
  let interrupted = false;

  const run = (start: Start, stdin: string, limits: Limits): Promise<HookRun> =>
    new Promise((resolve) => {
      const began = nowMs();
      const notStarted = (why: string, error?: unknown): void =>
        resolve({
          exit: { kind: 'not-started', why, ...(error instanceof Error ? { error: error.message } : {}) },
          stdout: Buffer.alloc(0),
          stderr: Buffer.alloc(0),
          durationMs: nowMs() - began,
          held: false,
          // A hook that can't be started would not have been without the signal either.
          interrupted: interrupted && start.cannot === undefined,
        });
      if (start.cannot !== undefined) return notStarted(start.cannot);
      if (interrupted) return notStarted('hookrun was told to end before its turn came');
      if (limits.timeoutMs <= 0 && limits.boundBy === 'deadline')
        return notStarted('the deadline had passed before its turn came');

      let stdio: Stdio;
      let child: ChildProcess;
      try {
        stdio =
          start.stdio === 'files'
            ? fileStdio(stdin, limits.outputBytes, files.folder, files.name)
            : socketStdio(stdin, limits.outputBytes);
        // detached: the hook leads a session and a process group of its own, so that all it starts can be ended with it.
        child = spawn(start.file, start.args, {
          cwd: start.cwd,
          env: start.env,
          stdio: stdio.options,
          detached: true,
        });
      } catch (error) {
        return notStarted(whyNotStarted(error, start), error);
      }
      child.once('error', (error) => {
        // 'error' also follows a failed kill; only a child without a pid was never there.
        if (child.pid !== undefined) return;
        stdio.finish();
        notStarted(whyNotStarted(error, start), error);
      });
      if (child.pid === undefined) return;

      const pid = child.pid;
      let ending: Ending | undefined;
      let early: { stdout: number; stderr: number } | undefined;
      let exited = false;
      let boundTimer: NodeJS.Timeout | undefined;
      let graceTimer: NodeJS.Timeout | undefined;
      let graceEnds = 0;

      const self: Live = {
        end(why, graceMs) {
          if (ending !== undefined || exited) return;
          ending = why;
          graceEnds = nowMs() + graceMs;
          void stdio.settle().then(() => {
            if (why === 'timed-out') early = stdio.lengths();
            signalGroup(pid, 'SIGTERM');
            if (exited) return;
            graceTimer = setTimeout(() => lastResort(), Math.max(0, graceEnds - nowMs()));
          });
        },
        kill() {
          if (!exited) signalGroup(pid, 'SIGKILL');
        },
      };
      // A process that hangs inside the kernel does not even die of SIGKILL: then the run ends without it.
      const lastResort = (): void => {
        signalGroup(pid, 'SIGKILL');
        graceTimer = setTimeout(() => ended(null, 'SIGKILL'), unkillableMs);
      };
      const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (exited) return;
        exited = true;
        clearTimeout(boundTimer);
        clearTimeout(graceTimer);
        child.unref();
        void finish(code, signal);
      };
      live.add(self);
      stdio.attach(child, () => self.end('output-limit', start.graceMs));
      if (limits.timeoutMs <= longestTimer)
        boundTimer = setTimeout(() => self.end('timed-out', start.graceMs), Math.max(1, limits.timeoutMs));

      child.once('exit', ended);

      const finish = async (code: number | null, signal: NodeJS.Signals | null): Promise<void> => {
        const durationMs = nowMs() - began;
        await stdio.settle();
        early ??= stdio.lengths();
        // A hook that ended in time may leave something running; one that was ended may not.
        if (ending !== undefined) await endOfGroup(pid, graceEnds);
        const held = await stdio.drain(drainMs);
        const { stdout, stderr, unread } = stdio.finish();
        live.delete(self);
        const isLate = stdout.length > early.stdout || stderr.length > early.stderr;
        resolve({
          exit: exitOf(ending, code, signal, limits),
          stdout,
          stderr,
          durationMs,
          early: isLate ? early : undefined,
          held: held && ending === undefined,
          interrupted: ending === 'interrupted',
          unread,
        });
      };
    });

  return {
    run,
    interrupt(graceMs) {
      interrupted = true;
      for (const one of live) one.end('interrupted', graceMs);
    },
    killAll() {
      interrupted = true;
      for (const one of live) one.kill();
    },
    get interrupted() {
      return interrupted;
    },
  };
}

function exitOf(ending: Ending | undefined, code: number | null, signal: string | null, limits: Limits): Exit {
  const known = code === null ? {} : { code };
  if (ending === 'timed-out') return { kind: 'timed-out', afterMs: limits.timeoutMs, by: limits.boundBy, ...known };
  if (ending === 'output-limit') return { kind: 'output-limit', ...known };
  return code === null ? { kind: 'signalled', signal: signal ?? 'unknown' } : { kind: 'exited', code };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already, or nobody in it may be signalled: either way there is nothing more that can be done.
  }
}

/** Waits until nothing of the group is left, and sends SIGKILL when its time is up. */
async function endOfGroup(pid: number, until: number): Promise<void> {
  while (isGroupAlive(pid)) {
    if (nowMs() >= until) {
      signalGroup(pid, 'SIGKILL');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
  } catch {
    return false;
  }
  return !onlyZombies(pid);
}

/** Where nobody reaps orphans (a container without an init), dead grandchildren keep their group in being for ever. */
function onlyZombies(group: number): boolean {
  if (process.platform !== 'linux') return false;
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return false;
  }
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // pid (comm) state ppid pgrp: comm may hold anything, so count from its last bracket.
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(pgrp) === group && state !== 'Z' && state !== 'X') return false;
    } catch {
      // It ended while we looked.
    }
  }
  return true;
}

function whyNotStarted(error: unknown, start: Start): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') {
    // The system call names the program even where it is the folder that is missing.
    try {
      if (!statSync(start.cwd).isDirectory()) return `the working folder ${start.cwd} is not a folder`;
    } catch {
      return `the working folder ${start.cwd} does not exist`;
    }
    if (code === 'EACCES') return `${start.file} or the working folder ${start.cwd} may not be used (EACCES)`;
    return `${start.file} was not found on PATH`;
  }
  if (code === 'E2BIG') return 'the command or its environment is too large for the system (E2BIG)';
  return code === undefined ? message : `${message}`;
}
