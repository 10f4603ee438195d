/** goose's loading rules, row by row: what skips a file, a rule, an action, and what is merely worth a word. */

import { describe, expect, it } from 'vitest';
import type { Where } from '../../src/formats/format.ts';
import { parseHooksFile } from '../../src/formats/goose/hooks-file.ts';
import { load } from '../../src/formats/goose/load.ts';
import { placesOf } from '../../src/formats/goose/places.ts';
import { parseSettings } from '../../src/formats/goose/settings.ts';
import { type Entry, memoryFs } from '../helpers/memory-fs.ts';

const path = '/p/hooks/hooks.json';
const never = (): boolean => false;

/** In short: the rules as `event matcher: command timeout on_failure`, or where the file is refused; and the codes of all notes. */
function read(
  text: string,
  isValid: (matcher: string) => boolean = () => true,
): { rules: string[]; notes: string[] } | string {
  const file = parseHooksFile(text, path, isValid);
  if (file.kind === 'refused') return `refused ${file.problem.key ?? ''}`.trim();
  return {
    rules: file.rules.map(({ event, matcher, actions }) => {
      const all = actions.map(({ command, timeout, onFailure }) => `${command} ${timeout} ${onFailure}`);
      return `${event} ${matcher ?? '-'}: ${all.join(', ')}`;
    }),
    notes: file.notes.map(({ problem }) => problem.code),
  };
}

const action = (fields: string): string => `{"hooks":{"PreToolUse":[{"hooks":[{"command":"c"${fields}}]}]}}`;
const rule = (fields: string): string => `{"hooks":{"PreToolUse":[{${fields}}]}}`;
const good = { rules: ['PreToolUse -: c 30 allow'], notes: [] };
const none = { rules: [], notes: [] };

describe('the top level of hooks.json', () => {
  it.each([
    '',
    ' \n',
    'null',
    '5',
    '"x"',
    'true',
    '{"hooks":null}',
    '{"hooks":[]}',
    '{"hooks":"x"}',
    '{"hooks":{},"hooks":{}}',
    '{}{}',
    '{"hooks":{},}',
    '// x\n{}',
    '\uFEFF{}',
    '[{},1]',
    '[5]',
    "{'hooks':{}}",
    '{"\\ud800":1}',
  ])('%j skips the file', (text) => expect(read(text)).toMatch(/^refused/));

  it.each([
    '{}',
    '{"hooks":{}}',
    '[]',
    '[{}]',
    '{"a":1,"a":2}',
    '{"description":"x","hooks":{}}',
    '{"x":"\\ud800","y":1e999}',
  ])('%j is an empty file', (text) => expect(read(text)).toEqual(none));

  it('an unknown key may be nested as deeply as it likes', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect(read(`{"x":${deep},"hooks":{}}`)).toEqual(none);
  });

  it('the key may be written with escapes, and the file as an array', () => {
    expect(read(action('').replace('"hooks":{"Pre', '"\\u0068ooks":{"Pre'))).toEqual(good);
    expect(read('[{"PreToolUse":[{"hooks":[{"command":"c"}]}]}]')).toEqual(good);
  });

  it('events without the key around them never run, which is worth a word', () =>
    expect(read('{"PreToolUse":[]}')).toEqual({ rules: [], notes: ['goose-events-without-hooks'] }));

  it('says where the text is broken', () => {
    const file = parseHooksFile('{\n "hooks": {},\n}', path, never);
    expect(file).toMatchObject({ kind: 'refused', problem: { path, line: 3 }, events: undefined });
  });
});

describe('values that JSON allows and goose does not', () => {
  const under = (event: string, value: string): string => `{"hooks":{"${event}":${value}}}`;
  const levels = (count: number): string => `${'['.repeat(count)}${']'.repeat(count)}`;

  it.each(['"\\ud800"', '{"\\udc00":1}', '1e999', '-1e999', levels(200), levels(126)])(
    '%j under an unknown event skips the file',
    (value) => expect(read(under('Whatever', value))).toBe('refused hooks.Whatever'),
  );

  it('the 127th level is the last', () => {
    expect(read(under('Whatever', levels(125)))).toEqual({ rules: [], notes: ['goose-unknown-event'] });
    expect(read(under('Whatever', '"\\ud83d\\ude00"'))).toEqual({ rules: [], notes: ['goose-unknown-event'] });
    expect(read(under('Whatever', '1e308'))).toEqual({ rules: [], notes: ['goose-unknown-event'] });
  });
});

