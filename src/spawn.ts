/** The only file that has hooks started, whichever way the runtime starts a process. A failed hook is a value here, never an exception. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { Child, StartChild } from './child.ts';
import { nowMs } from './clock.ts';
import { fileStdio } from './file-stdio.ts';
import { pipeStdio } from './pipe-stdio.ts';
import { startOnPipes } from './real-pipes.ts';
import { type Stdio, socketStdio } from './stdio.ts';
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
  /**
   * Ends all unfinished hooks with all that they started, SIGTERM first; their runs then resolve as usual. One that is being ended
   * already gets no more than this grace.
   */
  interrupt(graceMs: number): void;
  /** SIGKILL to all that is still there: the last thing before hookrun leaves on an error of its own. */
  killAll(): void;
  readonly interrupted: boolean;
}

/** After the hook itself has exited, what still comes on its pipes is read for this long (ms); then it is judged. */
export const drainMs = 100;
/** setTimeout takes no more; a larger value would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** How often it is looked at what is left of a hook that is being ended: first and at most, in ms. */
const pollMs = { first: 10, most: 100 };
/** How long a process gets to die of SIGKILL, in ms. */
const unkillableMs = 2000;

type Ending = 'timed-out' | 'output-limit' | 'interrupted';

interface Live {
  end(why: Ending, graceMs: number): void;
  kill(): void;
}

