/** The real world, as node gives it. */

import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { appendToFile } from './append-file.ts';
import type { InterruptSignal } from './exit-codes.ts';
import { diskFs } from './file-system.ts';
import * as formats from './formats/index.ts';
import { outputOn, standardInput } from './standard-streams.ts';
import { diskState, diskTrustFile, stateFolder } from './state.ts';
import type { World } from './world.ts';

const signals: readonly InterruptSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** The world of this process. */
export function nodeWorld(): World {
  const { env } = process;
  return {
    env,
    cwd: process.cwd(),
    home: env['HOME'] || homedir(),
    platform: process.platform,
    fs: diskFs,
    stdin: standardInput(),
    stdout: outputOn(1, () => process.stdout),
    stderr: outputOn(2, () => process.stderr),
    now: () => new Date(),
    // node:crypto brings twenty modules along, and most runs need no new id.
    uuid: () => (createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')).randomUUID(),
    state: diskState(stateFolder(env, env['HOME'] || homedir())),
    trustFile: diskTrustFile(stateFolder(env, env['HOME'] || homedir())),
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