describe('events', () => {
  it.each(['null', '5', '{}', '"x"', 'true'])('a known one must hold a list, not %s', (value) =>
    expect(read(`{"hooks":{"PreToolUse":${value}}}`)).toBe('refused hooks.PreToolUse'),
  );

  it.each(['null', '5', '{}', '[5]'])('what an unknown one holds is never looked at: %s', (value) =>
    expect(read(`{"hooks":{"pretooluse":${value}}}`)).toEqual({ rules: [], notes: ['goose-unknown-event'] }),
  );

  it('the last of two equal ones counts, and the first is not looked at', () =>
    expect(read('{"hooks":{"PreToolUse":5,"PreToolUse":[{"hooks":[{"command":"c"}]}]}}')).toEqual(good));

  it('one that is wrong takes the others with it', () =>
    expect(read('{"hooks":{"PreToolUse":[{"hooks":[{"command":"c"}]}],"Stop":5}}')).toBe('refused hooks.Stop'));
});

describe('rules', () => {
  it.each(['5', 'null', '"x"', '[null,[],1]', '[5]', '[null,5]'])('%s is none, which skips the file', (value) =>
    expect(read(`{"hooks":{"PreToolUse":[${value}]}}`)).toMatch(/^refused hooks\.PreToolUse\[0\]/),
  );

  it.each(['"matcher":5', '"matcher":true', '"matcher":[]', '"hooks":null', '"hooks":{}', '"hooks":"x"'])(
    '%s skips the file',
    (fields) => expect(read(rule(fields))).toMatch(/^refused hooks\.PreToolUse\[0\]\.(matcher|hooks)$/),
  );

  it.each(['', '"hooks":[]', '"matcher":"("', '"x":1'])('one without actions vanishes: {%s}', (fields) =>
    expect(read(rule(fields), never)).toEqual(none),
  );

  it.each(['[]', '[null]', '["x",[]]'])('as an array may be short: %s', (value) =>
    expect(read(`{"hooks":{"PreToolUse":[${value}]}}`)).toEqual(none),
  );

  it('as an array is enforced', () =>
    expect(read('{"hooks":{"PreToolUse":[["sh",[{"command":"c"}]]]}}')).toEqual({
      rules: ['PreToolUse sh: c 30 allow'],
      notes: [],
    }));

  it.each(['null', '""'])('a matcher of %s is none', (value) =>
    expect(read(rule(`"matcher":${value},"hooks":[{"command":"c"}]`))).toEqual(good),
  );

  it('a matcher of one space is one', () =>
    expect(read(rule('"matcher":" ","hooks":[{"command":"c"}]'))).toEqual({
      rules: ['PreToolUse  : c 30 allow'],
      notes: [],
    }));

  it('a matcher given twice: the last counts', () =>
    expect(read(rule('"matcher":5,"matcher":"a","hooks":[{"command":"c"}]'))).toEqual({
      rules: ['PreToolUse a: c 30 allow'],
      notes: [],
    }));
});

