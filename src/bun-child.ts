import { builtin } from './builtin.ts';
import { eachPiece } from './bun-reader.ts';
import type { Child, Ended, Sink, Source, StartChild } from './child.ts';

interface FileSink {
  write(text: string): number | Promise<number>;
  end(): number | Promise<number>;
}

interface Subprocess {
  readonly pid: number;
  readonly stdin: FileSink | number | null | undefined;
  readonly stdout: ReadableStream<Uint8Array> | number | null | undefined;
  readonly stderr: ReadableStream<Uint8Array> | number | null | undefined;
  unref(): void;
  kill(signal: string): void;
}

/** A real-time signal has no name, and comes as a number. */
type OnExit = (child: Subprocess, code: number | null, signal: string | number | null) => void;

/** What is used here of bun's own; its types would change those of everything else. */
declare const Bun: {
  spawn(options: Readonly<Record<string, unknown>> & { readonly onExit: OnExit }): Subprocess;
  gc(isSynchronous: boolean): void;
};

/**
 * A process as bun starts it, without the detour through its copy of `node:child_process`: that takes 4 ms more, which is more than the hook itself
 * may take.
 */
export const startBunChild: StartChild = ({ file, args, cwd, env }, [stdin, stdout, stderr]): Child => {
  for (const [index, arg] of args.entries()) if (arg.includes('\0')) throw nulError(`args[${index}]`, arg);
  starts += 1;
  if (starts === 1) watchForEnds();
  if (starts === manyStarts) Bun.gc(true);
  let isEnded = (_how: Ended): void => {};
  const ended = new Promise<Ended>((resolve) => {
    isEnded = resolve;
  });
  const child = Bun.spawn({
    cmd: [file, ...args],
    cwd,
    env,
    stdin,
    stdout,
    stderr,
    detached: true,
    onExit: (_child, code, signal) =>
      isEnded(signal === null ? [code, null] : [null, typeof signal === 'number' ? `SIG${signal}` : signal]),
  });
  return {
    pid: child.pid,
    ended,
    // What can't be started is thrown at once.
    failed: new Promise(() => {}),
    stdin: typeof child.stdin === 'object' && child.stdin !== null ? sinkOf(child.stdin) : undefined,
    stdout: sourceOf(child.stdout),
    stderr: sourceOf(child.stderr),
    unref: () => child.unref(),
    kill: () => child.kill('SIGKILL'),
  };
};

let starts = 0;
/**
 * Before so many are started, garbage is collected once: the threads that do that are made the first time, and where by then the hooks have used up
 * all the processes that the user may have, bun aborts without a word.
 */
const manyStarts = 6;

/** Whoever started hookrun may ignore SIGCHLD, and that is inherited: then the system tells nobody how a process ended, an exit 2 neither. */
function watchForEnds(): void {
  process.on('SIGCHLD', () => {});
}

/** In node's words: bun counts arguments from the program on, and shows the value raw. */
function nulError(name: string, value: string): Error {
  const { inspect } = builtin.util();
  return new TypeError(`The argument '${name}' must be a string without null bytes. Received ${inspect(value)}`);
}

/** EPIPE says no more than that nobody reads it. */
async function quietly(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {}
}

function sinkOf(sink: FileSink): Sink {
  const close = (): void => void quietly(() => sink.end());
  return {
    end(text) {
      void quietly(() => sink.write(text));
      close();
    },
    destroy: close,
  };
}

function sourceOf(stream: Subprocess['stdout']): Source | undefined {
  if (typeof stream !== 'object' || stream === null) return undefined;
  const reader = stream.getReader();
  return {
    read: (take, closed) => void quietly(() => eachPiece(reader, take)).then(closed),
    destroy: () => void quietly(() => reader.cancel()),
  };
}
