import type { StartChild } from './child.ts';
import type { InterruptSignal } from './exit-codes.ts';
import type { ReadOnlyFs } from './file-system.ts';
import type { FormatEntry } from './formats/format.ts';
import type { Env } from './types.ts';

export interface Output {
  readonly isTTY: boolean;
  /** Resolves when the text has been handed on; never rejects: a closed pipe is the reader's wish. */
  write(text: string): Promise<void>;
}

/** hookrun's own small files, below `$XDG_STATE_HOME/hookrun`. Both throw an Error that says which file can't be used and why. */
export interface State {
  read(name: string): string | undefined;
  /** Replaces the file in one step, or removes it with undefined. */
  write(name: string, text: string | undefined): void;
}

/** The file of folders that were decided about. It is read through `World.fs`, with checks of its own. */
export interface TrustFile {
  readonly path: string;
  /** Whose it must be, beside root; undefined where users have no numbers. */
  readonly uid: number | undefined;
  /** Replaces it in one step, while no other process may. What `change` throws is thrown on, and nothing changes. */
  replace(change: () => string): Promise<void>;
}

/** Everything outside the program, handed in, so that a test can call `main` without a process. */
export interface World {
  readonly env: Env;
  readonly cwd: string;
  readonly home: string;
  readonly platform: string;
  readonly fs: ReadOnlyFs;
  readonly stdin: {
    readonly isTTY: boolean;
    /** All of stdin; stops and throws `RangeError` when it holds more than `limit` bytes. */
    read(limit: number): Promise<Buffer>;
    /** Stdin piece by piece, as it comes and is asked for. */
    chunks(): AsyncIterable<Buffer>;
    /** Lets go of stdin, whatever it still holds. */
    close(): void;
  };
  readonly stdout: Output;
  readonly stderr: Output & { readonly columns: number };
  /** How processes are started. */
  readonly startChild: StartChild;
  /** Collects garbage, where that can be asked for. */
  readonly collect?: (() => void) | undefined;
  readonly now: () => Date;
  readonly uuid: () => string;
  /** What hookrun keeps from run to run, by file name. */
  readonly state: State;
  readonly trustFile: TrustFile;
  /** Appends a line to a regular file in one write, and makes the file where there is none. Throws an Error that says why it can't. */
  appendFile(path: string, line: string): void;
  /** Folder for private, unlinked files. */
  readonly tmp: string;
  /** Calls back on SIGHUP, SIGINT and SIGTERM; the returned function ends that. */
  onSignal(callback: (signal: InterruptSignal) => void): () => void;
  readonly formats: readonly FormatEntry[];
}
