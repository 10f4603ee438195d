/** A home and a project on disk, for tests of trust. */

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Decision } from '../../src/decision-schema.ts';
import { main } from '../../src/main.ts';
import type { TrustDocument } from '../../src/trust-document.ts';
import type { Env } from '../../src/types.ts';
import { temporaryFolder, testWorld } from './world.ts';

export interface TrustScene {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  /** Writes a file; objects become JSON. The path begins at the scene's root. */
  put(path: string, content: string | object): void;
  link(target: string, path: string): void;
  /** Gemini hooks of a project for BeforeTool; each leaves its name in `ran`. */
  hooks(names: readonly string[], more?: object, project?: string): void;
  /** What hooks have left behind, in the order in which they ran. */
  ran(): string[];
  event(options?: EventOptions): Promise<{ code: number; decision: Decision; stderr: string }>;
  trust(
    args: readonly string[],
    options?: CallOptions,
  ): Promise<{ code: number; document: TrustDocument; out: string; stderr: string }>;
  remove(): void;
}

export interface CallOptions {
  readonly env?: Env;
  readonly cwd?: string;
}

export interface EventOptions extends CallOptions {
  readonly args?: readonly string[];
  readonly project?: string;
  readonly payload?: object;
}

export function createTrustScene(): TrustScene {
  const { path: root, remove } = temporaryFolder('hookrun-trust-');
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, project]) mkdirSync(folder);
  const ranFile = join(root, 'ran');
  const base = (): Env => ({ PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', SHLVL: '1' });
  const put = (path: string, content: string | object): void => {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, typeof content === 'string' ? content : JSON.stringify(content));
  };
  return {
    root,
    home,
    project,
    put,
    link(target, path) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(target, join(root, path));
    },
    hooks(names, more = {}, at = 'project') {
      const hooks = names.map((name) => ({ type: 'command', name, command: `echo ${name} >> '${ranFile}'`, ...more }));
      put(`${at}/.gemini/settings.json`, { hooks: { BeforeTool: [{ hooks }] } });
    },
    ran: () => (existsSync(ranFile) ? readFileSync(ranFile, 'utf8').split('\n').filter(Boolean) : []),
    async event({ env = {}, cwd, args = [], project: at = project, payload = {} } = {}) {
      const stdin = JSON.stringify({
        session_id: 's',
        transcript_path: '',
        cwd: at,
        hook_event_name: 'BeforeTool',
        timestamp: '2026-01-02T03:04:05.678Z',
        tool_name: 'write_file',
        tool_input: {},
        ...payload,
      });
      const { world, stdout, stderr } = testWorld({ cwd: cwd ?? at, home, env: { ...base(), ...env }, stdin });
      const code = await main(args, world);
      return { code, decision: JSON.parse(stdout()) as Decision, stderr: stderr() };
    },
    async trust(args, { env = {}, cwd = project } = {}) {
      const { world, stdout, stderr } = testWorld({ cwd, home, env: { ...base(), ...env } });
      const code = await main(args, world);
      const out = stdout();
      return { code, out, document: (out.startsWith('{') ? JSON.parse(out) : {}) as TrustDocument, stderr: stderr() };
    },
    remove,
  };
}
