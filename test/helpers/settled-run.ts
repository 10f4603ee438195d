import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Decision } from '../../src/decision-schema.ts';
import { main } from '../../src/main.ts';
import type { World } from '../../src/world.ts';
import { beforeTool, hook } from './gemini-project.ts';
import { type TestWorldOptions, temporaryFolder, testWorld } from './world.ts';

/** A home and a project in a folder of their own, and runs of hookrun there. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  /** Writes a file below the root; an object as JSON. Gives its path. */
  write(path: string, content: string | object): string;
  /** Gemini hooks of the user or of the project, by name and command. */
  hooks(of: 'home' | 'project', hooks: Readonly<Record<string, string>>): void;
  run(args?: readonly string[], options?: RunHere): Promise<Ran>;
}

export interface RunHere extends Partial<TestWorldOptions> {
  /** The payload's other fields, or its whole text. */
  readonly payload?: object | string;
  /** Changes to the world itself. */
  readonly world?: Partial<World>;
}

export interface Ran {
  readonly code: number;
  readonly decision: Decision;
  readonly stdout: string;
  readonly stderr: string;
  /** Codes of the warnings, in order. */
  readonly codes: readonly string[];
}

/** What a run has of the environment when nothing else is said: nothing of this machine's settings. */
export const bareEnv = (home: string): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  HOME: home,
  LANG: 'C.UTF-8',
  SHLVL: '1',
});

/** The document on stdout, or an empty one where something else was printed. */
function documentOf(text: string): Decision {
  return text.startsWith('{"schemaVersion"') ? (JSON.parse(text) as Decision) : { schemaVersion: 1, decision: null };
}

/** Uses a place and clears it away. */
export async function withPlace<T>(use: (place: Place) => Promise<T>, projectName = 'project'): Promise<T> {
  const scratch = temporaryFolder('hookrun-place-');
  const at = (path: string): string => join(scratch.path, path);
  const [home, project] = [at('home'), at(projectName)];
  mkdirSync(home);
  mkdirSync(project, { recursive: true });
  const write = (path: string, content: string | object): string => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), typeof content === 'string' ? content : JSON.stringify(content));
    return at(path);
  };
  const run = async (
    args: readonly string[] = [],
    { payload = {}, world: changes, ...options }: RunHere = {},
  ): Promise<Ran> => {
    const stdin = typeof payload === 'string' ? payload : JSON.stringify({ ...beforeTool, cwd: project, ...payload });
    const { world, stdout, stderr } = testWorld({
      cwd: project,
      home,
      stdin,
      ...options,
      env: { ...bareEnv(home), ...options.env },
    });
    const code = await main(args, { ...world, ...changes });
    const decision = documentOf(stdout());
    const codes = (decision.warnings ?? []).map((warning) => warning.code);
    return { code, decision, stdout: stdout(), stderr: stderr(), codes };
  };
  const place: Place = {
    root: scratch.path,
    home,
    project,
    write,
    hooks(of, hooks) {
      const entries = Object.entries(hooks).map(([name, command]) => hook(name, command));
      const folder = of === 'home' ? 'home' : projectName;
      write(`${folder}/.gemini/settings.json`, { hooks: { BeforeTool: [{ hooks: entries }] } });
    },
    run,
  };
  try {
    return await use(place);
  } finally {
    scratch.remove();
  }
}
