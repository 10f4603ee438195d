/** What changes the fingerprint of a project, what must not, and how a change is named. */

import { describe, expect, it } from 'vitest';
import { fileLimit, fingerprintOf } from '../../src/fingerprint.ts';
import { changesBetween, describeChange } from '../../src/fingerprint-changes.ts';
import type { Format, Where } from '../../src/formats/format.ts';
import { format as gemini } from '../../src/formats/gemini/index.ts';
import { format as goose } from '../../src/formats/goose/index.ts';
import { format as kimi } from '../../src/formats/kimi/index.ts';
import { HOME, PROJECT, whereOf } from '../helpers/gemini.ts';
import type { Entry } from '../helpers/memory-fs.ts';

type Files = Readonly<Record<string, Entry | object>>;
type Json = Record<string, unknown>;

async function fingerprint(where: Where, format: Format, more: Json = {}) {
  const config = await format.load(where);
  const claims = config.project?.();
  return claims === undefined ? undefined : fingerprintOf(claims, format.name, where, more);
}

const guard: Json = { type: 'command', name: 'guard', command: 'bash hooks/guard.sh', timeout: 1000, env: { A: '1' } };
const second: Json = { type: 'command', command: 'true' };
const settings = (more: Json = {}, hook: Json = guard, definition: Json = {}): Json => ({
  hooks: {
    BeforeTool: [{ matcher: 'write_file', hooks: [hook, second], ...definition }],
    AfterTool: [{ hooks: [second] }],
  },
  hooksConfig: { disabled: ['x'] },
  ...more,
});
const geminiFiles = (value: unknown = settings(), more: Files = {}): Files => ({
  [`${PROJECT}/.gemini/settings.json`]: value as object,
  [`${PROJECT}/hooks/guard.sh`]: 'echo guard',
  [`${PROJECT}/README.md`]: 'not named',
  ...more,
});
const ofGemini = async (files: Files, over: Parameters<typeof whereOf>[1] = {}, more: Json = {}) =>
  (await fingerprint(whereOf(files, over), gemini, more))!;

const plugin = `${PROJECT}/.agents/plugins/p`;
const action: Json = { type: 'command', command: 'sh ${PLUGIN_ROOT}/run.sh', timeout: 5, on_failure: 'block' };
const rules = (rule: Json = {}, one: Json = action): object => ({
  hooks: { PreToolUse: [{ matcher: 'shell', hooks: [one], ...rule }] },
});
const gooseFiles = (hooks: object | string = rules(), more: Files = {}): Files => ({
  [`${plugin}/hooks/hooks.json`]: hooks,
  [`${plugin}/run.sh`]: 'echo run',
  [`${PROJECT}/.config/goose/settings.json`]: { disabledPlugins: ['q'] },
  ...more,
});
const ofGoose = async (files: Files, over: Parameters<typeof whereOf>[1] = {}) =>
  (await fingerprint(whereOf(files, over), goose))!;

