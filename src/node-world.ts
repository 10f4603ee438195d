/** The real world, as node gives it. */

import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { appendToFile } from './append-file.ts';
import type { InterruptSignal } from './exit-codes.ts';
import { diskFs } from './file-system.ts';
import * as formats from './formats/index.ts';
import { outputOn, type SlowInput, standardInput } from './standard-streams.ts';
import { diskState, diskTrustFile, stateFolder } from './state.ts';
import type { World } from './world.ts';

const signals: readonly InterruptSignal[] = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'];

/** A relative or empty HOME would make the current folder, a stranger's perhaps, the user's own; it counts as unset. */
function homeOf(variable: string | undefined): string {
  if (variable?.startsWith('/')) return variable;
  const { homedir: home } = userInfo();
  return home.startsWith('/') ? home : '/';
}

/** The world of this process. @param slowInput another way to wait for stdin than node's own. */
export function nodeWorld(slowInput?: SlowInput): World {
  const { env } = process;
  const home = homeOf(env['HOME']);
  return {
    env,
    cwd: process.cwd(),
    home,
    platform: process.platform,
    fs: diskFs,
    stdin: standardInput(slowInput),
    stdout: outputOn(1, () => process.stdout),
    stderr: outputOn(2, () => process.stderr),
    now: () => new Date(),
    // node:crypto brings twenty modules along, and most runs need no new id.
    uuid: () => (createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')).randomUUID(),
    state: diskState(stateFolder(env, home)),
    trustFile: diskTrustFile(stateFolder(env, home)),
    appendFile: appendToFile,
    tmp: env['TMPDIR'] || tmpdir(),
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
