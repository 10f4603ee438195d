/** A process as a runtime starts it. Node and bun do it differently; what is made of it (`spawn.ts`) is the same. */

import type { Start } from './types.ts';

/** How it ended: with a code or by a signal. */
export type Ended = readonly [code: number | null, signal: string | null];

export interface Child {
  /** undefined: it could not be started; `failed` then says why. */
  readonly pid: number | undefined;
  /** Never rejects; for a child without a pid it stays open. */
  readonly ended: Promise<Ended>;
  /** Resolves only for a child without a pid. */
  readonly failed: Promise<Error>;
  readonly stdin: Sink | undefined;
  readonly stdout: Source | undefined;
  readonly stderr: Source | undefined;
  /** hookrun need not wait for it any longer. */
  unref(): void;
  kill(): void;
}

/** Somebody who does not read is no error. */
export interface Sink {
  end(text: string): void;
  destroy(): void;
}

export interface Source {
  /** Once. `closed` is called when no more will come, for whatever reason. */
  read(take: (chunk: Buffer) => void, closed: () => void): void;
  destroy(): void;
}

/** stdin, stdout and stderr of a child: `pipe` is what runtimes call so (a socket), a number is an open file. */
export type ChildStreams = readonly ('pipe' | 'ignore' | number)[];

/**
 * Starts a process as the leader of a session and a process group of its own, so that all it starts can be ended with it. Throws where the
 * arguments can't be passed at all; other failures may be thrown too or come as a child without a pid.
 */
export type StartChild = (command: Pick<Start, 'file' | 'args' | 'cwd' | 'env'>, streams: ChildStreams) => Child;
