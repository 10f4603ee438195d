import { closeSync, readSync, writeSync } from 'node:fs';
import { nowMs } from './clock.ts';
import { Kept } from './kept.ts';
import type { PipeEnds } from './real-pipes.ts';
import type { Stdio } from './stdio.ts';

/** The longest pause between two looks at the pipes, in ms: short, since a pipe that is full stops the program. */
const longestPause = 8;
/** How much is taken from a pipe before anything else gets its turn, in bytes: more than a pipe holds, and yet an end for one who never stops writing. */
const perLook = 1024 * 1024;

/**
 * Feeds and reads real pipes. They are non-blocking and looked at again and again: while there is news at every turn of the event loop, else
 * after pauses that grow to some milliseconds. Payload and output are served at once, so neither waits for the other.
 *
 * Since we hold the reading end of stdin too, writing to it never fails, and what the program has left unread can be counted at the end.
 */
export function pipeStdio(ends: PipeEnds, letGo: () => void, stdin: string, limit: number): Stdio {
  const payload = Buffer.from(stdin);
  let written = 0;
  let isFed = false;
  const [out, err] = [new Kept(limit), new Kept(limit)];
  const streams = [
    { fd: ends.stdout, kept: out, isOpen: true },
    { fd: ends.stderr, kept: err, isOpen: true },
  ];
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let isFinished = false;
  let onOver = (): void => {};

  /** Writes what fits into the pipe. True if anything did. */
  const feed = (): boolean => {
    if (isFed) return false;
    const before = written;
    const fits = (): boolean => {
      const count = tryIo(() => writeSync(ends.stdin, payload, written, Math.min(65_536, payload.length - written)));
      written += count ?? 0;
      return count !== undefined;
    };
    while (written < payload.length && fits());
    if (written === payload.length) {
      isFed = true;
      closeSync(ends.stdin);
    }
    return written > before;
  };

  /** Takes what stands in the pipes, up to a bound for each. True if there was anything. */
  const read = (bound: number): boolean => {
    let any = false;
    for (const stream of streams) {
      for (let taken = 0; stream.isOpen && taken < bound; ) {
        const chunk = Buffer.allocUnsafe(65_536);
        const count = tryIo(() => readSync(stream.fd, chunk, 0, chunk.length, null));
        if (count === undefined) break;
        if (count === 0) stream.isOpen = false;
        any = true;
        taken += count;
        const wasOver = stream.kept.over;
        stream.kept.take(count > 32_768 ? chunk.subarray(0, count) : Buffer.from(chunk.subarray(0, count)));
        if (stream.kept.over && !wasOver) onOver();
      }
    }
    return any;
  };

  const look = (pause: number): void => {
    if (isFinished) return;
    const isNews = [feed(), read(perLook)].some(Boolean);
    if (isFed && !streams.some((stream) => stream.isOpen)) return;
    const next = isNews ? 1 : Math.min(pause * 2, longestPause);
    timer = isNews ? setImmediate(look, next) : setTimeout(look, next, next);
  };

  return {
    streams: [],
    attach(_child, onLimit) {
      onOver = onLimit;
      // What fits is there before the program asks for it.
      feed();
      letGo();
      look(1);
    },
    async settle() {
      read(perLook);
    },
    lengths: () => ({ stdout: out.length, stderr: err.length }),
    async drain(ms) {
      const until = nowMs() + ms;
      for (;;) {
        read(perLook);
        if (!streams.some((stream) => stream.isOpen)) return false;
        if (nowMs() >= until) return true;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    finish() {
      isFinished = true;
      clearTimeout(timer as NodeJS.Timeout);
      clearImmediate(timer as NodeJS.Immediate);
      if (!isFed) closeSync(ends.stdin);
      const unread = payload.length - written + countRest(ends.stdinRest);
      for (const fd of [ends.stdinRest, ends.stdout, ends.stderr]) closeSync(fd);
      return { stdout: out.bytes(), stderr: err.bytes(), unread };
    },
  };
}

function countRest(fd: number): number {
  const bytes = Buffer.allocUnsafe(65_536);
  let rest = 0;
  for (;;) {
    const count = tryIo(() => readSync(fd, bytes, 0, bytes.length, null));
    if (count === undefined || count === 0) return rest;
    rest += count;
  }
}

/** The result, or undefined where the pipe is full or empty. */
function tryIo(work: () => number): number | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
