/** Kimi Code's configuration, rule by rule (Kimi protocol, Config), from files in memory. */

import { describe, expect, it } from 'vitest';
import { HookrunError } from '../../src/errors.ts';
import { ReadError, type ReadOnlyFs } from '../../src/file-system.ts';
import type { Setup, Where } from '../../src/formats/format.ts';
import { format } from '../../src/formats/kimi/index.ts';
import { hookLines } from '../../src/formats/kimi/toml-lines.ts';

const home = '/home/dev';
const data = `${home}/.kimi-code`;

function memoryFs(files: Readonly<Record<string, string | ReadError>>): ReadOnlyFs {
  const info: ReadOnlyFs['info'] = (path) =>
    Object.hasOwn(files, path) ? { kind: 'file', size: 1, uid: 0, mode: 0o644 } : undefined;
  return {
    info,
    isMissing: (path) => files[path] === undefined,
    linkInfo: info,
    list: () => [],
    real: (path) => path,
    stamp: () => '',
    linkTarget: () => undefined,
    read(path) {
      const file = Object.hasOwn(files, path) ? files[path]! : new ReadError('missing', path, 'no such file');
      if (file instanceof ReadError) throw file;
      return Buffer.from(file);
    },
  };
}

const where = (files: Parameters<typeof memoryFs>[0], more: Partial<Where> = {}): Where => ({
  project: '/project',
  home,
  cwd: '/project',
  env: {},
  fs: memoryFs(files),
  platform: 'linux',
  explicit: [],
  ...more,
});

const setupOf = async (toml: string, event = 'PreToolUse'): Promise<Setup> =>
  (await format.load(where({ [`${data}/config.toml`]: toml }))).setup(event, true);

const good = '[[hooks]]\nevent = "PreToolUse"\ncommand = "good"\n';
const second = (lines: string): string => `${good}\n[[hooks]]\n${lines}\n`;

describe('an entry that is not strict takes all config hooks with it', () => {
  it.each([
    ['an extra field', 'event = "PreToolUse"\ncommand = "x"\ndescription = "d"', 'hooks[1].description'],
    ['an unknown event', 'event = "BeforeTool"\ncommand = "x"', 'hooks[1].event'],
    ['no event', 'command = "x"', 'hooks[1].event'],
    ['no command', 'event = "Stop"', 'hooks[1].command'],
    ['an empty command', 'event = "Stop"\ncommand = ""', 'hooks[1].command'],
    ['timeout 0', 'event = "Stop"\ncommand = "x"\ntimeout = 0', 'hooks[1].timeout'],
    ['timeout 601', 'event = "Stop"\ncommand = "x"\ntimeout = 601', 'hooks[1].timeout'],
    ['timeout 1.5', 'event = "Stop"\ncommand = "x"\ntimeout = 1.5', 'hooks[1].timeout'],
    ['timeout "5"', 'event = "Stop"\ncommand = "x"\ntimeout = "5"', 'hooks[1].timeout'],
    ['timeout inf', 'event = "Stop"\ncommand = "x"\ntimeout = inf', 'hooks[1].timeout'],
    ['a timeout over 2^53', 'event = "Stop"\ncommand = "x"\ntimeout = 9007199254740993', 'hooks[1].timeout'],
    ['a timeout that is a date', 'event = "Stop"\ncommand = "x"\ntimeout = 1979-05-27', 'hooks[1].timeout'],
    ['a matcher that is a number', 'event = "Stop"\ncommand = "x"\nmatcher = 1', 'hooks[1].matcher'],
    ['a list of hooks inside', 'event = "Stop"\ncommand = "x"\nhooks = []', 'hooks[1].hooks'],
  ])('%s', async (_, lines, key) => {
    const { hooks, problems } = await setupOf(second(lines));
    expect(hooks[0]).toMatchObject({ name: 'config:PreToolUse#1', off: { why: 'invalid' } });
    expect(hooks[0]!.off!.detail).toContain(key);
    expect(problems).toMatchObject([{ code: 'kimi-entry-invalid', path: `${data}/config.toml`, key, line: 5 }]);
  });

  it('names every bad key, and what was probably meant', async () => {
    const { problems } = await setupOf(second('event = "pre_tool_use"\ncommand = "x"\ntimeout = 5000'));
    expect(problems.map((one) => one.key)).toEqual(['hooks[1].event', 'hooks[1].timeout']);
    expect(problems[0]!.message).toContain('did you mean PreToolUse?');
    expect(problems[1]!.message).toContain('5000 milliseconds would be 5');
  });

  it('lists the bad entry with its own event, and with every event where it has none', async () => {
    const bad = second('event = "Stop"\ncommand = "x"\ntimeout = 0');
    expect((await setupOf(bad, 'Stop')).hooks.map((hook) => hook.name)).toEqual(['config:Stop#1']);
    const unknown = second('command = "x"');
    expect((await setupOf(unknown, 'Stop')).hooks).toMatchObject([
      { name: 'config:hooks[1]', off: { why: 'invalid' } },
    ]);
  });
});

