/** The real world, as node gives it. */

import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import process from 'node:process';
import { appendToFile } from './append-file.ts';
import type { InterruptSignal } from './exit-codes.ts';
import { diskFs } from './file-system.ts';
import * as formats from './formats/index.ts';
import { diskState, diskTrustFile, stateFolder } from './state.ts';
import type { Output, World } from './world.ts';

const signals: readonly InterruptSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

function outputOn(stream: NodeJS.WriteStream): Output & { readonly columns: number } {
  // Without a listener a reader that went away (`hookrun | head -1`) would end the program before its exit code is known.
  stream.on('error', () => {});
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      // 0 on a terminal that nobody has given a size.
      return stream.columns || 80;
    },
    write: (text) =>
      new Promise((resolve) => {
        stream.write(text, () => resolve());
      }),
  };
}

function readStdin(limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const { stdin } = process;
    stdin.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        stdin.destroy();
        reject(new RangeError(`stdin holds more than ${limit} bytes`));
        return;
      }
      chunks.push(chunk);
    });
    stdin.once('end', () => resolve(Buffer.concat(chunks)));
    stdin.once('close', () => resolve(Buffer.concat(chunks)));
    stdin.once('error', reject);
  });
}

/** The world of this process. */
export function nodeWorld(): World {
  const { env, stdout, stderr } = process;
  let opened = false;
  return {
    env,
    cwd: process.cwd(),
    home: env['HOME'] || homedir(),
    platform: process.platform,
    fs: diskFs,
    stdin: {
      get isTTY() {
        opened = true;
        return process.stdin.isTTY === true;
      },
      read(limit) {
        opened = true;
        return readStdin(limit);
      },
      chunks() {
        opened = true;
        return process.stdin as AsyncIterable<Buffer>;
      },
      close() {
        // Looking at process.stdin opens it, so it is left alone where nobody needed it.
        if (opened) process.stdin.destroy();
      },
    },
    stdout: outputOn(stdout),
    stderr: outputOn(stderr),
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
