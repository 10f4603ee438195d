import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskFs, type FileInfo, type ReadOnlyFs } from '../../src/file-system.ts';
import type { Env } from '../../src/types.ts';

/** A recorded case, laid out in a scratch folder as its engine saw it. */
export interface GeminiCase {
  readonly project: string;
  readonly home: string;
  readonly env: Env;
  readonly payload: string;
  readonly expected: GeminiExpected;
  /** How hookrun differs, where it does. */
  readonly pinned: Pinned | undefined;
  /** Fills in the folders of the scratch copy. */
  fill(text: string): string;
  /** Set where system settings take part: those must look as if only root could write them. */
  readonly fs: ReadOnlyFs | undefined;
}

export interface GeminiExpected {
  readonly fatal?: string;
  readonly plan?: {
    readonly sequential: boolean;
    readonly hooks: readonly { readonly name: string; readonly source: string }[];
  } | null;
  readonly finalOutput?: unknown;
  readonly settingsErrors?: readonly unknown[];
  readonly perHook: readonly {
    readonly name: string;
    readonly rawCode: number | null;
    readonly rawSignal: string | null;
  }[];
}

/** `hookrun.json` beside a case: the row of the table of differences, and what hookrun does there. */
export interface Pinned {
  readonly difference: string;
  readonly decision?: string;
  readonly exitCode?: number;
  readonly native?: unknown;
  /** A pattern for the engine's systemMessage, where it holds something like a process id. */
  readonly systemMessage?: string;
  readonly hooks?: readonly string[];
}

interface CaseFile {
  readonly env?: Record<string, string | null>;
  readonly trusted?: boolean | 'real';
  readonly cwdName?: string;
  readonly cwdIsHome?: boolean;
}

const read = (path: string): string => readFileSync(path, 'utf8');

/** Lays a case out below `root`. */
export function layOut(folder: string, root: string): GeminiCase {
  const file: CaseFile = existsSync(join(folder, 'case.json')) ? JSON.parse(read(join(folder, 'case.json'))) : {};
  const home = join(root, 'home');
  const project = file.cwdIsHome === true ? home : join(root, file.cwdName ?? 'project');
  const system = join(root, 'system');
  for (const dir of [home, project, system, join(root, 'tmp')]) mkdirSync(dir, { recursive: true });
  const put = (from: string, to: string): void => {
    if (!existsSync(join(folder, from))) return;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(folder, from), to, { recursive: true });
  };
  put('home', home);
  put('files', project);
  put('user/settings.json', join(home, '.gemini', 'settings.json'));
  put('settings.json', join(project, '.gemini', 'settings.json'));
  put('system/settings.json', join(system, 'settings.json'));
  put('system-defaults/settings.json', join(system, 'system-defaults.json'));
  put('extensions', join(home, '.gemini', 'extensions'));

  const trusted = file.trusted ?? true;
  const base: Record<string, string | null> = {
    HOME: home,
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    USER: 'dev',
    LOGNAME: 'dev',
    SHELL: '/bin/bash',
    SHLVL: '1',
    TMPDIR: join(root, 'tmp'),
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(system, 'settings.json'),
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(system, 'system-defaults.json'),
    GEMINI_CLI_TRUST_WORKSPACE: trusted === 'real' ? null : String(trusted),
    ...file.env,
  };
  const env = Object.fromEntries(Object.entries(base).filter((one): one is [string, string] => one[1] !== null));
  const fill = (text: string): string =>
    text.replaceAll('@CWD@', project).replaceAll('@HOME@', home).replaceAll('@ROOT@', root);
  const pinnedPath = join(folder, 'hookrun.json');
  return {
    project,
    home,
    env,
    payload: fill(read(join(folder, 'payload.json'))),
    expected: JSON.parse(fill(read(join(folder, 'expected.json')))),
    pinned: existsSync(pinnedPath) ? JSON.parse(fill(read(pinnedPath))) : undefined,
    fill,
    fs: ['system', 'system-defaults'].some((one) => existsSync(join(folder, one))) ? ownedByRoot(system) : undefined,
  };
}

/** The real file system, but for the system's settings, which look as if only root could write them, as in production. */
function ownedByRoot(folder: string): ReadOnlyFs {
  const info = (path: string): FileInfo | undefined => {
    const found = diskFs.info(path);
    const counts = path === folder || path.startsWith(`${folder}/`) || folder.startsWith(path);
    return found === undefined || !counts ? found : { ...found, uid: 0, mode: found.mode & ~0o022 };
  };
  return { ...diskFs, info };
}

export const writeJson = (path: string, value: unknown): void =>
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
