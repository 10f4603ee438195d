/** What flags and variables choose: which hooks run, in which order, how long, and how hookrun answers as a hook. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { main } from '../../src/main.ts';
import type { Env } from '../../src/types.ts';
import { definition, settingsOf } from '../helpers/gemini.ts';
import { temporaryFolder, testWorld } from '../helpers/world.ts';

const root = temporaryFolder('hookrun-flags-');
afterAll(() => root.remove());

let made = 0;
/** A fresh project with these settings, and a home folder with those. */
function lay(project: object, user: object = {}): { project: string; home: string } {
  const folder = join(root.path, String(made++));
  const put = (where: string, settings: object): string => {
    mkdirSync(join(folder, where, '.gemini'), { recursive: true });
    writeFileSync(join(folder, where, '.gemini', 'settings.json'), JSON.stringify(settings));
    return join(folder, where);
  };
  return { project: put('project', project), home: put('home', user) };
}

interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Empty with `-o hook`. */
  readonly decision: Decision;
}

async function call(
  place: { project: string; home: string },
  args: readonly string[],
  env: Env = {},
  payload: object = {},
): Promise<Called> {
  const stdin = JSON.stringify({
    hook_event_name: 'BeforeTool',
    tool_name: 'write_file',
    tool_input: {},
    cwd: place.project,
    ...payload,
  });
  const { world, stdout, stderr } = testWorld({
    cwd: place.project,
    home: place.home,
    stdin,
    env: { PATH: process.env['PATH'], SHLVL: '1', GEMINI_CLI_TRUST_WORKSPACE: 'true', ...env },
  });
  const code = await main(['--format', 'gemini', ...args], world);
  const isDecision = stdout().startsWith('{"schemaVersion"');
  return { code, stdout: stdout(), stderr: stderr(), decision: isDecision ? JSON.parse(stdout()) : ({} as Decision) };
}

const names = (one: Called): string[] | undefined => one.decision.hooks?.map((hook) => hook.name);
const skips = (one: Called): string[] | undefined => one.decision.skipped?.map(({ name, why }) => `${name}: ${why}`);
const codes = (one: Called): string[] | undefined => one.decision.warnings?.map((warning) => warning.code);

const three = lay(settingsOf('BeforeTool', ['lint:js', 'lint:py', 'guard']), settingsOf('BeforeTool', ['mine']));

