/** Gemini CLI's configuration, row by row: layers, switches, extensions, `.env`, trusted folders. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Setup, TrustState, Where } from '../../src/formats/format.ts';
import type { GeminiHook } from '../../src/formats/gemini/detail.ts';
import { parseDotEnv } from '../../src/formats/gemini/dot-env.ts';
import { isEnabled, readEnablement } from '../../src/formats/gemini/enablement.ts';
import { timeoutOf } from '../../src/formats/gemini/hooks.ts';
import { format } from '../../src/formats/gemini/index.ts';
import { Lines, type SettingsFile, type SettingsScope } from '../../src/formats/gemini/settings.ts';
import { readSwitches } from '../../src/formats/gemini/switches.ts';
import type { Env } from '../../src/types.ts';
import {
  definition,
  eventOf,
  HOME,
  PROJECT,
  PROJECT_SETTINGS,
  settingsOf,
  USER_SETTINGS,
  whereOf,
} from '../helpers/gemini.ts';
import type { Entry } from '../helpers/memory-fs.ts';

const setupOf = async (where: Where, event = 'BeforeTool'): Promise<Setup> =>
  (await format.load(where)).setup(event, true);
const namesIn = async (where: Where): Promise<string[]> => (await setupOf(where)).hooks.map((hook) => hook.name);

const SYSTEM = '/etc/gemini-cli/settings.json';
const DEFAULTS = '/etc/gemini-cli/system-defaults.json';
const hook = (name: string): string => JSON.stringify(settingsOf('BeforeTool', [name]));

describe('layers', () => {
  const layers = {
    [SYSTEM]: hook('system'),
    [PROJECT_SETTINGS]: hook('project'),
    [USER_SETTINGS]: hook('user'),
    [DEFAULTS]: hook('defaults'),
  };

  it('stand in the order of the engine', async () => {
    const { hooks } = await setupOf(whereOf(layers));
    expect(hooks.map((one) => `${one.source.scope} ${one.source.path} ${one.source.key}`)).toEqual([
      `system-defaults ${DEFAULTS} hooks.BeforeTool[0].hooks[0]`,
      `user ${USER_SETTINGS} hooks.BeforeTool[0].hooks[0]`,
      `project ${PROJECT_SETTINGS} hooks.BeforeTool[0].hooks[0]`,
      `system ${SYSTEM} hooks.BeforeTool[0].hooks[0]`,
    ]);
    expect(new Set(format.scopes)).toEqual(
      new Set(['system-defaults', 'user', 'project', 'system', 'extension', 'explicit']),
    );
  });

  it('are replaced by the files that the user names', async () => {
    const files = { ...layers, '/a.json': hook('a'), '/b.json': hook('b') };
    expect(await namesIn(whereOf(files, { explicit: ['/b.json', '/a.json'] }))).toEqual(['b', 'a']);
  });

  it('are read once where the project is the home folder', async () => {
    const config = await format.load(whereOf(layers, { project: HOME }));
    expect(config.setup('BeforeTool', true).hooks.map((one) => one.source.scope)).toEqual([
      'system-defaults',
      'user',
      'system',
    ]);
    const linked = whereOf({ ...layers, '/link': { link: HOME } }, { project: '/link' });
    expect(await namesIn(linked)).toEqual(['defaults', 'user', 'system']);
  });

  it('of the system can be elsewhere', async () => {
    const files = { ...layers, '/opt/s.json': hook('other'), '/opt/d.json': hook('first') };
    const env = { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/opt/s.json', GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/opt/d.json' };
    expect(await namesIn(whereOf(files, { env }))).toEqual(['first', 'user', 'project', 'other']);
    const empty = { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '', GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/none.json' };
    expect(await namesIn(whereOf(files, { env: empty }))).toEqual(['user', 'project', 'system']);
    const mac = '/Library/Application Support/GeminiCli/settings.json';
    expect(await namesIn({ ...whereOf({ ...layers, [mac]: hook('mac') }), platform: 'darwin' })).toEqual([
      'user',
      'project',
      'mac',
    ]);
  });

  it('know the line of each hook', async () => {
    const text = `{\n  // a comment\n  "hooks": {"BeforeTool": [\n    {"hooks": [{"type": "command", "command": "a"},\n{"type": "command", "command": "b"}]}\n]}}`;
    const { hooks } = await setupOf(whereOf({ [USER_SETTINGS]: text, [PROJECT_SETTINGS]: hook('p') }));
    expect(hooks.map((one) => one.source.line?.())).toEqual([4, 5, 1]);
  });
});

describe('system files', () => {
  it.each<[what: string, files: Record<string, Entry>, unsafe: string | undefined]>([
    ["root's alone", {}, undefined],
    ['read by all', { [SYSTEM]: { text: hook('system'), mode: 0o444 } }, undefined],
    ["another user's", { [SYSTEM]: { text: hook('system'), uid: 1000 } }, `${SYSTEM} does not belong to root`],
    ['open to a group', { [SYSTEM]: { text: hook('system'), mode: 0o664 } }, `${SYSTEM} can be written by others`],
    ['open to all', { [SYSTEM]: { text: hook('system'), mode: 0o646 } }, `${SYSTEM} can be written by others`],
    [
      "in another user's folder",
      { '/etc/gemini-cli': { folder: true, uid: 1000 } },
      '/etc/gemini-cli does not belong to root',
    ],
    ['below an open folder', { '/etc': { folder: true, mode: 0o777 } }, '/etc can be written by others'],
    ['below an open root', { '/': { folder: true, mode: 0o1777 } }, '/ can be written by others'],
    [
      "a link to another user's file",
      { [SYSTEM]: { link: '/srv/x.json' }, '/srv/x.json': { text: hook('system'), uid: 1000 } },
      '/srv/x.json does not belong to root',
    ],
    [
      "a link into another user's folder",
      { [SYSTEM]: { link: '/srv/x/x.json' }, '/srv/x/x.json': hook('system'), '/srv/x': { folder: true, uid: 5 } },
      '/srv/x does not belong to root',
    ],
    ["a link to a file of root's", { [SYSTEM]: { link: '/srv/x.json' }, '/srv/x.json': hook('system') }, undefined],
  ])('%s', async (_, files, unsafe) => {
    const where = whereOf({ [SYSTEM]: hook('system'), [USER_SETTINGS]: hook('user'), ...files });
    const { hooks, problems } = await setupOf(where);
    expect(hooks.map((one) => one.name)).toEqual(unsafe === undefined ? ['user', 'system'] : ['user']);
    expect(problems.map((problem) => problem.code)).toEqual(unsafe === undefined ? [] : ['gemini-system-file-unsafe']);
    if (unsafe !== undefined) expect(problems[0]?.message).toContain(unsafe);
  });

  it("the user's own may belong to anybody", async () => {
    const text = hook('user');
    expect(await namesIn(whereOf({ [USER_SETTINGS]: { text, uid: 1000, mode: 0o666 } }))).toEqual(['user']);
  });
});

describe('entries', () => {
  type Row = [what: string, hooks: unknown, names: string[], off: string[], codes: string[]];
  const entry = { type: 'command', command: 'x' };
  const list = (...entries: unknown[]) => ({ BeforeTool: [{ hooks: entries }] });
  it.each<Row>([
    ['a list', list(entry), ['x'], [], []],
    ['no hooks', undefined, [], [], []],
    ['null', null, [], [], []],
    ['a list in place of events', [entry], [], [], ['gemini-hooks-not-object']],
    ['one object in place of a list', { BeforeTool: { hooks: [entry] } }, ['x'], [], ['gemini-event-not-list']],
    ['a text in place of a list', { BeforeTool: 'x' }, [], [], ['gemini-event-not-list']],
    ['a definition that is a text', { BeforeTool: ['x'] }, [], ['hooks.BeforeTool[0]'], ['gemini-entry-invalid']],
    ['a definition that is null', { BeforeTool: [null] }, [], ['hooks.BeforeTool[0]'], ['gemini-entry-invalid']],
    [
      'a definition without a list',
      { BeforeTool: [{ matcher: 'x' }] },
      [],
      ['hooks.BeforeTool[0]'],
      ['gemini-definition-without-hooks'],
    ],
    ['a flat one', { BeforeTool: [{ type: 'command', command: 'x' }] }, [], ['x'], ['gemini-definition-without-hooks']],
    ['no type', list({ command: 'x' }), [], ['x'], ['gemini-entry-invalid']],
    ['a type in upper case', list({ ...entry, type: 'Command' }), [], ['x'], ['gemini-entry-invalid']],
    ['a plugin', list({ ...entry, type: 'plugin' }), [], ['x'], ['gemini-entry-invalid']],
    ['a type that is none', list({ ...entry, type: { toString: 1 } }), [], ['x'], ['gemini-entry-invalid']],
    ['no command', list({ type: 'command', name: 'n' }), [], ['n'], ['gemini-entry-invalid']],
    [
      'an empty command',
      list({ type: 'command', command: '' }),
      [],
      ['hooks.BeforeTool[0].hooks[0]'],
      ['gemini-entry-invalid'],
    ],
    ['an entry that is a text', list('x', entry), ['x'], ['hooks.BeforeTool[0].hooks[0]'], ['gemini-entry-invalid']],
    ['a command that is a number', list({ type: 'command', command: 5 }), ['5'], [], ['gemini-command-not-string']],
    [
      'a command that is a list',
      list({ type: 'command', command: ['a', 'b'] }),
      ['["a","b"]'],
      [],
      ['gemini-command-not-string'],
    ],
    ['a name that is a number', list({ ...entry, name: 7 }), ['7'], [], []],
    ['a name that can be no text', list({ ...entry, name: { toString: 1 } }), ['an object'], [], []],
    [
      'an invalid one named so',
      list({ type: 'x', name: { toString: 1 } }),
      [],
      ['an object'],
      ['gemini-entry-invalid'],
    ],
    [
      'an event of another agent',
      { PreToolUse: [], BeforeTool: [{ hooks: [entry] }] },
      ['x'],
      [],
      ['gemini-unknown-event'],
    ],
    [
      'an event called constructor',
      { constructor: [], BeforeTool: [{ hooks: [entry] }] },
      ['x'],
      [],
      ['gemini-unknown-event'],
    ],
    ['old switches among the events', { enabled: true, disabled: [], BeforeTool: [{ hooks: [entry] }] }, ['x'], [], []],
  ])('%s', async (_, hooks, names, off, codes) => {
    const { hooks: read, problems } = await setupOf(whereOf({ [USER_SETTINGS]: { hooks } }));
    expect(read.filter((one) => one.off === undefined).map((one) => one.name)).toEqual(names);
    expect(read.filter((one) => one.off !== undefined).map((one) => one.name)).toEqual(off);
    expect(problems.map((problem) => problem.code)).toEqual(codes);
    for (const { message } of problems) expect(message).not.toContain('native code');
  });

  it.each<[raw: unknown, ms: number]>([
    [undefined, 60_000],
    [null, 60_000],
    [300, 300],
    ['300', 300],
    [1.5, 1.5],
    [0, 1],
    [-5, 1],
    ['abc', 1],
    ['', 1],
    [true, 1],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [2 ** 31, 1],
    [Number.POSITIVE_INFINITY, 1],
    [[300], 300],
    [['3000'], 3000],
    [[1, 2], 1],
    [{}, 1],
    [{ toString: 5 }, 1],
  ])('a timeout of %j is %d ms', (raw, ms) => {
    expect(timeoutOf(raw)).toBe(ms);
  });

  it('names, matchers and env are expanded, the command is not', async () => {
    const env = { NAME: 'n', TOOL: 'write_file', HOMEDIR: '/h' };
    const settings = {
      hooks: {
        BeforeTool: [
          definition([{ name: 'h-$NAME', command: 'echo $NAME', env: { D: '${HOMEDIR}/x' } }], { matcher: '$TOOL' }),
        ],
      },
    };
    const { hooks } = await setupOf(whereOf({ [USER_SETTINGS]: settings }, { env }));
    expect(hooks[0]).toMatchObject({
      name: 'h-n',
      command: 'echo $NAME',
      matcher: 'write_file',
      detail: { env: { D: '/h/x' } },
    });
  });
});

const fileOf = (scope: SettingsScope, value: object): SettingsFile => ({
  scope,
  path: `/${scope}`,
  value: value as SettingsFile['value'],
  lines: new Lines(''),
});

describe('switches', () => {
  type Layers = [scope: SettingsScope, value: object][];
  const read = (layers: Layers, env: Env = {}) =>
    readSwitches(
      layers.map(([scope, value]) => fileOf(scope, value)),
      { env },
    );
  const enabled = (value: unknown) => ({ hooksConfig: { enabled: value } });

  it.each<[layers: Layers, off: string | undefined]>([
    [[], undefined],
    [[['user', enabled(false)]], '/user'],
    [
      [
        ['user', enabled(false)],
        ['project', enabled(true)],
      ],
      undefined,
    ],
    [
      [
        ['user', enabled(true)],
        ['project', enabled(false)],
      ],
      '/project',
    ],
    [
      [
        ['project', enabled(false)],
        ['system', enabled(true)],
      ],
      undefined,
    ],
    [
      [
        ['user', enabled(false)],
        ['system', enabled('true')],
      ],
      '/user',
    ],
    [[['user', enabled(null)]], undefined],
    [[['user', { hooksConfig: 'off' }]], undefined],
    [[['user', { hooksConfig: [false] }]], undefined],
  ])('hooksConfig.enabled of %j', (layers, off) => {
    expect(read(layers).off?.path).toBe(off);
  });

  it('hooksConfig.disabled is a union over the scopes, expanded, of texts alone', () => {
    const { disabled } = read(
      [
        ['user', { hooksConfig: { disabled: ['a', 'b-$X', 5, null] } }],
        ['project', { hooksConfig: { disabled: ['c', 'a'] } }],
        ['system', { hooksConfig: { disabled: 'd' } }],
      ],
      { X: 'x' },
    );
    expect([...disabled].map(([name, file]) => [name, file.scope])).toEqual([
      ['a', 'project'],
      ['b-x', 'user'],
      ['c', 'project'],
    ]);
  });

  it('a hook is disabled by its name, one without a name by its command', async () => {
    const settings = {
      hooks: {
        BeforeTool: [definition([{ name: 'n', command: 'c1' }, { command: 'c2' }, { name: 'm', command: 'c3' }])],
      },
      hooksConfig: { disabled: ['n', 'c2', 'c3'] },
    };
    const { hooks } = await setupOf(whereOf({ [USER_SETTINGS]: settings }));
    expect(hooks.map((one) => one.off?.why)).toEqual(['disabled', 'disabled', undefined]);
    expect(hooks[0]?.off?.detail).toContain(USER_SETTINGS);
  });

  const redaction = (value: object) => ({ security: { environmentVariableRedaction: value } });
  type Redaction = ReturnType<typeof readSwitches>['redaction'];
  it.each<[what: string, layers: Layers, expected: Redaction]>([
    ['nothing', [], { enabled: undefined, allowed: [], blocked: [] }],
    [
      "the user's word",
      [['user', redaction({ enabled: true, allowed: ['A'], blocked: ['B'] })]],
      { enabled: true, allowed: ['A'], blocked: ['B'] },
    ],
    ["the user's no", [['user', redaction({ enabled: false })]], { enabled: false, allowed: [], blocked: [] }],
    [
      "the system's over the user's",
      [
        ['user', redaction({ enabled: false })],
        ['system', redaction({ enabled: true })],
      ],
      { enabled: true, allowed: [], blocked: [] },
    ],
    [
      "a project's yes",
      [
        ['user', redaction({ enabled: false })],
        ['project', redaction({ enabled: true, blocked: ['X'] })],
      ],
      { enabled: true, allowed: [], blocked: ['X'] },
    ],
    [
      "a project's no",
      [
        ['user', redaction({ enabled: true })],
        ['project', redaction({ enabled: false })],
      ],
      { enabled: true, allowed: [], blocked: [] },
    ],
    [
      "a project's no alone",
      [['project', redaction({ enabled: false, allowed: ['TOKEN'] })]],
      { enabled: undefined, allowed: [], blocked: [] },
    ],
    [
      "a project's allowed list",
      [
        ['user', redaction({ enabled: true, allowed: ['A'] })],
        ['project', redaction({ allowed: ['TOKEN'] })],
      ],
      { enabled: true, allowed: ['A'], blocked: [] },
    ],
    [
      'lists of other things',
      [['user', redaction({ enabled: 1, allowed: 'A', blocked: [1, 'B'] })]],
      { enabled: undefined, allowed: [], blocked: ['B'] },
    ],
  ])('redaction: %s', (_, layers, expected) => {
    expect(read(layers).redaction).toEqual(expected);
  });

  it('a project can not give its own hooks more of the environment', async () => {
    const files = {
      [PROJECT_SETTINGS]: {
        ...settingsOf('BeforeTool', ['p']),
        ...redaction({ enabled: false, allowed: ['MY_TOKEN'] }),
      },
      [USER_SETTINGS]: settingsOf('BeforeTool', ['u']),
    };
    const where = whereOf(files, { env: { MY_TOKEN: 't', PATH: '/bin' } });
    const { hooks } = await setupOf(where);
    const given = (kind: 'engine' | 'sanitized' | 'inherit') =>
      hooks.map((one) => format.start(one, eventOf('BeforeTool'), where, { env: kind, extraEnv: {} }).env['MY_TOKEN']);
    expect(hooks.map((one) => one.name)).toEqual(['u', 'p']);
    expect(given('engine')).toEqual(['t', undefined]);
    expect(given('sanitized')).toEqual([undefined, undefined]);
    expect(given('inherit')).toEqual(['t', 't']);
  });

  it.each<[layers: Layers, rules: object]>([
    [[], { enabled: true, allowedSources: undefined, blockGit: false }],
    [
      [['system', { admin: { extensions: { enabled: false } } }]],
      { enabled: false, allowedSources: undefined, blockGit: false },
    ],
    [
      [['user', { security: { blockGitExtensions: true, allowedExtensions: ['a', 1] } }]],
      { enabled: true, allowedSources: ['a'], blockGit: true },
    ],
  ])('extension rules of %j', (layers, rules) => {
    expect(read(layers).extensions).toEqual(rules);
  });
});

describe('extensions', () => {
  const folder = `${HOME}/.gemini/extensions`;
  const extension = (
    name: string,
    more: Record<string, Entry | object> = {},
    manifest: object = {},
  ): Record<string, Entry | object> => ({
    [`${folder}/${name}/gemini-extension.json`]: { name, version: '1', ...manifest },
    [`${folder}/${name}/hooks/hooks.json`]: settingsOf('BeforeTool', [name]),
    ...Object.fromEntries(Object.entries(more).map(([path, text]) => [`${folder}/${name}/${path}`, text])),
  });

  it('stand behind all settings, in the order of their folders', async () => {
    expect(await namesIn(whereOf({ ...extension('zeta'), ...extension('alpha'), [SYSTEM]: hook('system') }))).toEqual([
      'system',
      'alpha',
      'zeta',
    ]);
  });

  it.each<[what: string, files: Record<string, Entry | object>, names: string[], codes: string[]]>([
    ['no version', extension('a', {}, { version: 5 }), [], ['gemini-extension-invalid']],
    ['no name', extension('a', {}, { name: '' }), [], ['gemini-extension-invalid']],
    [
      'no manifest',
      { [`${folder}/a/hooks/hooks.json`]: settingsOf('BeforeTool', ['a']) },
      [],
      ['gemini-extension-invalid'],
    ],
    [
      'a manifest that does not parse',
      extension('a', { 'gemini-extension.json': '{' }),
      [],
      ['gemini-extension-invalid'],
    ],
    ['no hooks', { [`${folder}/a/gemini-extension.json`]: { name: 'a', version: '1' } }, [], []],
    ['comments in its hooks', extension('a', { 'hooks/hooks.json': '{} // x' }), [], ['gemini-extension-hooks']],
    [
      'hooks one level too high',
      extension('a', { 'hooks/hooks.json': { BeforeTool: [] } }),
      [],
      ['gemini-extension-hooks'],
    ],
    [
      'hooks that can not be read',
      extension('a', { 'hooks/hooks.json': { unreadable: 'denied' } }),
      [],
      ['gemini-extension-hooks'],
    ],
    ['a file beside the folders', { [`${folder}/README.md`]: 'x', ...extension('a') }, ['a'], []],
    [
      'a link to its real folder',
      {
        [`${folder}/a/.gemini-extension-install.json`]: { type: 'link', source: '/src/ext' },
        '/src/ext/gemini-extension.json': { name: 'linked', version: '1' },
        '/src/ext/hooks/hooks.json': settingsOf('BeforeTool', ['linked']),
      },
      ['linked'],
      [],
    ],
    [
      'git, where that is blocked',
      {
        ...extension('a', { '.gemini-extension-install.json': { type: 'git', source: 'x' } }),
        ...extension('b'),
        [USER_SETTINGS]: { security: { blockGitExtensions: true } },
      },
      ['b'],
      [],
    ],
    [
      'a source that is not allowed',
      {
        ...extension('a', { '.gemini-extension-install.json': { type: 'git', source: 'https://good/a' } }),
        ...extension('b'),
        [USER_SETTINGS]: { security: { allowedExtensions: ['^https://good/', '('] } },
      },
      ['a'],
      [],
    ],
    ['all off', { ...extension('a'), [SYSTEM]: { admin: { extensions: { enabled: false } } } }, [], []],
    ['all hooks off', { ...extension('a'), [USER_SETTINGS]: { hooksConfig: { enabled: false } } }, ['a: disabled'], []],
    [
      'one disabled by name',
      { ...extension('a'), [USER_SETTINGS]: { hooksConfig: { disabled: ['a'] } } },
      ['a: disabled'],
      [],
    ],
    [
      'off in this folder',
      { ...extension('a'), [`${folder}/extension-enablement.json`]: { a: { overrides: [`!${PROJECT}/`] } } },
      [],
      [],
    ],
    [
      'rules that do not fit',
      { ...extension('a'), [`${folder}/extension-enablement.json`]: '[]' },
      ['a'],
      ['gemini-enablement'],
    ],
    [
      'a sensitive setting',
      extension('a', {}, { settings: [{ name: 'Key', envVar: 'KEY', sensitive: true }] }),
      ['a'],
      ['gemini-keychain'],
    ],
  ])('%s', async (_, files, names, codes) => {
    const { hooks, problems } = await setupOf(whereOf(files));
    expect(hooks.map((one) => (one.off === undefined ? one.name : `${one.name}: ${one.off.why}`))).toEqual(names);
    expect(problems.map((problem) => problem.code)).toEqual(codes);
  });

  it('two of one name are an error', async () => {
    const files = { ...extension('a'), ...extension('b', {}, { name: 'a' }) };
    await expect(setupOf(whereOf(files))).rejects.toMatchObject({
      kind: 'config',
      problem: { code: 'gemini-extension-duplicate' },
    });
  });

  it('settings and variables stand in for ${…}, own names only', async () => {
    const settings = {
      hooks: {
        BeforeTool: [
          definition([
            {
              name: '${WHO} ${workspacePath}${/}${constructor}${toString}',
              command: 'x',
              env: { P: '${extensionPath}' },
            },
          ]),
        ],
      },
    };
    const files = {
      ...extension(
        'a',
        { 'hooks/hooks.json': settings, '.env': 'WHO=own\nOTHER=x' },
        { settings: [{ name: 'Who', envVar: 'WHO' }, { name: 'Bad', envVar: 'a-b' }, null] },
      ),
    };
    const { hooks } = await setupOf(whereOf(files));
    expect(hooks[0]).toMatchObject({
      name: `own ${PROJECT}/\${constructor}\${toString}`,
      detail: { env: { P: `${folder}/a` }, extension: { env: { WHO: 'own' } } },
    });
    const over = whereOf({ ...files, [`${PROJECT}/.env`]: 'WHO=project' });
    const config = await format.load(over);
    const who = (project: boolean): unknown =>
      (config.setup('BeforeTool', project).hooks[0] as GeminiHook).detail.extension?.env['WHO'];
    expect([who(true), who(false)]).toEqual(['project', 'own']);
  });
});

describe('extension rules', () => {
  it.each<[rules: string[], folder: string, on: boolean]>([
    [[], '/a', true],
    [['!/a/'], '/a', false],
    [['!/a/'], '/a/b', true],
    [['!/a/*'], '/a', false],
    [['!/a/*'], '/a/b/c', false],
    [['!/a/*'], '/ab', true],
    [['!/a'], '/a', false],
    [['!a/'], '/a', false],
    [['!/*'], '/any', false],
    [['!*'], '/any', false],
    [['!/a/*', '/a/b/'], '/a/b', true],
    [['!/a/*', '/a/b/'], '/a/b/c', false],
    [['/a/b/', '!/a/*'], '/a/b', false],
    [['!/other/*'], '/a', true],
    [['!/a/'], '/a/', false],
  ])('%j in %s: %s', (rules, folder, on) => {
    expect(isEnabled(new Map([['x', rules]]), 'x', folder)).toBe(on);
    expect(isEnabled(new Map([['x', rules]]), 'y', folder)).toBe(true);
  });

  it.each<[text: Entry, fits: boolean]>([
    ['{}', true],
    ['{"a":{"overrides":[]}}', true],
    ['{"__proto__":{"overrides":["!/"]}}', true],
    ['', false],
    ['[]', false],
    ['null', false],
    ['{"a":[]}', false],
    ['{"a":null}', false],
    ['{"a":{"overrides":"/x"}}', false],
    ['{"a":{"overrides":[1]}}', false],
    [{ unreadable: 'folder' }, false],
  ])('the file %j fits: %s', (text, fits) => {
    const { rules, problems } = readEnablement(whereOf({ '/e.json': text }).fs, '/e.json');
    expect(problems.map((problem) => problem.code)).toEqual(fits ? [] : ['gemini-enablement']);
    if (!fits) expect(rules.size).toBe(0);
  });

  it('no file, no rules', () => {
    expect(readEnablement(whereOf().fs, '/e.json')).toEqual({ rules: new Map(), problems: [] });
  });
});

describe('parseDotEnv', () => {
  it.each<[text: string, values: Record<string, string>]>([
    ['', {}],
    ['A=1', { A: '1' }],
    ['A=1\nB=2\r\nC=3', { A: '1', B: '2', C: '3' }],
    ['A=1\nA=2', { A: '2' }],
    ['  export  A = x y ', { A: 'x y' }],
    ['A=', { A: '' }],
    ['A="two words"', { A: 'two words' }],
    ['A="a\\nb"', { A: 'a\nb' }],
    ["A='a\\nb'", { A: 'a\\nb' }],
    ['A=`x`', { A: 'x' }],
    ['A="unclosed', { A: '"unclosed' }],
    ['A=""', { A: '' }],
    ['A="x" # note', { A: 'x' }],
    ['A=x # note', { A: 'x' }],
    ['A=x#y', { A: 'x#y' }],
    ['# A=1', {}],
    ['A', {}],
    ['1A=x', {}],
    ['A-B=x\nA.B=y', { 'A-B': 'x', 'A.B': 'y' }],
    ['A=$HOME', { A: '$HOME' }],
    ['A=a=b', { A: 'a=b' }],
  ])('%j', (text, values) => {
    expect(Object.fromEntries(parseDotEnv(text))).toEqual(values);
  });

  it('takes any text, in linear time', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseDotEnv(text)));
    const began = performance.now();
    parseDotEnv(`A=${' '.repeat(100_000)}x\n${'export '.repeat(20_000)}`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe('trusted folders', () => {
  const file = `${HOME}/.gemini/trustedFolders.json`;
  const stateOf = async (rules: Entry | object, more: Record<string, Entry | object> = {}, env: Env = {}) => {
    const config = await format.load(whereOf({ [file]: rules, ...more }, { env }));
    return { ...config.trust, codes: config.setup('BeforeTool', true).problems.map((problem) => problem.code) };
  };

  it.each<[rules: object, state: TrustState]>([
    [{}, 'undecided'],
    [{ [PROJECT]: 'TRUST_FOLDER' }, 'trusted'],
    [{ '/work': 'TRUST_FOLDER' }, 'trusted'],
    [{ '/': 'TRUST_FOLDER' }, 'trusted'],
    [{ '/work/': 'TRUST_FOLDER' }, 'trusted'],
    [{ '/wor': 'TRUST_FOLDER' }, 'undecided'],
    [{ [`${PROJECT}/inner`]: 'TRUST_FOLDER' }, 'undecided'],
    [{ [PROJECT]: 'DO_NOT_TRUST' }, 'untrusted'],
    [{ '/work': 'TRUST_FOLDER', [PROJECT]: 'DO_NOT_TRUST' }, 'untrusted'],
    [{ [PROJECT]: 'DO_NOT_TRUST', '/work': 'TRUST_FOLDER' }, 'untrusted'],
    [{ [PROJECT]: 'TRUST_FOLDER', '/work': 'DO_NOT_TRUST' }, 'trusted'],
    // The rule speaks for the folder above it, so its siblings are trusted as well.
    [{ '/work/other': 'TRUST_PARENT' }, 'trusted'],
    [{ [PROJECT]: 'TRUST_PARENT' }, 'trusted'],
    [{ [`${PROJECT}/inner`]: 'TRUST_PARENT' }, 'trusted'],
    [{ '/other/x': 'TRUST_PARENT' }, 'undecided'],
    // Two rules for one folder
    [{ '/work': 'TRUST_FOLDER', '/work/x': 'TRUST_PARENT' }, 'trusted'],
    [{ '/work/x': 'TRUST_PARENT', '/work': 'DO_NOT_TRUST' }, 'untrusted'],
    [{ '/work': 'DO_NOT_TRUST', '/work/x': 'TRUST_PARENT' }, 'untrusted'],
  ])('%j: %s', async (rules, state) => {
    expect(await stateOf(rules)).toMatchObject({ state, codes: [] });
  });

  it('compares real paths', async () => {
    const linked = { '/link': { link: '/work' } };
    expect(await stateOf({ '/link/app': 'TRUST_FOLDER' }, linked)).toMatchObject({ state: 'trusted' });
    expect(await stateOf({ '/link': 'DO_NOT_TRUST', '/': 'TRUST_FOLDER' }, linked)).toMatchObject({
      state: 'untrusted',
    });
  });

  it.each<[what: string, rules: Entry]>([
    ['an unknown value', `{"${PROJECT}":"TRUST_FOLDER","/x":"MAYBE"}`],
    ['a value in lower case', `{"${PROJECT}":"trust_folder"}`],
    ['a value that is no text', `{"${PROJECT}":true}`],
    ['a value that is deep', `{"${PROJECT}":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['broken JSON', '{'],
    ['a list', '[]'],
    ['no permission', { unreadable: 'denied' }],
  ])('%s decides nothing, with a warning', async (_, rules) => {
    expect(await stateOf(rules)).toMatchObject({ state: 'undecided', codes: ['gemini-trusted-folders'] });
  });

  it('may hold comments, and be elsewhere', async () => {
    expect(await stateOf(`// mine\n{"${PROJECT}": "TRUST_FOLDER" /* yes */}`)).toMatchObject({
      state: 'trusted',
      codes: [],
    });
    const other = { '/t.json': { [PROJECT]: 'DO_NOT_TRUST' } };
    expect(
      await stateOf({ [PROJECT]: 'TRUST_FOLDER' }, other, { GEMINI_CLI_TRUSTED_FOLDERS_PATH: '/t.json' }),
    ).toMatchObject({ state: 'untrusted' });
  });

  const feature = (enabled: unknown) => ({ security: { folderTrust: { enabled } } });
  it.each<[what: string, files: Record<string, Entry | object>, env: Env, state: TrustState, by: string]>([
    [
      'the variable first',
      { [file]: { [PROJECT]: 'DO_NOT_TRUST' } },
      { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      'trusted',
      'GEMINI_CLI_TRUST_WORKSPACE=true',
    ],
    [
      'the variable against',
      { [USER_SETTINGS]: feature(false) },
      { GEMINI_CLI_TRUST_WORKSPACE: 'false' },
      'untrusted',
      'GEMINI_CLI_TRUST_WORKSPACE=false',
    ],
    ['another value of the variable', {}, { GEMINI_CLI_TRUST_WORKSPACE: '1' }, 'undecided', 'nobody'],
    [
      'the feature off',
      { [USER_SETTINGS]: feature(false), [file]: { [PROJECT]: 'DO_NOT_TRUST' } },
      {},
      'trusted',
      USER_SETTINGS,
    ],
    ['the feature on', { [USER_SETTINGS]: feature(true) }, {}, 'undecided', 'nobody'],
    [
      "the system's word over the user's",
      { [USER_SETTINGS]: feature(false), [SYSTEM]: feature(true) },
      {},
      'undecided',
      'nobody',
    ],
    ["the system's alone", { [SYSTEM]: feature(false) }, {}, 'trusted', SYSTEM],
    ["a project's word does not count", { [PROJECT_SETTINGS]: feature(false) }, {}, 'undecided', 'nobody'],
    ['a value that is no boolean', { [USER_SETTINGS]: feature('false') }, {}, 'undecided', 'nobody'],
    ['no object on the way', { [USER_SETTINGS]: { security: null } }, {}, 'undecided', 'nobody'],
  ])('%s', async (_, files, env, state, by) => {
    const { trust } = await format.load(whereOf(files, { env }));
    expect(trust.state).toBe(state);
    expect(trust.by).toContain(by);
  });

  it('what the user names is trusted', async () => {
    const where = whereOf(
      { '/c.json': hook('x') },
      { explicit: ['/c.json'], env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' } },
    );
    expect((await format.load(where)).trust).toEqual({ state: 'trusted', by: '--config' });
  });
});

describe('what a text of a file is expanded from', () => {
  const env = { MY_TOKEN: 'hunter2', NORMAL: 'plain' };
  const settings = {
    hooks: {
      BeforeTool: [definition([{ name: 'of $MY_TOKEN', command: 'true', env: { A: '$MY_TOKEN', B: '$NORMAL' } }])],
    },
  };
  const wide = { security: { environmentVariableRedaction: { enabled: false } } };
  const narrow = { security: { environmentVariableRedaction: { enabled: true } } };

  it.each<[name: string, files: object, inheritsEnv: boolean, isSeen: boolean]>([
    ["a project's has no secrets", { [PROJECT_SETTINGS]: settings }, false, false],
    ["a user's has", { [USER_SETTINGS]: settings }, false, true],
    ["a project's has with --env inherit", { [PROJECT_SETTINGS]: settings }, true, true],
    ["a project's has where the user says so", { [PROJECT_SETTINGS]: settings, [USER_SETTINGS]: wide }, false, true],
    ["a project's word about it does not count", { [PROJECT_SETTINGS]: { ...settings, ...wide } }, false, false],
    ['what the user keeps stays kept', { [PROJECT_SETTINGS]: settings, [USER_SETTINGS]: narrow }, true, false],
  ])('%s', async (_, files, inheritsEnv, isSeen) => {
    const { hooks } = await setupOf({ ...whereOf({ ...files }, { env }), inheritsEnv });
    expect(hooks[0]).toMatchObject(
      isSeen
        ? { name: 'of hunter2', detail: { env: { A: 'hunter2', B: 'plain' } } }
        : { name: 'of $MY_TOKEN', detail: { env: { A: '$MY_TOKEN', B: 'plain' } } },
    );
  });
});
