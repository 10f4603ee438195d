/** For tests with hooks that are real processes: a place of their own, notes that tell what they are doing, and no fixed sleeps. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decision } from '../../src/decision-schema.ts';
import type { FormatEntry } from '../../src/formats/format.ts';
import { main } from '../../src/main.ts';
import { type TestWorld, type TestWorldOptions, temporaryFolder, testWorld } from './world.ts';

/** Longer than anything here takes on a busy machine; reached only when a test fails. */
const patienceMs = 20_000;

/** Waits for a condition, looking again and again. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`waited ${patienceMs} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Whether a process is there and not just a dead one that nobody has reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Whether a process has ended and its parent, hookrun, has taken notice. */
export function isReaped(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** Shell functions for hooks. Every wait ends by itself, so that a failed test leaves nothing behind for long. */
const shellLibrary = (notes: string): string => `
N='${notes}'
# Leaves a note, whole or not at all.
note() { printf '%s' "\${2-}" > "$N/.$1.$$" && mv "$N/.$1.$$" "$N/$1"; }
# Waits for a note of another hook, or of the test.
await() { for _ in $(seq 1500); do [ -e "$N/$1" ] && return 0; sleep 0.02; done; exit 99; }
# Waits until a process is gone.
gone() { for _ in $(seq 1500); do kill -0 "$1" 2>/dev/null || return 0; sleep 0.01; done; exit 98; }
# Goes on for half a minute, whatever signals come.
stay() { for _ in $(seq 300); do sleep 0.1; done; }
log() { printf '%s\\n' "$1" >> "$N/log"; }
deny() { printf '{"decision":"deny","reason":"%s"}' "$1"; }
`;

export interface HookSetup {
  readonly name: string;
  /** Bash, with the functions of the library above. */
  readonly script: string;
  readonly timeout?: number;
}

/** A home, a project and a folder for notes, all in one temporary folder. */
export interface Scene {
  readonly home: string;
  readonly project: string;
  readonly notes: string;
  readonly payload: string;
  /** A bash command that has the functions of the library at hand. */
  bash(script: string): string;
  /** Gemini hooks of the project for BeforeTool. */
  configure(hooks: readonly HookSetup[], sequential?: boolean): void;
  note(name: string, text?: string): void;
  noted(name: string): boolean;
  read(name: string): string;
  /** Waits for a note and gives what it says. */
  heard(name: string): Promise<string>;
  /** Waits for a note that holds a process id. */
  pid(name: string): Promise<number>;
  remove(): void;
}

export function createScene(): Scene {
  const root = temporaryFolder('hookrun-live-');
  const [home, project, notes] = ['home', 'project', 'notes'].map((name) => join(root.path, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, notes, join(project, '.gemini')]) mkdirSync(folder, { recursive: true });
  const library = join(root.path, 'library.sh');
  writeFileSync(library, shellLibrary(notes));
  const bash = (script: string): string => `. '${library}'\n${script}`;
  const at = (name: string): string => join(notes, name);
  const heard = async (name: string): Promise<string> => {
    await until(() => existsSync(at(name)), `the note ${name}`);
    return readFileSync(at(name), 'utf8');
  };
  return {
    home,
    project,
    notes,
    payload: JSON.stringify({
      session_id: 's-1',
      transcript_path: '',
      cwd: project,
      hook_event_name: 'BeforeTool',
      timestamp: '2026-01-02T03:04:05.678Z',
      tool_name: 'write_file',
      tool_input: { file_path: 'a.txt', content: 'hello' },
    }),
    bash,
    configure(hooks, sequential = false) {
      const entries = hooks.map(({ name, script, timeout }) => {
        // In a file of its own, since Gemini CLI replaces variables in its settings; sourced, so that it stays the hook's process.
        const file = join(root.path, `${name}.sh`);
        writeFileSync(file, bash(script));
        return { type: 'command', name, command: `. '${file}'`, ...(timeout === undefined ? {} : { timeout }) };
      });
      const settings = { hooks: { BeforeTool: [{ matcher: '*', sequential, hooks: entries }] } };
      writeFileSync(join(project, '.gemini', 'settings.json'), JSON.stringify(settings));
    },
    note: (name, text = '') => writeFileSync(at(name), text),
    noted: (name) => existsSync(at(name)),
    read: (name) => readFileSync(at(name), 'utf8'),
    heard,
    pid: async (name) => Number(await heard(name)),
    remove: root.remove,
  };
}

/** Runs a test with a scene of its own and clears it away. */
export async function withScene<T>(use: (scene: Scene) => Promise<T>): Promise<T> {
  const scene = createScene();
  try {
    return await use(scene);
  } finally {
    scene.remove();
  }
}

export interface Called {
  readonly code: number;
  readonly decision: Decision;
  readonly stderr: string;
}

export interface Call {
  readonly ended: Promise<Called>;
  readonly signal: TestWorld['signal'];
}

/** `main` in a world of its own, with the project trusted. */
export function callMain(
  scene: Scene,
  args: readonly string[] = [],
  options: Partial<TestWorldOptions> & { readonly formats?: readonly FormatEntry[] } = {},
): Call {
  const { world, stdout, stderr, signal } = testWorld({
    cwd: scene.project,
    home: scene.home,
    stdin: scene.payload,
    ...options,
  });
  const ended = main(['--format', 'gemini', '--trust', '--project', scene.project, ...args], world).then((code) => ({
    code,
    decision: JSON.parse(stdout()) as Decision,
    stderr: stderr(),
  }));
  return { ended, signal };
}