describe.concurrent('selection', () => {
  type Row = [args: string[], env: Env, run: string[], skipped: string[]];
  it.each<Row>([
    [[], {}, ['mine', 'lint:js', 'lint:py', 'guard'], []],
    [['--only', 'lint:*'], {}, ['lint:js', 'lint:py'], ['mine: not-selected', 'guard: not-selected']],
    [['--only', 'guard', '--only', 'min?'], {}, ['mine', 'guard'], ['lint:js: not-selected', 'lint:py: not-selected']],
    [
      ['--only', 'GUARD'],
      {},
      [],
      ['mine: not-selected', 'lint:js: not-selected', 'lint:py: not-selected', 'guard: not-selected'],
    ],
    [['--skip', 'lint:*', '--skip', 'x'], {}, ['mine', 'guard'], ['lint:js: not-selected', 'lint:py: not-selected']],
    [
      ['--only', 'lint:*', '--skip', '*py'],
      {},
      ['lint:js'],
      ['mine: not-selected', 'lint:py: not-selected', 'guard: not-selected'],
    ],
    [['--scope', 'user'], {}, ['mine'], ['lint:js: not-selected', 'lint:py: not-selected', 'guard: not-selected']],
    [['--scope', 'project, system'], {}, ['lint:js', 'lint:py', 'guard'], ['mine: not-selected']],
    [['--scope', 'user', '--scope', 'project'], {}, ['mine', 'lint:js', 'lint:py', 'guard'], []],
    [[], { HOOKRUN_SKIP: 'guard' }, ['mine', 'lint:js', 'lint:py'], ['guard: switched-off']],
    [
      [],
      { HOOKRUN_SKIP: ' lint:* , mine,' },
      ['guard'],
      ['mine: switched-off', 'lint:js: switched-off', 'lint:py: switched-off'],
    ],
    [[], { HOOKRUN_SKIP: '' }, ['mine', 'lint:js', 'lint:py', 'guard'], []],
    [
      [],
      { HOOKRUN: '0' },
      [],
      ['mine: switched-off', 'lint:js: switched-off', 'lint:py: switched-off', 'guard: switched-off'],
    ],
    [[], { HOOKRUN: '1' }, ['mine', 'lint:js', 'lint:py', 'guard'], []],
    [
      ['--only', 'guard'],
      { HOOKRUN_SKIP: 'guard' },
      [],
      ['mine: not-selected', 'lint:js: not-selected', 'lint:py: not-selected', 'guard: switched-off'],
    ],
  ])('%j with %j', async (args, env, run, skipped) => {
    const one = await call(three, [...args, '--dry-run'], env);
    expect(names(one)).toEqual(run);
    expect(skips(one)).toEqual(skipped);
    // What a variable switches off is never silent.
    const off = skipped.filter((text) => text.endsWith('switched-off')).length;
    expect(codes(one)?.filter((code) => code !== 'glob-unused')).toEqual(off === 0 ? [] : ['switched-off']);
    // Nor is a name that no hook has.
    expect(codes(one)?.includes('glob-unused')).toBe(args.includes('GUARD') || args.includes('x'));
    expect(one.stderr.includes('[switched-off]')).toBe(off > 0);
    if (off > 0) expect(one.decision.warnings?.[0]?.message).toContain(off === 1 ? '1 hook off' : `${off} hooks off`);
  });

  it('HOOKRUN=0 allows, starts nothing, and does not ask about trust', async () => {
    const place = lay(settingsOf('BeforeTool', ['x'], {}));
    const one = await call(place, [], { HOOKRUN: '0', GEMINI_CLI_TRUST_WORKSPACE: undefined });
    expect(one).toMatchObject({ code: 0, decision: { decision: 'allow', hooks: [] } });
    expect(skips(one)).toEqual(['x: switched-off']);
    expect((await call(place, [], { GEMINI_CLI_TRUST_WORKSPACE: undefined })).code).toBe(77);
  });

  it('what does not match is not among what was not selected', async () => {
    const place = lay(settingsOf('BeforeTool', ['x'], { matcher: 'read_file' }));
    const one = await call(place, ['--only', 'y', '--verbose']);
    expect(skips(one)).toEqual(['x: matcher']);
    expect(one.decision.unmatched).toBe(1);
  });
});

describe.concurrent('mode and bounds', () => {
  const command = 'cat';
  const both = [
    { name: 'a', command },
    { name: 'b', command },
  ];
  const rewriting = [
    { name: 'a', command: `echo '{"hookSpecificOutput":{"tool_input":{"by":"a"}}}'` },
    { name: 'b', command: `cat >&2; echo '{}'` },
  ];

  it.each<[args: string[], sequential: boolean, mode: string]>([
    [[], false, 'parallel'],
    [[], true, 'sequential'],
    [['--sequential'], false, 'sequential'],
    [['--parallel'], true, 'parallel'],
  ])('%j, sequential %j: %s', async (args, sequential, mode) => {
    const place = lay({ hooks: { BeforeTool: [definition(both, { sequential })] } });
    expect((await call(place, [...args, '--dry-run'])).decision.mode).toBe(mode);
    const chained = lay({ hooks: { BeforeTool: [definition(rewriting, { sequential })] } });
    const { decision } = await call(chained, args);
    // Only in sequence does the second hook see what the first one made.
    expect(decision.hooks?.[1]?.stderr?.includes('"by":"a"')).toBe(mode === 'sequential');
  });

  it.each<[args: string[], ms: number | undefined]>([
    [[], undefined],
    [['--timeout', '30ms'], 30],
    [['--timeout', '0.03s'], 30],
    [['--timeout', ' 30ms '], 30],
    [['--timeout', '0.0005m'], 30],
    [['--timeout', '1h'], undefined],
    [['--timeout', '0ms'], 0],
  ])('%j bounds a timeout of 200 ms', async (args, ms) => {
    const place = lay({ hooks: { BeforeTool: [definition([{ name: 'a', command: 'exec sleep 60', timeout: 200 }])] } });
    const { decision } = await call(place, args);
    expect(decision.hooks?.[0]?.exit).toMatchObject({ kind: 'timed-out', why: `timeout of ${ms ?? 200} ms` });
  });

  it('a deadline is for all of them', async () => {
    const place = lay({
      hooks: {
        BeforeTool: [
          definition(
            [
              { name: 'a', command: 'exec sleep 60' },
              { name: 'b', command: 'true' },
            ],
            { sequential: true },
          ),
        ],
      },
    });
    const { decision } = await call(place, ['--deadline', '300ms', '--on-failure', 'block']);
    expect(decision.hooks?.map((hook) => hook.exit.kind)).toEqual(['timed-out', 'not-started']);
    expect(decision).toMatchObject({ decision: 'deny', cause: 'hook_failure' });
  });

  it('-j 1 runs one at a time', async () => {
    // Each hook fails if it finds another one running.
    const alone = 'mkdir lock || exit 2; sleep 0.05; rmdir lock';
    const place = lay({
      hooks: { BeforeTool: [definition(['a', 'b', 'c'].map((name) => ({ name, command: `${alone} # ${name}` })))] },
    });
    const one = await call(place, ['-j', '1']);
    expect(one.decision.hooks?.map((hook) => hook.verdict)).toEqual(['allow', 'allow', 'allow']);
    expect(one.decision.mode).toBe('parallel');
  });
});

