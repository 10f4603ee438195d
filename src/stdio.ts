import type { Child, ChildStreams } from './child.ts';
import { Kept } from './kept.ts';

/** How a hook's three standard streams are provided and read. One object a run. */
export interface Stdio {
  readonly streams: ChildStreams;
  /** Begins to feed and to read; `onLimit` is called once when a stream holds more than `limit` bytes. */
  attach(child: Child, onLimit: () => void): void;
  /** Resolves when everything that stands in the streams right now has been taken in. */
  settle(): Promise<void>;
  lengths(): { stdout: number; stderr: number };
  /** Waits up to `ms` for others to let go of the streams; true when somebody still holds them. */
  drain(ms: number): Promise<boolean>;
  /** What was read, and what of stdin was not; nothing is read after this. */
  finish(): { stdout: Buffer; stderr: Buffer; unread?: number };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The runtime's own pipes, which are sockets: what Gemini CLI and Kimi Code give their hooks. */
export function socketStdio(stdin: string, limit: number): Stdio {
  const out = new Kept(limit);
  const err = new Kept(limit);
  let child: Child | undefined;
  let open = 2;
  let allClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    allClosed = resolve;
  });
  const attach = (started: Child, onLimit: () => void): void => {
    child = started;
    started.stdin?.end(stdin);
    for (const [stream, kept] of [
      [started.stdout, out],
      [started.stderr, err],
    ] as const) {
      stream?.read(
        (chunk) => {
          const before = kept.over;
          kept.take(chunk);
          if (kept.over && !before) onLimit();
        },
        () => {
          open -= 1;
          if (open === 0) allClosed();
        },
      );
    }
  };
  return {
    streams: ['pipe', 'pipe', 'pipe'],
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
      return { stdout: out.bytes(), stderr: err.bytes() };
    },
  };
}
