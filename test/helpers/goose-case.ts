import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskFs } from '../../src/file-system.ts';
import type { Where } from '../../src/formats/format.ts';
import type { Env } from '../../src/types.ts';

export const caseFolder = fileURLToPath(new URL('../../fixtures/cases/goose/', import.meta.url));

export interface GooseExpected {
  readonly plugins: readonly { readonly name: string; readonly root: string; readonly scope: string }[];
  readonly loadWarnings: readonly string[];
  readonly loadNotes: readonly string[];
  readonly rules: readonly {
    readonly plugin: string;
    readonly event: string;
    readonly matcher: string | null;
    readonly commands: readonly string[];
    readonly onFailure: readonly string[];
    readonly timeoutSecs: readonly number[];
  }[];
  readonly outcome: Readonly<Record<string, unknown>> | null;
  readonly banners: readonly string[] | null;
  readonly ran: readonly string[];
  readonly ranAfterSettle?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

/** `hookrun.json` beside a case: the row of the table of differences, and what hookrun does there instead. */
export interface Pin {
  readonly difference: string;
  readonly native?: unknown;
  readonly decision?: string;
  readonly reason?: string;
  readonly ran?: readonly string[];
  readonly ranAfterSettle?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly settleMs?: number;
}

interface CaseFile {
  readonly env?: Readonly<Record<string, string | null>>;
  readonly payloadFill?: { readonly path: readonly string[]; readonly count: number };
  readonly setup?: string;
  readonly settleMs?: number;
  readonly collect?: readonly string[];
}

/** A recorded case, copied to a scratch folder and set up as its engine saw it. */
export interface GooseCase {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly env: Env;
  readonly payload: string;
  readonly event: string;
  readonly settleMs: number;
  readonly expected: GooseExpected;
  readonly pin: Pin | undefined;
  readonly where: Where;
  /** The lines that hooks have written so far. */
  ran(): string[];
  /** `out.*` and what the case collects, the lines of each sorted. */
  files(): Record<string, string[]>;
}

const read = (path: string): string => readFileSync(path, 'utf8');

export function layOut(name: string, root: string): GooseCase {
  cpSync(join(caseFolder, name), root, { recursive: true });
  const file: CaseFile = JSON.parse(read(join(root, 'case.json')));
  const project = join(root, 'project');
  const base: Record<string, string | null> = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: join(root, 'home'),
    LANG: 'C.UTF-8',
    GOOSE_PATH_ROOT: join(root, 'home'),
  };
  const fill = (text: string): string => text.replaceAll('$CASE', root);
  for (const [key, value] of Object.entries(file.env ?? {})) base[key] = value === null ? null : fill(value);
  const env = Object.fromEntries(Object.entries(base).filter((one): one is [string, string] => one[1] !== null));
  for (const dir of [project, join(root, 'home')]) mkdirSync(dir, { recursive: true });
  if (file.setup !== undefined) execFileSync('sh', ['-c', file.setup], { cwd: root, env });
  const home = env['HOME'] ?? join(root, 'home');
  const quoted = (text: string): string => text.replaceAll('$CASE', JSON.stringify(root).slice(1, -1));
  const pinPath = join(root, 'hookrun.json');
  const pin: Pin | undefined = existsSync(pinPath) ? JSON.parse(quoted(read(pinPath))) : undefined;
  return {
    root,
    project,
    home,
    env,
    event: (JSON.parse(read(join(root, 'payload.json'))) as { event: string }).event,
    payload: filledPayload(read(join(root, 'payload.json')), file.payloadFill),
    settleMs: pin?.settleMs ?? file.settleMs ?? 0,
    expected: JSON.parse(quoted(read(join(root, 'expected.json')))),
    pin,
    where: { project, home, cwd: project, env, fs: diskFs, platform: process.platform, explicit: [] },
    ran: () => (existsSync(join(root, 'ran.log')) ? read(join(root, 'ran.log')).trimEnd().split('\n') : []),
    files() {
      const names = readdirSync(root).filter((one) => one.startsWith('out.'));
      const all = [...names, ...(file.collect ?? []).filter((one) => existsSync(join(root, one)))];
      return Object.fromEntries(all.map((one) => [one, sortedLines(read(join(root, one)))]));
    },
  };
}

export const sortedLines = (text: string): string[] => text.split('\n').sort();

function filledPayload(text: string, fill: CaseFile['payloadFill']): string {
  if (fill === undefined) return text;
  const payload = JSON.parse(text) as Record<string, unknown>;
  let inner = payload;
  for (const key of fill.path.slice(0, -1)) {
    inner[key] ??= {};
    inner = inner[key] as Record<string, unknown>;
  }
  inner[fill.path.at(-1)!] = 'a'.repeat(fill.count);
  return JSON.stringify(payload);
}
