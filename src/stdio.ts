import type { ChildProcess, StdioOptions } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from './clock.ts';

/** How a hook's three standard streams are provided and read. One object a run. */
export interface Stdio {
  readonly options: StdioOptions;
  /** Begins to feed and to read; `onLimit` is called once when a stream holds more than `limit` bytes. */
  attach(child: ChildProcess, onLimit: () => void): void;
  /** Resolves when everything that stands in the streams right now has been taken in. */
  settle(): Promise<void>;
  lengths(): { stdout: number; stderr: number };
  /** Waits up to `ms` for others to let go of the streams; true when somebody still holds them. */
  drain(ms: number): Promise<boolean>;
  /** What was read, and what of stdin was not; nothing is read after this. */
  finish(): { stdout: Buffer; stderr: Buffer; unread?: number };
}

/** One output stream kept in memory up to a limit; what comes beyond it is thrown away so that the writer is not blocked. */
class Kept {
  readonly chunks: Buffer[] = [];
  length = 0;
  over = false;
  readonly #limit: number;
  constructor(limit: number) {
    this.#limit = limit;
  }
  take(chunk: Buffer): void {
    const room = this.#limit - this.length;
    if (chunk.length > room) this.over = true;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (part.length === 0) return;
    this.chunks.push(part);
    this.length += part.length;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Node's own pipes, which are sockets: what Gemini CLI and Kimi Code give their hooks. */
export function socketStdio(stdin: string, limit: number): Stdio {
  const out = new Kept(limit);
  const err = new Kept(limit);
  let child: ChildProcess | undefined;
  let open = 2;
  let allClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    allClosed = resolve;
  });
  const attach = (started: ChildProcess, onLimit: () => void): void => {
    child = started;
    // A hook that does not read its stdin is no error: EPIPE and ECONNRESET say no more than that.
    started.stdin?.on('error', () => {});
    started.stdin?.end(stdin);
    for (const [stream, kept] of [
      [started.stdout, out],
      [started.stderr, err],
    ] as const) {
      stream?.on('data', (chunk: Buffer) => {
        const before = kept.over;
        kept.take(chunk);
        if (kept.over && !before) onLimit();
      });
      stream?.on('error', () => {});
      stream?.once('close', () => {
        open -= 1;
        if (open === 0) allClosed();
      });
    }
  };
  return {
    options: ['pipe', 'pipe', 'pipe'],
    attach,
    // Each turn of the loop looks at the sockets without waiting: two turns without news mean that they are empty.
    async settle() {
      let quiet = 0;
      let seen = out.length + err.length;
      for (let turns = 0; turns < 200 && quiet < 2 && open > 0; turns += 1) {
        await turn();
        const now = out.length + err.length;
        quiet = now === seen ? quiet + 1 : 0;
        seen = now;
      }
    },
    lengths: () => ({ stdout: out.length, stderr: err.length }),
    async drain(ms) {
      if (open === 0) return false;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([closed, late]);
      clearTimeout(timer);
      return open > 0;
    },
    finish() {
      child?.stdin?.destroy();
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      return { stdout: Buffer.concat(out.chunks), stderr: Buffer.concat(err.chunks) };
    },
  };
}

/** How often files are looked at while a hook runs, for the output limit, in ms. */
const lookEvery = 50;

/**
 * Unlinked private files. goose gives its hooks real pipes, so `cat /dev/stdin` and `echo x > /dev/stderr` work there; on a
 * socket they fail, and dash then exits 2, a denial that nobody meant. Node can't make a pipe, but a file can be opened
 * by name through /dev/stdin just as well, and its offset, shared with the hook, tells how much of stdin was read.
 */
export function fileStdio(stdin: string, limit: number, folder: string, name: () => string): Stdio {
  const input = privateFile(folder, name());
  const stdinBytes = Buffer.from(stdin);
  for (let at = 0; at < stdinBytes.length; ) at += writeSync(input.fd, stdinBytes, at, stdinBytes.length - at, at);
  const out = privateFile(folder, name(), constants.O_APPEND);
  const err = privateFile(folder, name(), constants.O_APPEND);
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  const size = (fd: number): number => Math.min(fstatSync(fd).size, limit);
  return {
    options: [input.fd, out.fd, err.fd],
    attach(started, onLimit) {
      child = started;
      timer = setInterval(() => {
        if (fstatSync(out.fd).size <= limit && fstatSync(err.fd).size <= limit) return;
        clearInterval(timer);
        onLimit();
      }, lookEvery);
    },
    settle: async () => {},
    lengths: () => ({ stdout: size(out.fd), stderr: size(err.fd) }),
    async drain(ms) {
      // A file has no end that others could keep open. What may still be written comes from processes of the hook's group.
      const until = nowMs() + ms;
      while (child?.pid !== undefined && isGroupThere(child.pid)) {
        if (nowMs() >= until) return true;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return false;
    },
    finish() {
      clearInterval(timer);
      const stdout = readAll(out.fd, limit);
      const stderr = readAll(err.fd, limit);
      // Reading without a position goes on where the hook stopped: the file offset is shared with it.
      const rest = Buffer.allocUnsafe(65536);
      let unread = 0;
      for (;;) {
        const count = readSync(input.fd, rest, 0, rest.length, null);
        if (count === 0) break;
        unread += count;
      }
      for (const fd of [input.fd, out.fd, err.fd]) closeSync(fd);
      return { stdout, stderr, unread };
    },
  };
}

function isGroupThere(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function privateFile(folder: string, name: string, flags = 0): { fd: number } {
  const path = join(folder, name);
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | flags, 0o600);
  unlinkSync(path);
  return { fd };
}

function readAll(fd: number, limit: number): Buffer {
  const length = Math.min(fstatSync(fd).size, limit);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  while (at < length) {
    const count = readSync(fd, bytes, at, length - at, at);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}
