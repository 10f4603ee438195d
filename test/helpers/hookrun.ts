import { spawn } from 'node:child_process';
import { main } from '../../src/main.ts';
import { program } from './executable.ts';
import { type TestWorldOptions, testWorld } from './world.ts';

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Set: the program that HOOKRUN_BIN names is what is tested. */
const isProgram = (process.env['HOOKRUN_BIN'] ?? '') !== '';

/**
 * Calls hookrun in a world of its own: through `main`, or through the executable that HOOKRUN_BIN names. A world with a file system of its own can
 * only be handed to `main`.
 */
export async function callHookrun(argv: readonly string[], options: TestWorldOptions): Promise<Called> {
  if (isProgram && options.fs === undefined) return callProgram(argv, options);
  const { world, stdout, stderr } = testWorld(options);
  const code = await main(argv, world);
  return { code, stdout: stdout(), stderr: stderr() };
}

function callProgram(argv: readonly string[], { env, cwd, home, stdin }: TestWorldOptions): Promise<Called> {
  const [file, ...words] = program as [string, ...string[]];
  const own = env ?? { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8' };
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...words, ...argv], { cwd, env: own as NodeJS.ProcessEnv });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}
