/**
 * Stdin, stdout and stderr of this process. Node's own streams for them cost several milliseconds to make, on every start, so they are made only
 * where something has to be waited for; a file, or a pipe with room or data in it, is read and written right away.
 */

import { closeSync, constants, fstatSync, openSync, readSync, type Stats, writeSync } from 'node:fs';
import { builtin } from './builtin.ts';
import { HookrunError } from './errors.ts';
import { say } from './words.ts';
import type { Output, World } from './world.ts';

const statOf = (fd: number): Stats | undefined => {
  try {
    return fstatSync(fd);
  } catch {
    return undefined;
  }
};

function isTerminal(fd: number): boolean {
  return statOf(fd)?.isCharacterDevice() === true && builtin.tty().isatty(fd);
}

/**
 * The same pipe once more, opened so that nothing blocks: while we waited in a read or a write, no signal would be heard. Undefined where
 * that is not to be had.
 */
function withoutBlocking(fd: number, flags: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return openSync(`/proc/self/fd/${fd}`, flags | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

const isAgain = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN';

/** Stdout or stderr as something that has to be waited for. */
export interface SlowOutput {
  /** Resolves when all is handed on, or will never be. One at a time. */
  write(bytes: Buffer): Promise<void>;
  /** 0 or undefined on a terminal that nobody has given a size. */
  readonly columns: number | undefined;
}

/** @param slow for what can't be written right away. */
export function outputOn(fd: 1 | 2, slow: SlowOutput): Output & { readonly columns: number } {
  // What has to be waited for keeps its place: nothing is written past it.
  let waiting: Promise<void> | undefined;
  return {
    isTTY: isTerminal(fd),
    get columns() {
      return slow.columns || 80;
    },
    write(text) {
      const rest = waiting === undefined ? writeAtOnce(fd, Buffer.from(text)) : Buffer.from(text);
      if (rest === undefined || rest.length === 0) return Promise.resolve();
      waiting = waiting === undefined ? slow.write(rest) : waiting.then(() => slow.write(rest));
      return waiting;
    },
  };
}

/** What is left to write, or undefined where nothing will ever be read. */
function writeAtOnce(fd: number, bytes: Buffer): Buffer | undefined {
  const stats = statOf(fd);
  if (stats === undefined) return undefined;
  // A terminal may be stopped (Ctrl-S) and a socket full; a file and /dev/null are always ready.
  if (stats.isFile() || (stats.isCharacterDevice() && !isTerminal(fd))) return writeInto(fd, bytes);
  if (!stats.isFIFO()) return bytes;
  const pipe = withoutBlocking(fd, constants.O_WRONLY);
  if (pipe === undefined) return bytes;
  try {
    return writeInto(pipe, bytes);
  } finally {
    closeSync(pipe);
  }
}

function writeInto(fd: number, bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
    return rest;
  } catch (error) {
    // The reader is gone, or the disk is full: that is not ours to mend, and the exit code still says it all.
    return isAgain(error) ? rest : undefined;
  }
}

/** Stdin as something that has to be waited for, piece by piece. */
export interface SlowInput {
  chunks(): AsyncIterable<Buffer>;
  /** Resolves at its end, or when it is let go of; rejects with what went wrong. */
  each(take: (chunk: Buffer) => void): Promise<void>;
  /** Lets go of it, whatever it still holds. */
  close(): void;
}

/** The standard streams as a runtime has them. */
export interface SlowStreams {
  readonly stdin: SlowInput;
  readonly stdout: SlowOutput;
  readonly stderr: SlowOutput;
}

/** Stdin of this process. @param slow for what can't be read right away. */
export function standardInput(slow: SlowInput): World['stdin'] {
  let opened = false;
  return {
    get isTTY() {
      return isTerminal(0);
    },
    async read(limit) {
      const found = readAtOnce(limit);
      if (found.ended) return found.bytes;
      mustNotBeFolder();
      opened = true;
      return readAll(found.bytes, slow, limit);
    },
    chunks() {
      mustNotBeFolder();
      opened = true;
      return slow.chunks();
    },
    close() {
      // Looking at it opens it, so it is left alone where nobody needed it.
      if (opened) slow.close();
    },
  };
}

/** Throws `HookrunError` (input-file): what a runtime makes of reading a folder is not the same everywhere. */
function mustNotBeFolder(): void {
  if (statOf(0)?.isDirectory() === true)
    throw new HookrunError('input-file', say('file-unreadable', { path: 'stdin' }, 'it is a folder'));
}

const tooMuch = (limit: number): RangeError => new RangeError(`stdin holds more than ${limit} bytes`);

/** What stands there to be read without waiting, and whether that is all. Throws `RangeError` when it is more than `limit` bytes. */
function readAtOnce(limit: number): { readonly bytes: Buffer; readonly ended: boolean } {
  const nothing = { bytes: Buffer.alloc(0), ended: false };
  const stats = statOf(0);
  if (stats?.isFile() !== true && stats?.isFIFO() !== true) return nothing;
  const pipe = stats.isFIFO() ? withoutBlocking(0, constants.O_RDONLY) : undefined;
  if (stats.isFIFO() && pipe === undefined) return nothing;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(65_536);
      const count = readSync(pipe ?? 0, chunk, 0, chunk.length, null);
      if (count === 0) return { bytes: Buffer.concat(chunks), ended: true };
      length += count;
      if (length > limit) throw tooMuch(limit);
      chunks.push(chunk.subarray(0, count));
    }
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // Nothing there yet: the rest is waited for. Any other error is met again there.
    return { bytes: Buffer.concat(chunks), ended: false };
  } finally {
    if (pipe !== undefined) closeSync(pipe);
  }
}

/** Throws `RangeError` when it is more than `limit` bytes. */
async function readAll(before: Buffer, input: SlowInput, limit: number): Promise<Buffer> {
  const parts = [before];
  let { length } = before;
  await input.each((chunk) => {
    length += chunk.length;
    // What is too much is not kept, and no more of it is waited for.
    if (length > limit) input.close();
    else parts.push(chunk);
  });
  if (length > limit) throw tooMuch(limit);
  return Buffer.concat(parts);
}
