import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decision } from '../../src/decision-schema.ts';
import { main } from '../../src/main.ts';
import { temporaryFolder, testWorld } from './world.ts';

export interface ProjectRun {
  /** The `hooks` object of the project's settings. */
  readonly hooks: unknown;
  /** Other keys of the settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ProjectResult {
  readonly code: number;
  readonly decision: Decision;
  readonly stderr: string;
  /** Codes of the warnings, in order. */
  readonly codes: readonly string[];
}

export const beforeTool = {
  session_id: 's',
  transcript_path: '',
  hook_event_name: 'BeforeTool',
  timestamp: '2026-01-02T03:04:05.678Z',
  tool_name: 'write_file',
  tool_input: { file_path: 'a.txt', content: 'hi' },
};

/** One command hook of Gemini CLI. */
export const hook = (name: string, command: string, more: object = {}) => ({ type: 'command', name, command, ...more });

/** Runs one event in a fresh, trusted Gemini project with these hooks, and cleans up. */
export async function runInProject({
  hooks,
  settings = {},
  payload = beforeTool,
  args = [],
  env = {},
}: ProjectRun): Promise<ProjectResult> {
  const scratch = temporaryFolder('hookrun-project-');
  try {
    const home = join(scratch.path, 'home');
    const project = join(scratch.path, 'project');
    mkdirSync(home);
    mkdirSync(join(project, '.gemini'), { recursive: true });
    writeFileSync(join(project, '.gemini', 'settings.json'), JSON.stringify({ hooks, ...settings }));
    const { world, stdout, stderr } = testWorld({
      cwd: project,
      home,
      env: { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', SHLVL: '1', ...env },
      stdin: JSON.stringify({ cwd: project, ...payload }),
    });
    const code = await main(['--format', 'gemini', '--trust', ...args], world);
    const decision = JSON.parse(stdout()) as Decision;
    return { code, decision, stderr: stderr(), codes: (decision.warnings ?? []).map((warning) => warning.code) };
  } finally {
    scratch.remove();
  }
}