describe('hooks that are no list of tables', () => {
  it.each([
    ['[hooks]', '[hooks]\nx = 1\n', 'kimi-hooks-not-list', 'config:hooks'],
    ['[[hooks.PreToolUse]]', '[[hooks.PreToolUse]]\ncommand = "x"\n', 'kimi-hooks-not-list', 'config:hooks'],
    ['a string', 'hooks = "x"\n', 'kimi-hooks-not-list', 'config:hooks'],
    ['an array of strings', 'hooks = ["x"]\n', 'kimi-entry-invalid', 'config:hooks[0]'],
  ])('%s', async (_, toml, code, name) => {
    const { hooks, problems } = await setupOf(toml);
    expect(hooks).toMatchObject([{ name, off: { why: 'invalid' }, source: { path: `${data}/config.toml` } }]);
    expect(problems).toMatchObject([{ code, line: 1 }]);
  });
});

describe('what is fine', () => {
  it.each([
    ['a float that is whole', 'timeout = 30.0', 30_000],
    ['a hexadecimal timeout', 'timeout = 0x1e', 30_000],
    ['no timeout', '', 30_000],
    ['1 second', 'timeout = 1', 1_000],
    ['600 seconds', 'timeout = 600', 600_000],
  ])('%s', async (_, line, timeoutMs) => {
    const { hooks, problems } = await setupOf(`${good}${line}\n`);
    expect(hooks).toMatchObject([{ command: 'good', timeoutMs, off: undefined }]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['an empty file', '', 0],
    ['hooks = []', 'hooks = []', 0],
    ['an inline array of tables', 'hooks = [{ event = "PreToolUse", command = "x" }]', 1],
    ['a blank command', '[[hooks]]\nevent = "PreToolUse"\ncommand = "  "', 1],
    ['a byte order mark and CRLF', `\uFEFF${good.replaceAll('\n', '\r\n')}`, 1],
    ['a large integer elsewhere', `[models]\nmax = 99999999999999999999\n${good}`, 1],
    ['another section that makes no sense', `[permission]\nmode = 7\n${good}`, 1],
    ['dates elsewhere', `[x]\nat = 1979-05-27T07:32:00Z\n${good}`, 1],
  ])('%s', async (_, toml, count) => {
    const { hooks, problems } = await setupOf(toml);
    expect(hooks.filter((hook) => hook.off === undefined)).toHaveLength(count);
    expect(problems).toEqual([]);
  });

  it('counts names by event, from 1, and keeps the order of the file', async () => {
    const stop = '[[hooks]]\nevent = "Stop"\ncommand = "s"\n';
    const { hooks } = await setupOf(good + stop + good.replace('good', 'other'));
    expect(hooks.map((hook) => [hook.name, hook.command, hook.source.key, hook.source.line!()])).toEqual([
      ['config:PreToolUse#1', 'good', 'hooks[0]', 1],
      ['config:PreToolUse#2', 'other', 'hooks[2]', 7],
    ]);
  });
});

describe('files', () => {
  it('throws with line and column for what is no TOML', async () => {
    const error = await setupOf('x = 1\ny = [1,\nz = {').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(HookrunError);
    expect(error).toMatchObject({ kind: 'config', problem: { code: 'kimi-toml-syntax', path: `${data}/config.toml` } });
    expect(error.problem.line).toBeGreaterThan(0);
    expect(error.problem.column).toBeGreaterThan(0);
    expect(error.message).not.toContain('\n');
  });

  it('reads $KIMI_CODE_HOME, and nothing of a project', async () => {
    const files = { '/data/config.toml': good, '/project/.kimi-code/config.toml': good.replace('good', 'bad') };
    const config = await format.load(where(files, { env: { KIMI_CODE_HOME: '/data' } }));
    expect(config.setup('PreToolUse', true).hooks.map((hook) => hook.command)).toEqual(['good']);
    expect(config.setup('PreToolUse', false).hooks).toHaveLength(1);
    expect(config.trust.state).toBe('trusted');
  });

  it('reads just the files of --config, and plugins not at all', async () => {
    const files = {
      [`${data}/config.toml`]: good,
      [`${data}/plugins/installed.json`]: 'broken',
      [`${home}/.kimi/config.toml`]: good.replace('good', 'older'),
      '/other.toml': good.replace('good', 'other'),
    };
    const explicit = [`${home}/.kimi/config.toml`, '/other.toml'];
    const { hooks } = (await format.load(where(files, { explicit }))).setup('PreToolUse', true);
    expect(hooks.map((hook) => [hook.name, hook.command, hook.source.scope])).toEqual([
      ['config:PreToolUse#1', 'older', 'explicit'],
      ['config:PreToolUse#2', 'other', 'explicit'],
    ]);
  });

  it('has no hooks without any file, and mentions the older one', async () => {
    expect((await format.load(where({}))).setup('Stop', true)).toEqual({ hooks: [], problems: [] });
    const older = await format.load(where({ [`${home}/.kimi/config.toml`]: good }));
    expect(older.setup('PreToolUse', true)).toMatchObject({ hooks: [], problems: [{ code: 'kimi-older-config' }] });
  });

  it.each([
    [where({}, { explicit: ['/missing.toml'] })],
    [where({ [`${data}/config.toml`]: new ReadError('denied', 'x', 'permission denied') })],
    [where({ [`${data}/config.toml`]: new ReadError('not-a-file', 'x', 'not a regular file') })],
  ])('throws for a file that should be there and is not, or can not be read', async (one) => {
    await expect(format.load(one)).rejects.toMatchObject({ kind: 'input-file' });
  });
});

const record = (id: string, more: object = {}): object => ({ id, root: `/plugins/${id}`, enabled: true, ...more });
const hook = (command: string, more: object = {}): object => ({ event: 'PreToolUse', command, ...more });

async function plugins(records: readonly object[], manifests: Readonly<Record<string, unknown>>): Promise<Setup> {
  const files: Record<string, string> = {
    [`${data}/config.toml`]: good,
    [`${data}/plugins/installed.json`]: JSON.stringify({ version: 1, plugins: records }),
  };
  for (const [path, manifest] of Object.entries(manifests))
    files[path] = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  return (await format.load(where(files))).setup('PreToolUse', true);
}

describe('plugins', () => {
  it('come after the config hooks, in the order of installed.json, where a later record replaces an earlier one', async () => {
    const { hooks, problems } = await plugins([record('b'), record('a'), record('b', { root: '/moved' })], {
      '/moved/kimi.plugin.json': { name: 'b', hooks: [hook('b1'), hook('b2', { timeout: 5, matcher: 'X' })] },
      '/plugins/a/.kimi-plugin/plugin.json': { name: 'a', hooks: [hook('a1')] },
    });
    expect(hooks.map((one) => [one.name, one.command, one.source.scope, one.timeoutMs])).toEqual([
      ['config:PreToolUse#1', 'good', 'user', 30_000],
      ['b:PreToolUse#1', 'b1', 'plugin', 30_000],
      ['b:PreToolUse#2', 'b2', 'plugin', 5_000],
      ['a:PreToolUse#1', 'a1', 'plugin', 30_000],
    ]);
    expect(hooks[1]!.detail).toEqual({ plugin: { root: '/moved', home: data } });
    expect(hooks[3]!.source.path).toBe('/plugins/a/.kimi-plugin/plugin.json');
    expect(problems).toEqual([]);
  });

  it('drops a bad entry alone, with a warning', async () => {
    const { hooks, problems } = await plugins([record('a')], {
      '/plugins/a/kimi.plugin.json': {
        name: 'a',
        hooks: [hook('x', { extra: 1 }), hook('kept'), hook('y', { matcher: null })],
      },
    });
    expect(hooks.map((one) => [one.name, one.off?.why])).toEqual([
      ['config:PreToolUse#1', undefined],
      ['a:PreToolUse#1', 'invalid'],
      ['a:PreToolUse#2', undefined],
      ['a:PreToolUse#3', 'invalid'],
    ]);
    expect(problems.map((one) => [one.code, one.key, one.line])).toEqual([
      ['kimi-plugin-entry-invalid', 'hooks[0].extra', 1],
      ['kimi-plugin-entry-invalid', 'hooks[2].matcher', 1],
    ]);
  });

  it('lists the hooks of a plugin that is switched off, and says nothing about its faults', async () => {
    const { hooks, problems } = await plugins([record('a', { enabled: false }), record('b', { enabled: false })], {
      '/plugins/a/kimi.plugin.json': { name: 'a', hooks: [hook('x')] },
    });
    expect(hooks.map((one) => [one.name, one.off?.why])).toEqual([
      ['config:PreToolUse#1', undefined],
      ['a:PreToolUse#1', 'disabled'],
    ]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['no manifest', undefined],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no name', { hooks: [hook('x')] }],
    ['a bad name', { name: 'A b', hooks: [hook('x')] }],
    ['a folder outside', { name: 'a', skills: ['./../x'], hooks: [hook('x')] }],
    ['a folder without ./', { name: 'a', skills: 'skills', hooks: [hook('x')] }],
  ])('drops a plugin with %s', async (_, manifest) => {
    const manifests = manifest === undefined ? {} : { '/plugins/a/kimi.plugin.json': manifest };
    const { hooks, problems } = await plugins([record('a')], manifests);
    expect(hooks).toMatchObject([{ command: 'good' }, { name: 'a:hooks', off: { why: 'invalid' } }]);
    expect(problems).toMatchObject([{ code: 'kimi-plugin-invalid' }]);
  });

  it('ignores the object form of other agents', async () => {
    const { hooks, problems } = await plugins([record('a')], {
      '/plugins/a/kimi.plugin.json': { name: 'a', hooks: { PreToolUse: [] } },
    });
    expect(hooks).toHaveLength(1);
    expect(problems).toMatchObject([{ code: 'kimi-plugin-hooks' }]);
  });

  it('goes on where installed.json is broken, as a whole or in one record', async () => {
    const files = { [`${data}/config.toml`]: good, [`${data}/plugins/installed.json`]: '{' };
    const broken = (await format.load(where(files))).setup('PreToolUse', true);
    expect(broken.hooks).toMatchObject([{ command: 'good' }, { name: 'plugins:hooks', off: { why: 'invalid' } }]);
    expect(broken.problems).toMatchObject([{ code: 'kimi-installed-invalid' }]);

    const partly = await plugins([{ id: 'x' }, record('a')], {
      '/plugins/a/kimi.plugin.json': { name: 'a', hooks: [hook('a1')] },
    });
    expect(partly.hooks.map((one) => one.name)).toEqual(['config:PreToolUse#1', 'a:PreToolUse#1', 'plugins:hooks']);
    expect(partly.problems).toMatchObject([{ code: 'kimi-installed-invalid', key: 'plugins[0]' }]);
  });
});

describe('the line of an entry', () => {
  it.each([
    ['the first', '[[hooks]]\nevent = "Stop"', 0, 1],
    ['one after another, in other spellings', '\n[[ hooks ]]\n a = 1\n [["hooks"]]', 1, 4],
    ['behind a string that looks like one', "[[hooks]]\ncommand = '''\n[[hooks]]\n'''\n[[hooks]]", 1, 5],
    ['behind quotes inside a string', 'a = """x"""\nb = "\\"\\"\\""\nc = \'"""\' # """\n[[hooks]]', 0, 4],
    ['behind a comment with quotes', "# '''\n[[hooks]]", 0, 2],
    ['of an inline array', 'x = 1\nhooks = [{}, {}]', 1, 2],
    ['of none', 'x = 1', 0, undefined],
  ])('%s', (_, text, index, line) => {
    const { headers, other } = hookLines(text);
    expect(headers[index] ?? other).toBe(line);
  });
});
