/** The real program, as a process. */

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Decision } from '../../src/decision-schema.ts';
import type { Scene } from './live-hooks.ts';

const root = join(import.meta.dirname, '../..');

/** The words that start hookrun: the file that HOOKRUN_BIN names (a standalone executable, or a script for node), else this checkout's. */
export const program: readonly string[] = (() => {
  const file = resolve(root, process.env['HOOKRUN_BIN'] || 'bin/hookrun.cjs');
  if (!existsSync(file)) throw new Error(`${file} does not exist (HOOKRUN_BIN)`);
  if (file === join(root, 'bin/hookrun.cjs') && !existsSync(join(root, 'dist/index.js')))
    throw new Error('there is no dist/ yet: npm run build makes it');
  return /\.[cm]?js$/.test(file) ? [process.execPath, file] : [file];
})();

export interface Ended {
  /** null when it died of a signal. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  /** undefined: stays open, and the test writes to it. */
  readonly stdin?: string | Buffer | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** An environment in which nothing of the machine's own settings is found. */
export const environment = (scene: Scene): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: scene.home,
  XDG_CONFIG_HOME: join(scene.home, '.config'),
  XDG_STATE_HOME: join(scene.home, '.local/state'),
  XDG_DATA_HOME: join(scene.home, '.local/share'),
  XDG_CACHE_HOME: join(scene.home, '.cache'),
  LANG: 'C.UTF-8',
});

/** Starts any program of a test; what it prints is collected. */
export function start(words: readonly string[], scene: Scene, options: StartOptions = {}): Started {
  const [file, ...args] = words as [string, ...string[]];
  const child = spawn(file, args, {
    cwd: options.cwd ?? scene.project,
    env: { ...environment(scene), ...options.env },
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
  if ('stdin' in options && options.stdin !== undefined) child.stdin.end(options.stdin);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout: out, stderr: err }));
  });
  // Whoever is interested waits for it; a test that has failed before is not.
  ended.catch(() => {});
  return {
    child,
    pid: child.pid ?? 0,
    stdout: () => out,
    stderr: () => err,
    signal: (name) => {
      child.kill(name);
    },
    ended,
  };
}

/** hookrun for Gemini with the scene's payload, trusted. */
export const startHookrun = (scene: Scene, args: readonly string[] = [], options: StartOptions = {}): Started =>
  start([...program, '--format', 'gemini', '--trust', ...args], scene, { stdin: scene.payload, ...options });

/** hookrun within a line of bash, where it is `"$@"`. */
export const inShell = (
  scene: Scene,
  line: string,
  args: readonly string[] = [],
  options: StartOptions = {},
): Started =>
  start(['bash', '-c', scene.bash(line), 'bash', ...program, '--format', 'gemini', '--trust', ...args], scene, {
    stdin: scene.payload,
    ...options,
  });

/** The one document on stdout. */
export function documentIn(stdout: string): Decision {
  if (!stdout.endsWith('\n')) throw new Error(`stdout does not end with a line end: ${stdout.slice(-200)}`);
  return JSON.parse(stdout) as Decision;
}

/** Whether this machine has a program. */
export function has(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
