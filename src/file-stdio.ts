import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from './child.ts';
import { nowMs } from './clock.ts';
import { Kept } from './kept.ts';
import type { Stdio } from './stdio.ts';

/** How often files are looked at while a program runs, in ms. */
const lookEvery = 25;

/**
 * Unlinked private files, where there are no real pipes to be had. They can be opened by name through /dev/stdin just as well, and the
 * offset of stdin's, shared with the program, tells how much of it was read. What they can't do: a program that opens /dev/stdout for writing a second time
 * empties the file, where the system opens it anew (Linux; macOS hands out the same open file). What was seen by then is kept.
 *
 * Throws with a sentence for people where such files can't be made.
 */
export function fileStdio(stdin: string, limit: number, folder: string, name: () => string): Stdio {
  const [input, ...outputs] = privateFiles(folder, name);
  const payload = Buffer.from(stdin);
  for (let at = 0; at < payload.length; ) at += writeSync(input, payload, at, payload.length - at, at);
  const [out, err] = outputs.map((fd) => new Growing(fd, limit)) as [Growing, Growing];
  let child: Child | undefined;
  let timer: NodeJS.Timeout | undefined;
  let onOver = (): void => {};
  const look = (): void => {
    out.look();
    err.look();
    if (!out.kept.over && !err.kept.over) return;
    clearInterval(timer);
    onOver();
    onOver = () => {};
  };
  return {
    streams: [input, ...outputs],
    attach(started, onLimit) {
      child = started;
      onOver = onLimit;
      timer = setInterval(look, lookEvery);
    },
    settle: async () => look(),
    lengths: () => ({ stdout: out.kept.length, stderr: err.kept.length }),
    async drain(ms) {
      // A file has no end that others could keep open. What may still be written comes from processes of the program's group.
      const until = nowMs() + ms;
      while (child?.pid !== undefined && isGroupThere(child.pid)) {
        if (nowMs() >= until) return true;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return false;
    },
    finish() {
      clearInterval(timer);
      look();
      // Reading without a position goes on where the program stopped: the file offset is shared with it.
      const rest = Buffer.allocUnsafe(65_536);
      let unread = 0;
      for (;;) {
        const count = readSync(input, rest, 0, rest.length, null);
        if (count === 0) break;
        unread += count;
      }
      for (const fd of [input, ...outputs]) closeSync(fd);
      return { stdout: out.kept.bytes(), stderr: err.kept.bytes(), unread };
    },
  };
}

/** So many of the first bytes of a file are looked at again each time, to see whether it is still the same text. */
const headBytes = 4096;

/** A file that others write to, read as it grows. */
class Growing {
  readonly kept: Kept;
  readonly #fd: number;
  #at = 0;
  #head = Buffer.alloc(0);

  constructor(fd: number, limit: number) {
    this.#fd = fd;
    this.kept = new Kept(limit);
  }

  look(): void {
    // Shorter than before, or another text: somebody has emptied it. What was seen stays, and what stands there now follows it.
    const { size } = fstatSync(this.#fd);
    if (size < this.#at || !this.#readAt(0, this.#head.length).equals(this.#head)) {
      this.#at = 0;
      this.#head = Buffer.alloc(0);
    }
    // Up to where it ends now: one who never stops writing must not keep us here.
    while (this.#at < size) {
      const chunk = this.#readAt(this.#at, Math.min(65_536, size - this.#at));
      if (chunk.length === 0) return;
      if (this.#at < headBytes) this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes - this.#at)]);
      this.#at += chunk.length;
      this.kept.take(chunk);
    }
  }

  #readAt(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, length === 0 ? 0 : readSync(this.#fd, bytes, 0, length, position));
  }
}

function isGroupThere(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function privateFiles(folder: string, name: () => string): [number, number, number] {
  const opened: number[] = [];
  try {
    for (const flags of [0, constants.O_APPEND, constants.O_APPEND]) {
      const path = join(folder, name());
      opened.push(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | flags, 0o600));
      unlinkSync(path);
    }
    return opened as [number, number, number];
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`no private files can be made in ${folder} (${code}); TMPDIR says where`);
  }
}
