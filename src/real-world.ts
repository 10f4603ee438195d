/** The real world. */

import { appendToFile } from './append-file.ts';
import { builtin } from './builtin.ts';
import type { StartChild } from './child.ts';
import type { InterruptSignal } from './exit-codes.ts';
import { diskFs } from './file-system.ts';
import * as formats from './formats/index.ts';
import { outputOn, type SlowStreams, standardInput } from './standard-streams.ts';
import { diskState, diskTrustFile, stateFolder } from './state.ts';
import type { World } from './world.ts';

const signals: readonly InterruptSignal[] = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'];

/** A relative or empty HOME would make the current folder, a stranger's perhaps, the user's own; it counts as unset. */
function homeOf(variable: string | undefined): string {
  if (variable?.startsWith('/')) return variable;
  const { homedir: home } = builtin.os().userInfo();
  return home.startsWith('/') ? home : '/';
}

/** One that has been deleted counts as none: what a payload is about may be another, and nothing may keep a decision from being made. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** What a runtime has its own way of doing. */
export interface Runtime {
  readonly streams: SlowStreams;
  readonly startChild: StartChild;
  readonly collect?: () => void;
}

/** The world of this process, in node or in what takes its place. */
export function worldIn({ streams, startChild, collect }: Runtime): World {
  const { env } = process;
  const home = homeOf(env['HOME']);
  return {
    env,
    cwd: currentFolder(),
    home,
    platform: process.platform,
    fs: diskFs,
    stdin: standardInput(streams.stdin),
    stdout: outputOn(1, streams.stdout),
    stderr: outputOn(2, streams.stderr),
    startChild,
    collect,
    now: () => new Date(),
    uuid: () => builtin.crypto().randomUUID(),
    state: diskState(stateFolder(env, home)),
    trustFile: diskTrustFile(stateFolder(env, home)),
    appendFile: appendToFile,
    tmp: env['TMPDIR'] || env['TMP'] || env['TEMP'] || '/tmp',
    onSignal(callback) {
      const listeners = signals.map((signal) => [signal, () => callback(signal)] as const);
      for (const [signal, listener] of listeners) process.on(signal, listener);
      return () => {
        for (const [signal, listener] of listeners) process.off(signal, listener);
      };
    },
    formats: Object.values(formats),
  };
}