describe('actions', () => {
  it.each(['5', 'null', '[]', '"x"'])('%s is none, which skips the file', (value) =>
    expect(read(rule(`"hooks":[${value}]`))).toBe('refused hooks.PreToolUse[0].hooks[0]'),
  );

  it.each(['"command"', 'null'])('type %s selects it', (type) => expect(read(action(`,"type":${type}`))).toEqual(good));

  it.each(['"Command"', '" command"', '""', '"prompt"'])('type %s is passed over, whatever else it holds', (type) =>
    expect(read(action(`,"type":${type},"command":5,"timeout":"x"`))).toEqual({
      rules: [],
      notes: ['goose-action-type'],
    }),
  );

  it.each(['5', 'false', '{}', '[]'])('type %s skips the file', (type) =>
    expect(read(action(`,"type":${type}`))).toBe('refused hooks.PreToolUse[0].hooks[0].type'),
  );

  it('without a command is passed over, before its timeout is looked at', () => {
    expect(read(action(',"command":null,"timeout":"x"'))).toEqual({
      rules: [],
      notes: ['goose-action-without-command'],
    });
    expect(read(rule('"hooks":[{}]'))).toEqual({ rules: [], notes: ['goose-action-without-command'] });
  });

  it.each(['5', 'false', '[]', '{}'])('command %s skips the file', (command) =>
    expect(read(action(`,"command":${command}`))).toBe('refused hooks.PreToolUse[0].hooks[0].command'),
  );

  it.each(['""', '"  "'])('command %s is selected', (command) =>
    expect(read(action(`,"command":${command}`))).toEqual({
      rules: [`PreToolUse -: ${JSON.parse(command)} 30 allow`],
      notes: [],
    }),
  );

  it.each([
    ['null', '30'],
    ['0', '0'],
    ['1', '1'],
    ['4999', '4999'],
  ])('timeout %s is %s s', (timeout, seconds) =>
    expect(read(action(`,"timeout":${timeout}`))).toEqual({ rules: [`PreToolUse -: c ${seconds} allow`], notes: [] }),
  );

  it('timeout goes up to 2^64-1, and a large one is worth a word', () =>
    expect(read(action(',"timeout":18446744073709551615'))).toEqual({
      rules: ['PreToolUse -: c 18446744073709551615 allow'],
      notes: ['goose-timeout-unit'],
    }));

  it.each(['30.0', '3e1', '-0', '-1', '0.5', '18446744073709551616', '"30"', 'true', '[]', '{}'])(
    'timeout %s skips the file',
    (timeout) => expect(read(action(`,"timeout":${timeout}`))).toBe('refused hooks.PreToolUse[0].hooks[0].timeout'),
  );

  it('a bad timeout counts on every event', () =>
    expect(read('{"hooks":{"Stop":[{"hooks":[{"command":"c","timeout":"x"}]}]}}')).toMatch(/^refused/));
});

describe('on_failure', () => {
  it.each([
    ['"allow"', 'allow'],
    ['"block"', 'block'],
    ['{"block":null}', 'block'],
    ['{"allow":null}', 'allow'],
  ])('%s is %s', (value, mode) =>
    expect(read(action(`,"on_failure":${value}`))).toEqual({ rules: [`PreToolUse -: c 30 ${mode}`], notes: [] }),
  );

  it.each([
    'null',
    '"BLOCK"',
    '""',
    '5',
    '{}',
    '{"block":1}',
    '{"block":null,"allow":null}',
    '["block"]',
    '{"mode":"block"}',
  ])('%s skips the file', (value) =>
    expect(read(action(`,"on_failure":${value}`))).toBe('refused hooks.PreToolUse[0].hooks[0].on_failure'),
  );

  it('is not read on other events', () =>
    expect(read('{"hooks":{"Stop":[{"hooks":[{"command":"c","on_failure":5}]}]}}')).toEqual({
      rules: ['Stop -: c 30 allow'],
      notes: [],
    }));

  it('is not read under a matcher that is invalid, but type, command and timeout were', () => {
    const under = (fields: string): string => rule(`"matcher":"(","hooks":[{"command":"c"${fields}}]`);
    expect(read(under(',"on_failure":5'), never)).toEqual({ rules: ['PreToolUse (: c 30 allow'], notes: [] });
    expect(read(under(',"on_failure":5'))).toMatch(/^refused/);
    expect(read(under(',"timeout":"x"'), never)).toMatch(/^refused/);
  });
});