describe.concurrent('-o hook', () => {
  const deny = { name: 'no', command: 'echo "not in here" >&2; exit 2' };
  const place = lay({ hooks: { BeforeTool: [definition([deny])], SessionStart: [definition([deny])] } });

  it.each<[what: string, hooks: object[], output: object]>([
    ['a denial', [deny], { decision: 'deny', reason: 'not in here' }],
    ['an allow', [{ name: 'yes', command: 'true' }], { decision: 'allow' }],
    ['a message', [{ name: 'say', command: 'echo hello' }], { decision: 'allow', systemMessage: 'hello' }],
    [
      'a stop',
      [{ name: 's', command: `echo '{"continue":false,"stopReason":"r"}'` }],
      { continue: false, stopReason: 'r' },
    ],
    ['nothing to run', [], { decision: 'allow' }],
  ])('%s', async (_, hooks, output) => {
    const one = await call(lay({ hooks: { BeforeTool: [definition(hooks)] } }), ['-o', 'hook']);
    expect({ code: one.code, stderr: one.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(one.stdout)).toEqual(output);
  });

  it('what an event can not stop is allowed', async () => {
    const one = await call(place, ['-o', 'hook'], {}, { hook_event_name: 'SessionStart', source: 'startup' });
    expect({ code: one.code, output: JSON.parse(one.stdout) }).toMatchObject({
      code: 0,
      output: { decision: 'allow' },
    });
  });

  it.each<[what: string, env: Env, args: string[]]>([
    ['a folder that is not trusted', { GEMINI_CLI_TRUST_WORKSPACE: undefined }, []],
    ['a failure of its own', {}, ['--project', 'none']],
  ])('%s denies, with one line on stderr', async (_, env, args) => {
    const one = await call(place, ['-o', 'hook', ...args], env);
    expect({ code: one.code, stdout: one.stdout }).toEqual({ code: 2, stdout: '' });
    expect(one.stderr).toMatch(/^.+\n$/);
  });

  it('masks secrets in what it says of its own failures', async () => {
    const token = `ghp_${'a'.repeat(36)}`;
    const one = await call(place, ['-o', 'hook', '--project', token]);
    expect(one.code).toBe(2);
    const other = await call(place, ['-o', 'hook', '--tool-input', `{${token}`]);
    expect(other.stderr).not.toContain(token);
    expect(other.stderr).toContain('[secret]');
  });

  it('tells its hooks how deep they are, and only then', async () => {
    const depth = lay({ hooks: { BeforeTool: [definition([{ command: 'echo "depth:$HOOKRUN_DEPTH"' }])] } });
    expect(JSON.parse((await call(depth, ['-o', 'hook'])).stdout)).toMatchObject({ systemMessage: 'depth:1' });
    expect((await call(depth, [])).decision.hooks?.[0]?.stdout).toBe('depth:\n');
  });

  it.each<[what: string, args: string[], env: Env, settings?: object]>([
    ['a hook that denies', [], {}],
    ['a folder that is not trusted', [], { GEMINI_CLI_TRUST_WORKSPACE: undefined }],
    ['--require-match', ['--require-match'], {}],
    [
      'an invalid entry under block',
      ['--on-failure', 'block'],
      {},
      { hooks: { BeforeTool: [{ hooks: [{ command: 'x' }] }] } },
    ],
  ])('below another one it runs nothing and allows, and says so: %s', async (_, args, env, settings) => {
    const own = settings === undefined ? place : lay(settings);
    const one = await call(own, ['-o', 'hook', ...args], { HOOKRUN_DEPTH: '1', ...env });
    expect({ code: one.code, output: JSON.parse(one.stdout) }).toEqual({ code: 0, output: { decision: 'allow' } });
    expect(one.stderr).toContain('[nested]');
  });

  it('as itself it runs hooks below another one, too', async () => {
    const one = await call(place, [], { HOOKRUN_DEPTH: '1' });
    expect(one).toMatchObject({ code: 2, decision: { decision: 'deny' } });
    expect((await call(place, ['-o', 'hook'], { HOOKRUN_DEPTH: '' })).stderr).toBe('');
  });

  it('says what is switched off', async () => {
    const one = await call(place, ['-o', 'hook'], { HOOKRUN_SKIP: 'no' });
    expect({ code: one.code, output: JSON.parse(one.stdout) }).toEqual({ code: 0, output: { decision: 'allow' } });
    expect(one.stderr).toBe('hookrun: HOOKRUN_SKIP=no switches 1 hook off [switched-off]\n');
  });
});

describe.concurrent('the document', () => {
  it('stands in one line for a program, and is indented for a person', async () => {
    const place = lay({});
    expect((await call(place, [])).stdout).toMatch(/^[^\n]+\n$/);
    const { world, stdout } = testWorld({
      cwd: place.project,
      home: place.home,
      env: {},
      tty: true,
      stdin: '{"hook_event_name":"BeforeTool"}',
    });
    await main(['--format', 'gemini', '--no-color'], world);
    expect(stdout()).toMatch(/^\{\n {2}"schemaVersion": 1,\n/);
    expect(stdout()).toBe(`${JSON.stringify(JSON.parse(stdout()), undefined, 2)}\n`);
  });

  it('--require-match denies where nothing matched, a hook that ran is enough', async () => {
    expect(await call(lay({}), ['--require-match'])).toMatchObject({
      code: 2,
      decision: { decision: 'deny', cause: 'no_match' },
    });
    expect((await call(three, ['--require-match', '--only', 'none'])).code).toBe(2);
    expect(
      (await call(lay({ hooks: { BeforeTool: [definition([{ command: 'true' }])] } }), ['--require-match'])).code,
    ).toBe(0);
  });
});

describe('the environment', () => {
  it('is the one of each call, also where the caller changes it in place', async () => {
    const says = definition([{ name: 'says', command: 'printf %s "$PLAIN_WORD"' }]);
    const place = lay({ hooks: { BeforeTool: [says] } });
    const stdin = JSON.stringify({ hook_event_name: 'BeforeTool', tool_name: 'x', tool_input: {}, cwd: place.project });
    const env: Record<string, string | undefined> = { PATH: process.env['PATH'], HOME: place.home };
    const said: unknown[] = [];
    for (const word of ['one', 'two']) {
      env['PLAIN_WORD'] = word;
      const { world, stdout } = testWorld({ env, cwd: place.project, home: place.home, stdin });
      await main(['--format', 'gemini', '--trust', '-q'], world);
      said.push(JSON.parse(stdout()).hooks[0].stdout);
    }
    expect(said).toEqual(['one', 'two']);
  });
});