describe('Gemini CLI: another fingerprint for', () => {
  const hooksOf = (hooks: unknown) => settings({ hooks });
  const list = (settings()['hooks'] as Record<string, unknown[]>)['BeforeTool']!;
  it.each<[what: string, files: Files, changes: readonly string[]]>([
    [
      'event',
      geminiFiles(hooksOf({ AfterTool: [{ hooks: [second] }], AfterAgent: list })),
      [
        'added hook guard (AfterAgent)',
        'added hook true (AfterAgent)',
        'removed hook guard (BeforeTool)',
        'removed hook true (BeforeTool)',
      ],
    ],
    [
      'matcher',
      geminiFiles(settings({}, guard, { matcher: 'x' })),
      ['edited hook guard (BeforeTool)', 'edited hook true (BeforeTool)'],
    ],
    [
      'sequential',
      geminiFiles(settings({}, guard, { sequential: true })),
      ['edited hook guard (BeforeTool)', 'edited hook true (BeforeTool)'],
    ],
    [
      'name',
      geminiFiles(settings({}, { ...guard, name: 'other' })),
      ['added hook other (BeforeTool)', 'removed hook guard (BeforeTool)'],
    ],
    [
      'command',
      geminiFiles(settings({}, { ...guard, command: 'bash hooks/guard.sh -x' })),
      ['edited hook guard (BeforeTool)'],
    ],
    ['timeout', geminiFiles(settings({}, { ...guard, timeout: 1 })), ['edited hook guard (BeforeTool)']],
    [
      'env.BASH_ENV alone',
      geminiFiles(settings({}, { ...guard, env: { A: '1', BASH_ENV: '/tmp/x' } })),
      ['edited hook guard (BeforeTool)'],
    ],
    ['a value in env', geminiFiles(settings({}, { ...guard, env: { A: '2' } })), ['edited hook guard (BeforeTool)']],
    [
      'a variable in env instead of a text',
      geminiFiles(settings({}, { ...guard, env: { A: '$B' } })),
      ['edited hook guard (BeforeTool)'],
    ],
    ['type', geminiFiles(settings({}, { ...guard, type: 'Command' })), ['edited hook guard (BeforeTool)']],
    [
      'an invalid entry',
      geminiFiles(hooksOf({ ...(settings()['hooks'] as object), BeforeModel: ['junk'] })),
      ['added hook hooks.BeforeModel[0] (BeforeModel)'],
    ],
    [
      'hooks that are no object',
      geminiFiles(hooksOf([1])),
      [
        'added switch hooks',
        'removed hook guard (BeforeTool)',
        'removed hook true (BeforeTool)',
        'removed hook true (AfterTool)',
        'removed script hooks/guard.sh',
      ],
    ],
    [
      'an event that nobody knows',
      geminiFiles(hooksOf({ ...(settings()['hooks'] as object), beforeTool: list })),
      ['added hook guard (beforeTool)', 'added hook true (beforeTool)'],
    ],
    [
      'the order of hooks',
      geminiFiles(settings({}, guard, { hooks: [second, guard] })),
      ['another order of the hooks of BeforeTool'],
    ],
    ['hooksConfig', geminiFiles(settings({ hooksConfig: { enabled: false } })), ['edited switch hooksConfig']],
    [
      'environment redaction',
      geminiFiles(settings({ security: { environmentVariableRedaction: { blocked: ['A'] } } })),
      ['added switch security.environmentVariableRedaction'],
    ],
    [
      'extensions',
      geminiFiles(settings({ admin: { extensions: { enabled: false } } })),
      ['added switch admin.extensions'],
    ],
    [
      'allowed extensions',
      geminiFiles(settings({ security: { allowedExtensions: [] } })),
      ['added switch security.allowedExtensions'],
    ],
    [
      'git extensions',
      geminiFiles(settings({ security: { blockGitExtensions: true } })),
      ['added switch security.blockGitExtensions'],
    ],
    [
      'the plans folder',
      geminiFiles(settings({ general: { plan: { directory: 'x' } } })),
      ['added switch general.plan.directory'],
    ],
    [
      'a script',
      geminiFiles(settings(), { [`${PROJECT}/hooks/guard.sh`]: 'echo other' }),
      ['edited script hooks/guard.sh'],
    ],
    [
      'a script that may be executed now',
      geminiFiles(settings(), { [`${PROJECT}/hooks/guard.sh`]: { text: 'echo guard', mode: 0o654 } }),
      ['edited script hooks/guard.sh (executable now)'],
    ],
    [
      'a script replaced by a link to the same content',
      geminiFiles(settings(), {
        [`${PROJECT}/hooks/guard.sh`]: { link: 'copy.sh' },
        [`${PROJECT}/hooks/copy.sh`]: 'echo guard',
      }),
      ['edited script hooks/guard.sh'],
    ],
    [
      'a script replaced by a link to elsewhere',
      geminiFiles(settings(), { [`${PROJECT}/hooks/guard.sh`]: { link: '/tmp/g.sh' }, '/tmp/g.sh': 'echo guard' }),
      ['edited script hooks/guard.sh'],
    ],
    [
      'a script replaced by a FIFO',
      geminiFiles(settings(), { [`${PROJECT}/hooks/guard.sh`]: { unreadable: 'not-a-file' } }),
      ['edited script hooks/guard.sh'],
    ],
  ])('%s', async (_what, files, changes) => {
    const before = await ofGemini(geminiFiles());
    const now = await ofGemini(files);
    expect(now.hash).not.toBe(before.hash);
    expect(changesBetween(before.parts, now.parts).map(describeChange)).toEqual(expect.arrayContaining([...changes]));
    expect(changesBetween(before.parts, now.parts)).toHaveLength(changes.length);
  });

  it('a script that appears, and one that goes', async () => {
    const later = settings({}, { ...guard, command: 'bash hooks/later.sh' });
    const before = await ofGemini(geminiFiles(later));
    const now = await ofGemini(geminiFiles(later, { [`${PROJECT}/hooks/later.sh`]: '' }));
    expect(changesBetween(before.parts, now.parts).map(describeChange)).toEqual(['added script hooks/later.sh']);
    expect(changesBetween(now.parts, before.parts).map(describeChange)).toEqual(['removed script hooks/later.sh']);
    expect(now.hash).not.toBe(before.hash);
  });

  it('a script that nobody may execute any more, whoever else might', async () => {
    const withMode = (mode: number) =>
      ofGemini(geminiFiles(settings(), { [`${PROJECT}/hooks/guard.sh`]: { text: 'echo guard', mode } }));
    const before = await withMode(0o755);
    const now = await withMode(0o644);
    expect(now.hash).not.toBe(before.hash);
    expect(changesBetween(before.parts, now.parts).map(describeChange)).toEqual([
      'edited script hooks/guard.sh (not executable any more)',
    ]);
    expect((await withMode(0o700)).hash).toBe(before.hash);
    expect((await withMode(0o600)).hash).toBe(now.hash);
  });

  it('a number that JSON can not write', async () => {
    const withTimeout = (raw: string) =>
      ofGemini(geminiFiles(JSON.stringify(settings({}, { ...guard, timeout: 'RAW' })).replace('"RAW"', raw)));
    const hashes = await Promise.all(
      ['null', '1e999', '-1e999', '"Infinity"', '1000'].map(async (raw) => (await withTimeout(raw)).hash),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('a script that its env names', async () => {
    const withRc = (text: string) =>
      ofGemini(
        geminiFiles(settings({}, { ...guard, env: { BASH_ENV: '$GEMINI_PROJECT_DIR/rc' } }), {
          [`${PROJECT}/rc`]: text,
        }),
      );
    expect((await withRc('a')).hash).not.toBe((await withRc('b')).hash);
  });

  it("hookrun's own settings", async () => {
    const before = await ofGemini(geminiFiles());
    const now = await ofGemini(geminiFiles(), {}, { requireMatch: true });
    expect(now.hash).not.toBe(before.hash);
    expect(changesBetween(before.parts, now.parts).map(describeChange)).toEqual([
      'added setting of hookrun requireMatch',
    ]);
  });

  it("the project's .env, where it reaches the hooks of an extension of the user, and only there", async () => {
    const env = { [`${PROJECT}/.env`]: 'URL=evil\nOTHER=1\n' };
    const extension: Files = {
      [`${HOME}/.gemini/extensions/e/gemini-extension.json`]: {
        name: 'e',
        version: '1',
        settings: [{ name: 'url', envVar: 'URL' }],
      },
      [`${HOME}/.gemini/extensions/e/hooks/hooks.json`]: { hooks: {} },
    };
    const plainly = await ofGemini(geminiFiles());
    expect((await ofGemini(geminiFiles(settings(), env))).hash).toBe(plainly.hash);
    expect((await ofGemini(geminiFiles(settings(), extension))).hash).toBe(plainly.hash);
    const both = await ofGemini(geminiFiles(settings(), { ...env, ...extension }));
    expect(changesBetween(plainly.parts, both.parts).map(describeChange)).toEqual([
      'added switch .env URL for the extension e',
    ]);
  });
});

describe('Gemini CLI: the same fingerprint whatever', () => {
  it.each<[what: string, files: Files, over: Parameters<typeof whereOf>[1]]>([
    [
      'the user has configured',
      geminiFiles(settings(), { [`${HOME}/.gemini/settings.json`]: settings({ hooksConfig: { enabled: false } }) }),
      {},
    ],
    ['the environment holds', geminiFiles(), { env: { A: '1', B: '2', HOOKRUN_TRUST: '1', PATH: '/bin' } }],
    [
      'the folder is called',
      Object.fromEntries(
        Object.entries(geminiFiles()).map(([path, entry]) => [path.replace(PROJECT, '/ci/checkout 1'), entry]),
      ),
      { project: '/ci/checkout 1' },
    ],
    [
      'other files say',
      geminiFiles(settings(), { [`${PROJECT}/README.md`]: 'edited', [`${PROJECT}/hooks/other.sh`]: 'new' }),
      {},
    ],
    [
      'the order of keys and events is',
      geminiFiles(
        JSON.parse(
          JSON.stringify({
            hooksConfig: { disabled: ['x'] },
            hooks: {
              AfterTool: [{ hooks: [second] }],
              BeforeTool: [
                {
                  hooks: [
                    { env: { A: '1' }, timeout: 1000, command: guard['command'], name: 'guard', type: 'command' },
                    second,
                  ],
                  matcher: 'write_file',
                },
              ],
            },
          }),
        ),
      ),
      {},
    ],
    ['comments and spaces stand there', geminiFiles(`// hi\n${JSON.stringify(settings(), undefined, 4)}`), {}],
    [
      'else the settings say',
      geminiFiles(settings({ theme: 'dark', security: { folderTrust: { enabled: true } } })),
      {},
    ],
  ])('%s', async (_what, files, over) => {
    expect((await ofGemini(files, over)).hash).toBe((await ofGemini(geminiFiles())).hash);
  });
});

it('a project without anything that decides has none', async () => {
  expect(await fingerprint(whereOf({}), gemini)).toBeUndefined();
  expect(
    await fingerprint(whereOf({ [`${PROJECT}/.gemini/settings.json`]: { theme: 'dark' } }), gemini),
  ).toBeUndefined();
  expect(await fingerprint(whereOf(geminiFiles()), goose)).toBeUndefined();
  expect(await fingerprint(whereOf(geminiFiles()), kimi)).toBeUndefined();
  const home = whereOf({ [`${HOME}/.gemini/settings.json`]: settings() }, { project: HOME });
  expect(await fingerprint(home, gemini)).toBeUndefined();
});

describe('goose: another fingerprint for', () => {
  it.each<[what: string, files: Files, changes: readonly string[]]>([
    ['matcher', gooseFiles(rules({ matcher: 'other' })), ['edited hook p:PreToolUse#1.1 (PreToolUse)']],
    [
      'command',
      gooseFiles(rules({}, { ...action, command: 'sh ${PLUGIN_ROOT}/run.sh x' })),
      ['edited hook p:PreToolUse#1.1 (PreToolUse)'],
    ],
    ['timeout', gooseFiles(rules({}, { ...action, timeout: 6 })), ['edited hook p:PreToolUse#1.1 (PreToolUse)']],
    [
      'on_failure',
      gooseFiles(rules({}, { ...action, on_failure: 'allow' })),
      ['edited hook p:PreToolUse#1.1 (PreToolUse)'],
    ],
    [
      'event',
      gooseFiles({ hooks: { Stop: [{ matcher: 'shell', hooks: [{ ...action, on_failure: null }] }] } }),
      ['added hook p:Stop#1.1 (Stop)', 'removed hook p:PreToolUse#1.1 (PreToolUse)'],
    ],
    [
      'a hooks.json that goose skips',
      gooseFiles('{'),
      [
        'removed hook p:PreToolUse#1.1 (PreToolUse)',
        'removed script .agents/plugins/p/run.sh',
        'edited switch plugin p',
      ],
    ],
    [
      'disabledPlugins',
      gooseFiles(rules(), { [`${PROJECT}/.config/goose/settings.json`]: { disabledPlugins: ['q', 'r'] } }),
      ['edited switch .config/goose/settings.json'],
    ],
    [
      'enabledPlugins in the local file',
      gooseFiles(rules(), { [`${PROJECT}/.config/goose/settings.local.json`]: { enabledPlugins: ['q'] } }),
      ['added switch .config/goose/settings.local.json'],
    ],
    [
      'a plugin folder without hooks',
      gooseFiles(rules(), { [`${PROJECT}/.agents/plugins/empty/README.md`]: '' }),
      ['added switch plugin empty'],
    ],
    [
      'a script of the plugin',
      gooseFiles(rules(), { [`${plugin}/run.sh`]: 'echo other' }),
      ['edited script .agents/plugins/p/run.sh'],
    ],
  ])('%s', async (_what, files, changes) => {
    const before = await ofGoose(gooseFiles());
    const now = await ofGoose(files);
    expect(now.hash).not.toBe(before.hash);
    expect(changesBetween(before.parts, now.parts).map(describeChange).sort()).toEqual([...changes].sort());
  });

  it.each<[what: string, files: Files, over: Parameters<typeof whereOf>[1]]>([
    [
      'but not for what the user has',
      gooseFiles(rules(), {
        [`${HOME}/.agents/plugins/p/hooks/hooks.json`]: rules(),
        [`${HOME}/.config/goose/settings.json`]: { disabledPlugins: ['p'] },
      }),
      {},
    ],
    [
      'nor for the folder',
      Object.fromEntries(Object.entries(gooseFiles()).map(([path, entry]) => [path.replace(PROJECT, '/ci/x'), entry])),
      { project: '/ci/x' },
    ],
    ['nor for the environment', gooseFiles(), { env: { PLUGINS: '{}' } }],
  ])('%s', async (_what, files, over) => {
    expect((await ofGoose(files, over)).hash).toBe((await ofGoose(gooseFiles())).hash);
  });
});

it('two agents never share a fingerprint, and the same content always has the same', async () => {
  const claims = { hooks: [], switches: [{ name: 's', value: 1 }] };
  const [one, other, again] = ['gemini', 'goose', 'gemini'].map((name) => fingerprintOf(claims, name, whereOf({}), {}));
  expect(one!.hash).not.toBe(other!.hash);
  expect(one!.hash).toBe(again!.hash);
  // Pinned: what has been trusted stays trusted by the next version, or its scheme has another number.
  expect(one!.hash).toBe('2cd99e23d62aab1496471a1051d03d6882f82bc80f5de34e72efd3840e8033e8');
});

it('there is none of what is too large to be vouched for', async () => {
  const { fs } = whereOf(geminiFiles());
  const huge = {
    ...fs,
    info: (path: string) => (path.endsWith('.sh') ? { ...fs.info(path)!, size: fileLimit * 5 } : fs.info(path)),
  };
  await expect(ofGemini({}, { fs: huge })).rejects.toMatchObject({
    kind: 'config',
    problem: { code: 'trust-too-much' },
  });
  const many = settings({}, { ...guard, command: Array.from({ length: 30_000 }, (_, index) => `w${index}`).join(' ') });
  await expect(ofGemini(geminiFiles(many))).rejects.toMatchObject({ problem: { code: 'trust-too-much' } });
});
