/** What a run loads: its start-up is what hookrun costs, so that a file or a module more is a decision and not an accident. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { documentIn, program, start } from './helpers/executable.ts';
import { type Scene, withScene } from './helpers/live-hooks.ts';

const root = join(import.meta.dirname, '..');
const own = `${pathToFileURL(root)}/`;
const isNpmBuild = program.length > 1;

interface Loaded {
  /** hookrun's own files, from this checkout. */
  readonly files: readonly string[];
  /** Node's public modules. */
  readonly builtins: readonly string[];
  readonly stdout: string;
}

/** Starts hookrun, or an empty script, and tells what node has loaded by its end. */
async function loaded(scene: Scene, words: readonly string[], stdin: string): Promise<Loaded> {
  const coverage = join(scene.notes, 'coverage');
  const list = join(scene.notes, 'modules.json');
  const preload = join(scene.notes, 'tell.cjs');
  writeFileSync(
    preload,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList)));`,
  );
  const [node, ...rest] = words as [string, ...string[]];
  const ended = await start([node, '--require', preload, ...rest], scene, {
    stdin,
    env: { NODE_V8_COVERAGE: coverage },
  }).ended;
  if (!existsSync(list)) throw new Error(ended.stderr);
  const modules = JSON.parse(readFileSync(list, 'utf8')) as string[];
  const scripts = readdirSync(coverage).flatMap(
    (name) => (JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] }).result,
  );
  return {
    files: scripts
      .filter(({ url }) => url.startsWith(own))
      .map(({ url }) => url.slice(own.length))
      .sort(),
    builtins: modules
      .filter((name) => name.startsWith('NativeModule '))
      .map((name) => name.slice('NativeModule '.length))
      .filter((name) => builtinModules.includes(name)),
    stdout: ended.stdout,
  };
}

const settings: Readonly<Record<string, (scene: Scene) => void>> = {
  gemini: (scene) => scene.configure([{ name: 'guard', script: 'exit 2' }]),
  goose: (scene) => {
    const plugin = join(scene.project, '.agents/plugins/p');
    mkdirSync(join(plugin, 'hooks'), { recursive: true });
    writeFileSync(
      join(plugin, 'hooks/hooks.json'),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } }),
    );
  },
  kimi: (scene) => {
    mkdirSync(join(scene.home, '.kimi-code'), { recursive: true });
    writeFileSync(join(scene.home, '.kimi-code/config.toml'), '[[hooks]]\nevent = "PreToolUse"\ncommand = "exit 2"\n');
  },
};
/** As the agents send them, so that nothing has to be made up. */
const payloads: Readonly<Record<string, (scene: Scene) => string>> = {
  gemini: (scene) => scene.payload,
  goose: (scene) =>
    JSON.stringify({
      event: 'PreToolUse',
      session_id: 's1',
      matcher_context: 'shell',
      tool_call_id: 'call_1',
      tool_name: 'shell',
      tool_input: { command: 'true' },
      working_dir: scene.project,
    }),
  kimi: (scene) =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's1',
      cwd: scene.project,
      tool_name: 'Bash',
      tool_input: { command: 'true' },
      tool_call_id: 'call_1',
    }),
};
/** What they have beyond a bare node; `child_process` brings most of it along. A name more here is milliseconds on every call. */
const allowed = [
  'child_process',
  'dgram',
  'diagnostics_channel',
  'module',
  'net',
  'process',
  'stream',
  'stream/promises',
  'string_decoder',
  'vm',
];

// The standalone executable holds everything in one file; nothing tells from outside what of it was touched.
describe.skipIf(!isNpmBuild)('a run of one hook', () => {
  for (const [format, configure] of Object.entries(settings))
    it(`of ${format} loads two files, and of node's modules just these`, () =>
      withScene(async (scene) => {
        configure(scene);
        const [node, bin] = program as [string, string];
        const args = ['run', '--trust', '-f', format];
        const run = await loaded(scene, [node, bin, ...args], payloads[format]?.(scene) ?? '');
        expect(documentIn(run.stdout)).toMatchObject({ decision: 'deny' });
        expect(run.files).toEqual(['bin/hookrun.cjs', 'dist/program.cjs']);

        const empty = join(scene.notes, 'empty.cjs');
        writeFileSync(empty, '');
        const bare = await loaded(scene, [node, empty], '');
        const more = run.builtins.filter((name) => !bare.builtins.includes(name));
        expect(more.filter((name) => !allowed.includes(name))).toEqual([]);
      }));

  it('has an entry of a size that node compiles in a moment', () => {
    expect(statSync(join(root, 'dist/program.cjs')).size).toBeLessThan(330_000);
  });
});

describe('what a run needs of the sources, in either build', () => {
  /** Everything that a module imports plainly, and what that imports: it is loaded with it. */
  async function closureOf(entries: readonly string[]): Promise<string[]> {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [...entries],
      bundle: true,
      write: false,
      metafile: true,
      outdir: 'out',
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      logLevel: 'error',
    });
    const seen = new Set<string>();
    const open = [...entries];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      for (const { path: next, kind, external } of metafile.inputs[path]?.imports ?? [])
        if (kind !== 'dynamic-import' && external !== true) open.push(next);
    }
    return [...seen].sort();
  }

  it.each([
    ['gemini', []],
    ['goose', ['jsonc-parser']],
    ['kimi', ['smol-toml']],
  ])('is no library but the reader of its config: %s', async (format, libraries) => {
    const starts = ['main', 'node-world', 'bun-child', 'bun-streams', 'code-cache', 'commands/run'];
    const entries = [...starts, `formats/${format}/index`].map((name) => `src/${name}.ts`);
    const files = await closureOf(entries);
    expect(files.length).toBeGreaterThan(80);
    const packages = files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0].slice(13) ?? []);
    expect([...new Set(packages)]).toEqual(libraries);
    // Of the other agents, just what they are known by: entries, events, where their configs lie.
    const small = ['entry', 'events', 'home', 'places'];
    const ofOthers = files.filter((file) => file.startsWith('src/formats/') && file.split('/').length > 3);
    const large = ofOthers.filter(
      (file) => !file.startsWith(`src/formats/${format}/`) && !small.some((name) => file.endsWith(`/${name}.ts`)),
    );
    expect(large).toEqual([]);
    const lazy = ['cli-commander', 'misfit', 'differences', 'fingerprint', 'script-guard', 'trust-file', 'read-data'];
    expect(files.filter((file) => lazy.some((name) => file.endsWith(`/${name}.ts`)))).toEqual([]);
  });
});