describe('what other agents write', () => {
  it.each([
    [action(',"onFailure":"block"'), ['goose-key-unknown']],
    [action(',"timeoutMs":5'), ['goose-key-unknown']],
    [rule('"on_failure":"block","hooks":[{"command":"c"}]'), ['goose-key-unknown']],
    [rule('"Matcher":"x","hooks":[{"command":"c"}]'), ['goose-key-unknown']],
    [rule('"description":"x","hooks":[{"command":"c","name":"n"}]'), []],
    [action(',"timeout":5000'), ['goose-timeout-unit']],
    [rule('"matcher":"Bash|Write","hooks":[{"command":"c"}]'), ['goose-foreign-tool', 'goose-foreign-tool']],
    [rule('"matcher":"^run_shell_command$","hooks":[{"command":"c"}]'), ['goose-foreign-tool']],
    [rule('"matcher":"(?i)bash","hooks":[{"command":"c"}]'), []],
    [rule('"matcher":"^(shell|write)$","hooks":[{"command":"c"}]'), []],
    ['{"hooks":{"UserPromptSubmit":[{"matcher":"Bash","hooks":[{"command":"c"}]}]}}', []],
  ])('%s', (text, codes) => expect((read(text) as { notes: string[] }).notes).toEqual(codes));
});

describe('settings files', () => {
  const off = (text: string): string[] | string => {
    const file = parseSettings(text, '/s.json');
    return 'problem' in file ? 'left out' : [...file.disabled];
  };

  it.each(['{}', '[]', '[[]]', '[["a"]]', '{"x":null}', '{"enabledPlugins":["a"]}'])(
    '%s switches nothing off',
    (text) => expect(off(text)).toEqual([]),
  );
  it.each(['{"disabledPlugins":["a"]}', '[[],["a"]]', '{"x":1,"x":2,"disabledPlugins":["a"]}'])('%s does', (text) =>
    expect(off(text)).toEqual(['a']),
  );
  it.each([
    '',
    'null',
    '5',
    '{',
    '// x\n{}',
    '\uFEFF{}',
    '{"disabledPlugins":null}',
    '{"disabledPlugins":["a",5]}',
    '{"disabledPlugins":{}}',
    '{"disabledPlugins":[],"disabledPlugins":[]}',
    '[[],[],[]]',
    '[5]',
    '{"enabledPlugins":["\\ud800"]}',
  ])('%j is left out', (text) => expect(off(text)).toBe('left out'));
});

describe('places', () => {
  const places = (env: Record<string, string>) => placesOf({ project: '/w', home: '/h', env });

  it('GOOSE_PATH_ROOT moves the user side when it is absolute', () => {
    expect(places({ GOOSE_PATH_ROOT: '/r' })).toMatchObject({
      userPlugins: '/r/.agents/plugins',
      config: '/r/config/config.yaml',
    });
    for (const root of ['', 'r'])
      expect(places({ GOOSE_PATH_ROOT: root })).toMatchObject({
        userPlugins: '/h/.agents/plugins',
        config: '/h/.config/goose/config.yaml',
      });
  });

  it('XDG_CONFIG_HOME moves config.yaml alone', () => {
    const { userPlugins, settings, config } = places({ XDG_CONFIG_HOME: '/x' });
    expect([userPlugins, settings[2]?.path, config]).toEqual([
      '/h/.agents/plugins',
      '/h/.config/goose/settings.json',
      '/x/goose/config.yaml',
    ]);
  });
});

