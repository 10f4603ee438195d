import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendToFile } from '../../src/append-file.ts';
import type { InterruptSignal } from '../../src/exit-codes.ts';
import { diskFs, type ReadOnlyFs } from '../../src/file-system.ts';
import type { FormatEntry } from '../../src/formats/format.ts';
import * as formats from '../../src/formats/index.ts';
import { diskState, diskTrustFile, stateFolder } from '../../src/state.ts';
import type { Env } from '../../src/types.ts';
import type { World } from '../../src/world.ts';
import { startChild } from './start-child.ts';

export interface TestWorld {
  readonly world: World;
  stdout(): string;
  stderr(): string;
  /** As if hookrun had been sent that signal. */
  signal(name: InterruptSignal): void;
}

export interface TestWorldOptions {
  readonly env?: Env;
  readonly cwd: string;
  readonly home: string;
  /** undefined: a terminal, so nothing to read. */
  readonly stdin?: string | Buffer | undefined;
  readonly fs?: ReadOnlyFs;
  readonly formats?: readonly FormatEntry[];
  readonly tty?: boolean;
  /** Stdin piece by piece, for a stream that is still being written. */
  readonly chunks?: () => AsyncIterable<Buffer>;
  readonly now?: () => Date;
}

/** A world for `main`: the real file system and real processes, everything else handed in. */
export function testWorld(options: TestWorldOptions): TestWorld {
  let out = '';
  let err = '';
  const listeners = new Set<(signal: InterruptSignal) => void>();
  const input = options.stdin === undefined ? undefined : Buffer.from(options.stdin);
  const world: World = {
    env: options.env ?? { PATH: process.env['PATH'], HOME: options.home, LANG: 'C.UTF-8' },
    cwd: options.cwd,
    home: options.home,
    platform: process.platform,
    startChild,
    fs: options.fs ?? diskFs,
    stdin: {
      isTTY: input === undefined && options.chunks === undefined,
      read: async (limit) => {
        if (input !== undefined && input.length > limit) throw new RangeError('too much');
        return input ?? Buffer.alloc(0);
      },
      chunks:
        options.chunks ??
        async function* () {
          // In odd pieces, as a pipe has them.
          const bytes = input ?? Buffer.alloc(0);
          for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
        },
      close() {},
    },
    stdout: {
      isTTY: options.tty ?? false,
      write: async (text) => {
        out += text;
      },
    },
    stderr: {
      isTTY: options.tty ?? false,
      columns: 80,
      write: async (text) => {
        err += text;
      },
    },
    now: options.now ?? (() => new Date('2026-01-02T03:04:05.678Z')),
    uuid: randomUUID,
    state: diskState(stateFolder(options.env ?? {}, options.home)),
    trustFile: diskTrustFile(stateFolder(options.env ?? {}, options.home)),
    appendFile: appendToFile,
    tmp: tmpdir(),
    onSignal(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    formats: options.formats ?? Object.values(formats),
  };
  return {
    world,
    stdout: () => out,
    stderr: () => err,
    signal(name) {
      for (const listener of listeners) listener(name);
    },
  };
}

/** A fresh folder with its real path, and how to remove it. */
export function temporaryFolder(prefix = 'hookrun-test-'): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
