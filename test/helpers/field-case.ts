import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../../src/types.ts';

/** What a run of a reported complaint should come to. */
export interface FieldExpectation {
  readonly config?: 'rejected';
  readonly fires?: number;
  readonly decision?: string;
  readonly exitCode?: number;
  readonly reason_contains?: readonly string[];
  readonly reason_lacks?: readonly string[];
  readonly message_contains?: readonly string[];
  readonly context_contains?: readonly string[];
  readonly files_present?: readonly string[];
  readonly files_absent?: readonly string[];
  readonly file_text?: Readonly<Record<string, string>>;
  readonly file_text_lacks?: Readonly<Record<string, string>>;
  readonly tool_input?: unknown;
  readonly min_seconds?: number;
  readonly max_seconds?: number;
  readonly settle?: number;
  /** Codes of warnings, and `skipped:<why>`. */
  readonly codes?: readonly string[];
}

export interface FieldRun {
  readonly format: string;
  readonly config: string;
  readonly payload: string;
  readonly hookrun: FieldExpectation;
  readonly env?: Readonly<Record<string, string>>;
  readonly inflate?: { readonly path: string; readonly bytes: number };
  readonly extension?: boolean;
  readonly untrusted?: boolean;
  readonly plugin_root?: string;
}

/** The runs of a case: those of its `expect.md`, with what `hookrun.json` says over it (there the protocols win, and codes are named). */
export function readRuns(folder: string): FieldRun[] {
  const block = /```json\n(.*?)```/s.exec(readFileSync(join(folder, 'expect.md'), 'utf8'))![1]!;
  const { format, runs } = JSON.parse(block) as { format: string; runs: FieldRun[] };
  const path = join(folder, 'hookrun.json');
  const own: Partial<FieldExpectation>[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).runs : [];
  return runs.map((run, index) => ({
    ...run,
    format: run.format ?? format,
    hookrun: { ...run.hookrun, ...own[index] },
  }));
}

export interface FieldScene {
  readonly project: string;
  readonly home: string;
  readonly env: Env;
  readonly payload: string;
}

/** Lays one run of a case out below `root`. */
export function layOutField(folder: string, run: FieldRun, root: string): FieldScene {
  const home = join(root, 'home');
  const project = join(root, 'project');
  mkdirSync(home, { recursive: true });
  cpSync(folder, project, { recursive: true });
  if (existsSync(join(project, 'setup.sh'))) execFileSync('sh', ['setup.sh'], { cwd: project });
  const config = readFileSync(join(folder, run.config), 'utf8').replaceAll('__CASE_DIR__', project);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  if (run.format === 'kimi') put(join(home, '.kimi-code', 'config.toml'), config);
  else if (run.format === 'goose') putPlugin(folder, run, project, config, put);
  else if (run.extension === true) {
    const extension = join(home, '.gemini', 'extensions', 'demo');
    cpSync(folder, extension, { recursive: true });
    put(join(extension, 'gemini-extension.json'), '{"name":"demo","version":"1.0.0"}');
    put(join(extension, 'hooks', 'hooks.json'), config);
  } else {
    const { cwd } = JSON.parse(readFileSync(join(folder, run.payload), 'utf8').replaceAll('__CASE_DIR__', project));
    put(join(cwd, '.gemini', 'settings.json'), config);
  }
  return {
    project,
    home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      LANG: 'C.UTF-8',
      SHLVL: '1',
      ...(run.untrusted === true ? { GEMINI_CLI_TRUST_WORKSPACE: 'false' } : {}),
      ...run.env,
    },
    payload: inflated(readFileSync(join(folder, run.payload), 'utf8').replaceAll('__CASE_DIR__', project), run.inflate),
  };
}

function putPlugin(
  folder: string,
  run: FieldRun,
  project: string,
  config: string,
  put: (path: string, text: string) => void,
): void {
  const plugins = join(project, '.agents', 'plugins');
  // Plugins are one level deep, so a path with a space becomes a name with one.
  const plugin = join(plugins, run.plugin_root?.replaceAll('/', ' ') ?? 'demo');
  const made = run.plugin_root === undefined ? folder : join(project, run.plugin_root);
  mkdirSync(plugin, { recursive: true });
  for (const file of readdirSync(made)) cpSync(join(made, file), join(plugin, file), { recursive: true });
  put(join(plugin, 'hooks', 'hooks.json'), config);
}

/** Makes a field of the payload that many bytes long. */
function inflated(text: string, inflate: FieldRun['inflate']): string {
  if (inflate === undefined) return text;
  const payload = JSON.parse(text);
  const keys = inflate.path.split('.');
  let at = payload;
  for (const key of keys.slice(0, -1)) at = at[key];
  at[keys.at(-1)!] = 'x'.repeat(inflate.bytes);
  return JSON.stringify(payload);
}
