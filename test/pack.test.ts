/** What is published: installs into an empty folder from one file, runs there, and holds nothing that is not needed. */

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/world.ts';

const root = join(import.meta.dirname, '..');

it('the package runs from an empty folder, without any other', () => {
  const scratch = temporaryFolder('hookrun-pack-');
  try {
    const home = join(scratch.path, 'home');
    const folder = join(scratch.path, 'folder');
    const project = join(scratch.path, 'project');
    for (const dir of [home, folder, join(project, '.gemini')]) mkdirSync(dir, { recursive: true });
    const env = { PATH: process.env['PATH'], HOME: home, npm_config_cache: join(scratch.path, 'cache') };
    const npm = (args: string[], cwd: string): string => execFileSync('npm', args, { cwd, env, encoding: 'utf8' });

    const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', scratch.path], root));
    const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
    expect(
      paths.filter((path) => !/^(bin|dist|fixtures\/readme)\/|^(package\.json|README\.md|LICENSE)$/.test(path)),
    ).toEqual([]);
    expect(paths).toContain('dist/NOTICES.txt');
    // The standalone executable is over 100 MB and is not part of it.
    expect(paths.filter((path) => /^dist\/hookrun/.test(path))).toEqual([]);

    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    npm(['install', '--offline', '--no-audit', '--no-fund', join(scratch.path, packed.filename)], folder);
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'node_modules/hookrun/package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();

    expect(npm(['exec', '--offline', '--', 'hookrun', '--version'], folder)).toMatch(/^\d+\.\d+\.\d+ \(npm, node /);
    const hook = { type: 'command', name: 'ok', command: 'echo fine' };
    writeFileSync(
      join(project, '.gemini/settings.json'),
      JSON.stringify({ hooks: { BeforeTool: [{ hooks: [hook] }] } }),
    );
    const args = [
      'exec',
      '--offline',
      '--',
      'hookrun',
      '-q',
      '--trust',
      '-f',
      'gemini',
      '-e',
      'BeforeTool',
      '--cwd',
      project,
    ];
    const decision = JSON.parse(execFileSync('npm', args, { cwd: folder, env, input: '', encoding: 'utf8' }));
    expect(decision).toMatchObject({ decision: 'allow', effects: { systemMessage: 'fine' } });

    // As a library: what runs, and what a type checker makes of it.
    const use = (last: string): string =>
      `import { main, nodeWorld, type Decision, type World } from 'hookrun';
let text = '';
const stdout: World['stdout'] = { isTTY: false, write: async (part) => { text += part; } };
const code: number = await main(['-q', '--trust', '-f', 'gemini', '-e', 'BeforeTool', '--cwd', ${JSON.stringify(project)}], { ...nodeWorld(), stdout });
const decision: Decision = JSON.parse(text);
${last}
`;
    writeFileSync(
      join(folder, 'use.mts'),
      use('console.log(code, decision.decision, decision.hooks?.[0]?.exit.code);'),
    );
    writeFileSync(join(folder, 'wrong.mts'), use('console.log(code, decision.notAField);'));
    const compile = (file: string) =>
      spawnSync(process.execPath, [
        join(root, 'node_modules/typescript/bin/tsc'),
        ...[
          '--ignoreConfig',
          '--strict',
          '--module',
          'nodenext',
          '--target',
          'es2022',
          '--types',
          'node',
          '--typeRoots',
        ],
        ...[join(root, 'node_modules/@types'), '--outDir', join(folder, 'out'), join(folder, file)],
      ]);
    const compiled = compile('use.mts');
    expect(String(compiled.stdout)).toBe('');
    expect(compiled.status).toBe(0);
    expect(String(compile('wrong.mts').stdout)).toContain("'notAField' does not exist");
    const ran = execFileSync(process.execPath, [join(folder, 'out/use.mjs')], { cwd: folder, env, input: '' });
    expect(String(ran)).toBe('0 allow 0\n');
  } finally {
    scratch.remove();
  }
});

it('publint finds nothing', () => {
  const publint = join(root, 'node_modules/publint/src/cli.js');
  expect(execFileSync(process.execPath, [publint, '--strict'], { cwd: root, encoding: 'utf8' })).toContain('All good!');
});

it('the lazily loaded libraries have the names that are asked of them', async () => {
  const sources = execFileSync('grep', ['-rhoE', "\\{ \\w+ \\} = await import\\('[a-z][^']*'\\)", 'src'], {
    cwd: root,
    encoding: 'utf8',
  });
  const asked = [...sources.matchAll(/\{ (\w+) \} = await import\('([^']+)'\)/g)].map(
    ([, name, path]) => [name!, path!] as const,
  );
  expect(asked.length).toBeGreaterThan(3);
  for (const [name, path] of asked) {
    const chunk = join(root, 'dist/lib', `${path.split('/')[0]}.cjs`);
    expect(await import(chunk), path).toHaveProperty(name);
  }
});

describe('a checkout that nobody has built, or not to the end', () => {
  it.each<
    [what: string, args: string[], env: Record<string, string>, code: number, decision: string | null | undefined]
  >([
    ['says what to do', [], {}, 1, null],
    ['lets nothing past where failures block', ['--on-failure', 'block'], {}, 2, 'deny'],
    ['lets nothing past where failures block, by variable', [], { HOOKRUN_ON_FAILURE: 'block' }, 2, 'deny'],
    ['lets nothing past as a hook', ['-o', 'hook'], {}, 2, undefined],
    ['lets nothing past as a hook, in one word', ['-qohook'], {}, 2, undefined],
    ['lets nothing past as a hook, by variable', [], { HOOKRUN_OUTPUT: 'hook' }, 2, undefined],
  ])('%s', (_what, args, env, code, decision) => {
    const scratch = temporaryFolder('hookrun-unbuilt-');
    try {
      for (const folder of ['bin', 'dist']) mkdirSync(join(scratch.path, folder));
      const bin = join(scratch.path, 'bin/hookrun.cjs');
      copyFileSync(join(root, 'bin/hookrun.cjs'), bin);
      const whole = readFileSync(join(root, 'dist/program.cjs'), 'latin1');
      for (const program of [undefined, '', whole.slice(0, 100_000)]) {
        if (program !== undefined) writeFileSync(join(scratch.path, 'dist/program.cjs'), program);
        const run = spawnSync(process.execPath, [bin, ...args], {
          encoding: 'utf8',
          env: { HOME: scratch.path, ...env },
        });
        expect(run.stderr).toMatch(/^hookrun: hookrun is not built: .*npm ci && npm run build\)\n$/);
        expect(run.status).toBe(code);
        expect(run.stdout === '' ? undefined : JSON.parse(run.stdout).decision).toBe(decision);
      }
    } finally {
      scratch.remove();
    }
  });
});
