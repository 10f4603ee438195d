/**
 * Real pipes as a program's stdin, stdout and stderr. Node can't make any: what it calls pipes are sockets, and `/dev/stdin`, `/dev/stdout`
 * and `/dev/stderr` can't be opened on a socket. A shell can: a here-document is a pipe with a few bytes in it, and on Linux any process
 * of the same user may open the other end of it under /proc. So the program is started by a shell that makes three such pipes, waits until we
 * have opened our ends, puts the pipes in place and then becomes the program (`exec`: the same process, no further one).
 */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Child, StartChild } from './child.ts';
import type { Start } from './types.ts';

/** Our ends of the pipes. All are non-blocking and are to be closed by whoever holds them. */
export interface PipeEnds {
  readonly stdin: number;
  /** The same end of stdin that the program has: what is left in the pipe can be read with it. */
  readonly stdinRest: number;
  readonly stdout: number;
  readonly stderr: number;
}

/** A program that is ready and waits to be let go. */
export interface Waiting {
  readonly child: Child;
  readonly ends: PipeEnds;
  letGo(): void;
  /** It never becomes the program. The ends are closed. */
  abandon(): void;
}

/**
 * The word in $1 comes back out of each pipe, which proves that it is the right one. Whatever fails before `exec` ends the shell, and nobody
 * has let it go by then.
 */
const prelude = `exec 3<<hookrun 4<<hookrun 5<<hookrun
$1
hookrun
$1
hookrun
$1
hookrun
exec 6>/proc/self/fd/4 7>/proc/self/fd/5
echo; read hookrun_go || exit
exec 0<&3 1>&6 2>&7 3<&- 4<&- 5<&- 6>&- 7>&-
shift; exec "$@"`;

/** How long a shell may take to make the pipes, in ms; a busy machine needs some hundred. */
const patience = 5000;

/** Set once a shell here has turned out to be none that can do this (a here-document that is a file, no /proc). */
let unable = false;

/**
 * Starts a program on real pipes and stops right before its first instruction. Undefined where that is not possible here: another system than
 * Linux, or a shell that does it otherwise. Throws as `StartChild` does where the arguments can't be passed at all.
 */
export async function startOnPipes(start: Start, word: string, startChild: StartChild): Promise<Waiting | undefined> {
  if (process.platform !== 'linux' || unable) return undefined;
  const args = ['-c', prelude, 'sh', word, start.file, ...start.args];
  const child = startChild({ file: 'sh', args, cwd: start.cwd, env: start.env }, ['pipe', 'pipe', 'ignore']);
  const isReady = await becomesReady(child);
  const ends = isReady ? openEnds(child.pid!, word) : undefined;
  if (ends === undefined) {
    // A program that can't be started is no fault of the shell's: the caller tries again without pipes, and finds out.
    unable = isReady;
    discard(child);
    return undefined;
  }
  return {
    child,
    ends,
    letGo: () => child.stdin?.end('\n'),
    abandon() {
      discard(child);
      for (const fd of Object.values(ends)) closeSync(fd);
    },
  };
}

// --- internal ---

function becomesReady(child: Child): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patience);
    const settle = (isReady: boolean): void => {
      clearTimeout(timer);
      resolve(isReady);
    };
    void child.failed.then(() => settle(false));
    void child.ended.then(() => settle(false));
    child.stdout?.read(
      () => settle(true),
      () => settle(false),
    );
  });
}

function discard(child: Child): void {
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.kill();
  child.unref();
}

function openEnds(pid: number, word: string): PipeEnds | undefined {
  const opened: number[] = [];
  const open = (fd: number, mode: number): number => {
    const end = openSync(`/proc/${pid}/fd/${fd}`, mode | constants.O_NONBLOCK);
    opened.push(end);
    if (!fstatSync(end).isFIFO()) throw new Error('not a pipe');
    return end;
  };
  const openForReading = (fd: number): number => {
    const end = open(fd, constants.O_RDONLY);
    const bytes = Buffer.alloc(word.length + 2);
    if (bytes.toString('latin1', 0, readSync(end, bytes, 0, bytes.length, null)) !== `${word}\n`)
      throw new Error('another pipe');
    return end;
  };
  try {
    const stdinRest = openForReading(3);
    const ends = {
      stdinRest,
      stdin: open(3, constants.O_WRONLY),
      stdout: openForReading(4),
      stderr: openForReading(5),
    };
    return ends;
  } catch {
    for (const fd of opened) closeSync(fd);
    return undefined;
  }
}