describe('plugins', () => {
  const hooksFor = (command: string): string => `{"hooks":{"PreToolUse":[{"hooks":[{"command":"${command}"}]}]}}`;
  const plugin = (base: string, name: string): string => `${base}/.agents/plugins/${name}/hooks/hooks.json`;

  const loadFrom = (files: Record<string, Entry>, more: Partial<Where> = {}) =>
    load({
      project: '/w',
      home: '/h',
      cwd: '/w',
      env: {},
      fs: memoryFs(files),
      platform: 'linux',
      explicit: [],
      ...more,
    });

  /** The hooks of PreToolUse in plan order, those that do not run with their reason; and the codes of all problems. */
  async function setUp(files: Record<string, Entry>, more: Partial<Where> = {}, project = true) {
    const { hooks, problems } = (await loadFrom(files, more)).setup('PreToolUse', project);
    return {
      hooks: hooks.map(({ name, command, off }) =>
        `${name} ${command}${off === undefined ? '' : ` (${off.why})`}`.trim(),
      ),
      problems: problems.map(({ code }) => code),
    };
  }

  const both = { [plugin('/w', 'demo')]: hooksFor('mine'), [plugin('/h', 'demo')]: hooksFor('yours') };

  it('the first of a name runs, the other is hidden, and that is said', async () => {
    expect(await setUp(both)).toEqual({
      hooks: ['demo:PreToolUse#1.1 mine', 'demo:PreToolUse#1.1 yours (shadowed)'],
      problems: ['goose-plugin-hidden'],
    });
    expect(await setUp(both, {}, false)).toEqual({ hooks: ['demo:PreToolUse#1.1 yours'], problems: [] });
  });

  it('an empty folder hides too', async () =>
    expect(await setUp({ '/w/.agents/plugins/demo/README': '', [plugin('/h', 'demo')]: hooksFor('yours') })).toEqual({
      hooks: ['demo:PreToolUse#1.1 yours (shadowed)'],
      problems: ['goose-plugin-hidden'],
    }));

  it('so does one whose hooks.json does not load, which stands as invalid itself', async () => {
    const files = { ...both, [plugin('/w', 'demo')]: '{' };
    expect(await setUp(files)).toEqual({
      hooks: ['demo:PreToolUse  (invalid)', 'demo:PreToolUse#1.1 yours (shadowed)'],
      problems: ['goose-file-skipped', 'goose-plugin-hidden'],
    });
    const config = await loadFrom(files);
    expect(config.setup('PreToolUse', true).problems[1]?.message).toContain('does not load');
  });

  it('a file that is refused for other events says so, and stands for none of this one', async () => {
    const text = '{"hooks":{"Stop":5}}';
    expect(await setUp({ [plugin('/h', 'p')]: text })).toEqual({ hooks: [], problems: ['goose-file-skipped'] });
  });

  it('a plugin that is switched off lets the next of its name through', async () => {
    const map = '{"/w/.agents/plugins/demo":{"enabled":false}}';
    expect((await setUp(both, { env: { PLUGINS: map } })).hooks).toEqual([
      'demo:PreToolUse#1.1 mine (disabled)',
      'demo:PreToolUse#1.1 yours',
    ]);
  });

  it("settings go by name, so they hold for both; the project's count only with the project", async () => {
    const files = { ...both, '/w/.config/goose/settings.json': '{"disabledPlugins":["demo"]}' };
    expect((await setUp(files)).hooks).toEqual([
      'demo:PreToolUse#1.1 mine (disabled)',
      'demo:PreToolUse#1.1 yours (disabled)',
    ]);
    expect((await setUp(files, {}, false)).hooks).toEqual(['demo:PreToolUse#1.1 yours']);
  });

  it('the highest file that lists the name decides', async () => {
    const files = {
      ...both,
      '/w/.config/goose/settings.local.json': '{"enabledPlugins":["demo"]}',
      '/h/.config/goose/settings.json': '{"disabledPlugins":["demo"]}',
    };
    expect((await setUp(files)).hooks[0]).toBe('demo:PreToolUse#1.1 mine');
    expect((await setUp(files, {}, false)).hooks).toEqual(['demo:PreToolUse#1.1 yours (disabled)']);
  });

  it('a broken settings file of the project is no word where the project does not count', async () => {
    const files = { ...both, '/w/.config/goose/settings.json': '{' };
    expect((await setUp(files)).problems).toContain('goose-settings-left-out');
    expect((await setUp(files, {}, false)).problems).toEqual([]);
  });

  it("with the home as the project everything is the user's own", async () => {
    const files = {
      [plugin('/h', 'demo')]: hooksFor('yours'),
      '/h/.config/goose/settings.json': '{"disabledPlugins":["demo"]}',
    };
    expect((await setUp(files, { project: '/h' }, false)).hooks).toEqual(['demo:PreToolUse#1.1 yours (disabled)']);
  });

  it('are ordered by the bytes of their names', async () => {
    const names = ['b', 'a.b', 'a-b', 'Z', 'é', '\uFF21', '\u{1F4A5}', '10', '9'];
    const files = Object.fromEntries(names.map((name) => [plugin('/h', name), hooksFor('c')]));
    const found = (await loadFrom(files)).arranged(true).map((one) => one.plugin.name);
    expect(found).toEqual(['10', '9', 'Z', 'a-b', 'a.b', 'b', 'é', '\uFF21', '\u{1F4A5}']);
  });

  it('--config names a hooks.json, and nothing else counts', async () => {
    const files = { ...both, '/x/guard/hooks/hooks.json': hooksFor('just this') };
    const { hooks } = (await loadFrom(files, { explicit: ['/x/guard/hooks/hooks.json'] })).setup('PreToolUse', true);
    expect(hooks.map(({ name, source }) => [name, source.scope])).toEqual([['guard:PreToolUse#1.1', 'explicit']]);
    await expect(loadFrom(files, { explicit: ['/x/none.json'] })).rejects.toThrow('no such file');
  });

  describe('config.yaml', () => {
    const config = '/h/.config/goose/config.yaml';
    const mine = '/w/.agents/plugins/demo';
    const withConfig = async (text: string) => {
      const { hooks, problems } = await setUp({ ...both, [config]: text });
      return [
        hooks[0]?.includes('disabled') === true ? 'off' : 'on',
        problems.filter((code) => code.startsWith('goose-config')),
      ];
    };

    it.each([
      [`plugins:\n  ${mine}:\n    enabled: false\n`, 'off', []],
      [`GOOSE_MODEL: x\nplugins:\n  ${mine}:\n    enabled: true\nextensions: {}\n`, 'on', []],
      [`plugins: {"${mine}": {enabled: false, x: 1}}`, 'off', []],
      [`"plugins": {"${mine}": {enabled: false}}`, 'off', []],
      [`plugins:\n  ${mine}/:\n    enabled: false\n`, 'on', []],
      ['plugins:\n  demo:\n    enabled: false\n', 'on', []],
      ['GOOSE_MODEL: x\n', 'on', []],
      ['', 'on', []],
      ['plugins: [', 'on', ['goose-config-syntax']],
      ['plugins: []', 'on', ['goose-config-map-dropped']],
      [`plugins:\n  ${mine}:\n    enabled: false\n  /b: false\n`, 'on', ['goose-config-map-dropped']],
      [`plugins:\n  ${mine}:\n    enabled: false\n  /b: {}\n`, 'on', ['goose-config-map-dropped']],
      [`plugins:\n  ${mine}:\n    enabled: "no"\n`, 'on', ['goose-config-map-dropped']],
    ])('%j: %s', async (text, state, codes) => expect(await withConfig(text)).toEqual([state, codes]));

    it('names what a dropped map had switched off', async () => {
      const { problems } = (
        await loadFrom({ ...both, [config]: `plugins:\n  ${mine}:\n    enabled: false\n  /b: 1\n` })
      ).setup('PreToolUse', true);
      expect(problems.find(({ code }) => code === 'goose-config-map-dropped')?.message).toContain(mine);
    });

    it('PLUGINS stands for all of it, even when it holds something else', async () => {
      const files = { ...both, [config]: `plugins:\n  ${mine}:\n    enabled: false\n` };
      const { hooks, problems } = await setUp(files, { env: { PLUGINS: 'git docker' } });
      expect(hooks[0]).toBe('demo:PreToolUse#1.1 mine');
      expect(problems).toContain('goose-config-map-dropped');
    });
  });

  it('a hook says where it stands', async () => {
    const text =
      '{\n "hooks": {\n  "PreToolUse": [\n   {"hooks": [\n    {"type": "x"},\n    {"command": "c", "timeout": 9999999999}\n   ]}\n  ]\n }\n}';
    const [hook] = (await loadFrom({ [plugin('/h', 'p')]: text })).setup('PreToolUse', true).hooks;
    expect(hook).toMatchObject({
      name: 'p:PreToolUse#1.2',
      timeoutMs: 2 ** 31 - 1,
      source: { scope: 'user', key: 'hooks.PreToolUse[0].hooks[1]' },
    });
    expect(hook?.source.line?.()).toBe(6);
  });
});