/** @param files where unlinked files are made, for want of real pipes, and a fresh name for each. */
export function createSpawner(
  startChild: StartChild,
  files: { readonly folder: string; readonly name: () => string },
): Spawner {
  const live = new Set<Live>();
  let interrupted = false;
  let starts = 0;

  const run = async (start: Start, stdin: string, limits: Limits): Promise<HookRun> => {
    const began = nowMs();
    const isPiped = start.stdio === 'pipes' && start.cannot === undefined && !interrupted && limits.timeoutMs > 0;
    starts += 1;
    // Nobody has to be kept from guessing the word: it goes back and forth before any of the hook's own code runs.
    const waiting = isPiped
      ? await startOnPipes(start, `hookrun ${starts}`, startChild).catch(() => undefined)
      : undefined;
    return new Promise((resolve) => {
      const notStarted = (why: string, error?: unknown): void =>
        unable({ kind: 'not-started', why, ...(error instanceof Error ? { error: inNodesWords(error, start) } : {}) });
      const unable = (exit: Exit): void =>
        resolve({
          exit,
          stdout: Buffer.alloc(0),
          stderr: Buffer.alloc(0),
          durationMs: nowMs() - began,
          held: false,
          // A hook that can't be started would not have been without the signal either.
          interrupted: interrupted && start.cannot === undefined,
        });
      if (start.cannot !== undefined) return notStarted(start.cannot);
      if (interrupted) {
        waiting?.abandon();
        return notStarted('hookrun was told to end before its turn came');
      }
      if (limits.timeoutMs <= 0) {
        if (limits.boundBy === 'deadline') return notStarted('the deadline had passed before its turn came');
        return unable({ kind: 'timed-out', afterMs: 0, by: 'timeout' });
      }

      let made: Stdio | undefined;
      let child: Child;
      try {
        if (waiting !== undefined) {
          made = pipeStdio(waiting.ends, waiting.letGo, stdin, limits.outputBytes);
          child = waiting.child;
        } else {
          made =
            start.stdio === 'sockets'
              ? socketStdio(stdin, limits.outputBytes)
              : fileStdio(stdin, limits.outputBytes, files.folder, files.name);
          child = startChild(start, made.streams);
        }
      } catch (error) {
        made?.finish();
        return notStarted(whyNotStarted(error, start), error);
      }
      const stdio = made;
      if (child.pid === undefined) {
        void child.failed.then((error) => {
          stdio.finish();
          notStarted(whyNotStarted(error, start), error);
        });
        return;
      }

      const pid = child.pid;
      let ending: Ending | undefined;
      let early: { stdout: number; stderr: number } | undefined;
      let exited = false;
      let overLimit = false;
      let wasSignalled = false;
      let boundTimer: NodeJS.Timeout | undefined;
      let graceTimer: NodeJS.Timeout | undefined;
      let graceEnds = Number.POSITIVE_INFINITY;

      // A process that hangs inside the kernel does not even die of SIGKILL: then the run ends without it.
      const lastResort = (): void => {
        signalAll(pid, 'SIGKILL');
        graceTimer = setTimeout(() => ended(null, 'SIGKILL'), unkillableMs);
      };
      const waitForGrace = (): void => {
        clearTimeout(graceTimer);
        if (!exited) graceTimer = setTimeout(lastResort, Math.max(0, graceEnds - nowMs()));
      };
      const self: Live = {
        end(why, graceMs) {
          if (exited && ending === undefined) return;
          graceEnds = Math.min(graceEnds, nowMs() + graceMs);
          if (ending !== undefined) {
            if (graceTimer !== undefined) waitForGrace();
            return;
          }
          ending = why;
          void stdio.settle().then(() => {
            // What it says on being told to end must not undo a denial that already stands there.
            early ??= stdio.lengths();
            wasSignalled = !exited;
            signalAll(pid, 'SIGTERM');
            // A stopped process takes the signal only when it goes on.
            signalAll(pid, 'SIGCONT');
            waitForGrace();
          });
        },
        kill() {
          if (exited && ending === undefined) return;
          ending ??= 'interrupted';
          graceEnds = Math.min(graceEnds, nowMs());
          signalAll(pid, 'SIGKILL');
          waitForGrace();
        },
      };
      const ended = (code: number | null, signal: string | null): void => {
        if (exited) return;
        exited = true;
        // It ended by itself before anything was done to it.
        if (ending === 'timed-out' && !wasSignalled) ending = undefined;
        clearTimeout(boundTimer);
        clearTimeout(graceTimer);
        child.unref();
        void finish(code, signal);
      };
      live.add(self);
      stdio.attach(child, () => {
        overLimit = true;
        self.end('output-limit', start.graceMs);
      });
      if (limits.timeoutMs <= longestTimer)
        // When we were late ourselves (stopped, or busy), the hook may have ended in time and only not been seen yet: the loop looks at
        // processes once more before the time counts as up.
        boundTimer = setTimeout(
          () => {
            boundTimer = setTimeout(() => self.end('timed-out', start.graceMs), 1);
          },
          Math.max(1, limits.timeoutMs),
        );

      void child.ended.then(([code, signal]) => ended(code, signal));

      const finish = async (code: number | null, signal: string | null): Promise<void> => {
        const durationMs = nowMs() - began;
        await stdio.settle();
        early ??= stdio.lengths();
        // Its last words may come in only after its end; what others add from here on is not its doing.
        const how = ending ?? (overLimit ? 'output-limit' : undefined);
        // A hook that ended in time may leave something running; one that was ended may not.
        if (ending !== undefined) await endOfAll(pid, () => graceEnds);
        const held = await stdio.drain(drainMs);
        const { stdout, stderr, unread } = stdio.finish();
        live.delete(self);
        const isLate = stdout.length > early.stdout || stderr.length > early.stderr;
        resolve({
          exit: exitOf(how, code, signal, limits),
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
  };

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

/** Sends a signal to all that a hook started and that is within reach. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  for (const group of new Set([pid, ...(groupsInSession(pid) ?? [])])) {
    try {
      process.kill(-group, signal);
    } catch {
      // Gone already, or nobody in it may be signalled: either way there is nothing more that can be done.
    }
  }
}

/** Waits until nothing of a hook is left, with SIGKILL when its time is up. */
async function endOfAll(pid: number, until: () => number): Promise<void> {
  let killedAt: number | undefined;
  for (let wait = pollMs.first; isAnyAlive(pid); wait = Math.min(wait * 1.5, pollMs.most)) {
    const now = nowMs();
    // On a busy machine the time may be long up when it is looked at for the first time: what counts is the time since the kill.
    if (killedAt !== undefined && now - killedAt > unkillableMs) return;
    if (now >= until()) {
      killedAt ??= now;
      signalAll(pid, 'SIGKILL');
    }
    await new Promise((resolve) =>
      setTimeout(resolve, killedAt === undefined ? Math.min(wait, until() - now) : pollMs.first),
    );
  }
}

function isAnyAlive(pid: number): boolean {
  const groups = groupsInSession(pid);
  if (groups !== undefined) return groups.size > 0;
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/**
 * The process groups in a hook's session that hold something living; undefined where the system does not say. The hook's own group is
 * not all of it: `timeout` and shells with job control put what they start into groups of their own. Dead processes don't count:
 * where nobody reaps orphans (a container without an init), they keep their group in being for ever.
 */
function groupsInSession(session: number): ReadonlySet<number> | undefined {
  if (process.platform !== 'linux') return undefined;
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return undefined;
  }
  const groups = new Set<number>();
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // pid (comm) state ppid pgrp session: comm may hold anything, so count from its last bracket.
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, , group, itsSession] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(itsSession) === session && state !== 'Z' && state !== 'X') groups.add(Number(group));
    } catch {
      // It ended while we looked.
    }
  }
  return groups;
}

/** As node says it, which is what these agents show; other runtimes have words of their own. */
function inNodesWords(error: Error, { file }: Start): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return message;
  // Node tells the program only where it looked for it.
  return code === 'ENOENT' || code === 'EACCES' ? `spawn ${file} ${code}` : `spawn ${code}`;
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
