/** Whose payload is it? From its shape, then from whose config exists; what stays unclear is said. */

import { expect, it } from 'vitest';
import { chooseFormat } from '../../src/choose-format.ts';
import { diskFs } from '../../src/file-system.ts';
import type { Where } from '../../src/formats/format.ts';
import * as formats from '../../src/formats/index.ts';

const all = Object.values(formats);

const gemini = '/p/.gemini/settings.json';
const kimi = '/h/.kimi-code/config.toml';
const goose = '/p/.agents/plugins';

/** A place in which just these paths exist. */
const whereWith = (paths: readonly string[]): Where => ({
  project: '/p',
  home: '/h',
  cwd: '/p',
  env: { HOME: '/h' },
  fs: {
    ...diskFs,
    info: (path) => {
      if (paths.includes(path))
        return { kind: path.endsWith('plugins') ? 'folder' : 'file', size: 1, uid: 0, mode: 0o644 };
      return paths.some((one) => one.startsWith(`${path}/`))
        ? { kind: 'folder', size: 1, uid: 0, mode: 0o755 }
        : undefined;
    },
    list: () => ['p'],
    real: (path) => path,
  },
  platform: 'linux',
  explicit: [],
});

const choose = (payload: Record<string, unknown>, paths: readonly string[] = [], wanted = 'auto', flag?: string) =>
  chooseFormat(wanted, { text: '', value: payload, from: 'stdin', given: true }, flag, all, whereWith(paths));

it.each([
  ['an event field', { event: 'PreToolUse', tool_name: 'shell' }, 'goose'],
  ["Gemini's event", { hook_event_name: 'BeforeTool' }, 'gemini'],
  ["Kimi's event", { hook_event_name: 'PreToolUse' }, 'kimi'],
  ['a shared event with a field of Gemini', { hook_event_name: 'SessionStart', transcript_path: '' }, 'gemini'],
  ['a shared event with a field of Kimi', { hook_event_name: 'SessionStart', client_type: 'kimi_code_cli' }, 'kimi'],
])('by %s', (_what, payload, expected) => {
  expect(choose(payload).entry.name).toBe(expected);
});

it.each([
  ['gemini', [gemini]],
  ['kimi', [kimi]],
])('a shared event belongs to the one that is configured: %s', (expected, paths) => {
  expect(choose({ hook_event_name: 'SessionStart' }, paths).entry.name).toBe(expected);
});

it.each([
  ['nobody is configured', []],
  ['both are configured', [gemini, kimi]],
])('a shared event where %s is an error that names what was seen and the flag', (_what, paths) => {
  expect(() => choose({ hook_event_name: 'SessionStart' }, paths)).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message: expect.stringMatching(/Gemini CLI.*Kimi Code/),
      advice: expect.stringContaining('--format'),
    }),
  );
});

it.each([
  ['no name at all', {}, undefined, 'usage'],
  ['an unknown name in the payload', { hook_event_name: 'Nope' }, undefined, 'payload'],
  ['an unknown name from a flag', {}, 'Nope', 'usage'],
])('%s is an error', (_what, payload, flag, kind) => {
  expect(() => choose(payload, [], 'auto', flag)).toThrow(expect.objectContaining({ kind }));
});

it('a flag names the event as well as the payload does', () => {
  expect(choose({}, [], 'auto', 'BeforeTool').entry.name).toBe('gemini');
});

it('a payload of an agent that is not configured here, while another is, is a warning that names the flag', () => {
  const { entry, problems } = choose({ event: 'PreToolUse' }, [gemini]);
  expect(entry.name).toBe('goose');
  expect(problems).toMatchObject([{ code: 'format-misfit', message: expect.stringContaining('--format gemini') }]);
  expect(choose({ event: 'PreToolUse' }, [goose, gemini]).problems).toEqual([]);
  expect(choose({ event: 'PreToolUse' }, []).problems).toEqual([]);
});

it('the config is looked for in the folder that the payload names', () => {
  expect(
    choose({ event: 'PreToolUse', working_dir: '/elsewhere' }, ['/elsewhere/.agents/plugins', gemini]).problems,
  ).toEqual([]);
});

it('--format decides, whatever the payload looks like', () => {
  expect(choose({ event: 'PreToolUse' }, [], 'kimi').entry.name).toBe('kimi');
  expect(() => choose({}, [], 'nope')).toThrow(expect.objectContaining({ kind: 'usage' }));
});
