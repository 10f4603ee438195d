import { describe, expect, it } from 'vitest';
import { hookEnvironment, isStrict, sanitize } from '../../src/formats/gemini/environment.ts';

/** The host of the recorded runs: captures/gemini/env.md. */
const HOST: Record<string, string> = {
  HOME: '/home/dev',
  PATH: '/usr/bin',
  TERM: 'xterm',
  LANG: 'C.UTF-8',
  USER: 'dev',
  LOGNAME: 'dev',
  SHELL: '/bin/bash',
  GEMINI_API_KEY: 'k',
  MY_TOKEN: 'tok',
  FOO: '1',
  AWS_SECRET_ACCESS_KEY: 'aws',
  DATABASE_URL: 'postgres://x/y',
  GIT_CONFIG_COUNT: '0',
  GOOGLE_CLOUD_PROJECT: 'gcp',
  MONKEY: 'banana',
  AUTHOR: 'me',
  PRIVATE_X: '1',
  CERTIFICATE: 'c',
  NORMAL: 'https://user:pw@host/x',
  GHT: 'ghp_0123456789012345678901234567890123456789',
  JWT: 'eyJhbGciOi.eyJzdWIi.c2ln',
  AKID: 'AKIAABCDEFGHIJKLMNOP',
  GEMINI_CLI_FOO: 'yes',
  GEMINI_FOO: 'x',
  REPOSITORY: 'o/r',
  LD_LIBRARY_PATH: '/x',
  NODE_PATH: '/y',
  BASH_ENV: '/dev/null',
  EVENT_NAME: 'pr',
  lower_token: 'q',
  SSH_AUTH_SOCK: '/tmp/s',
  CI_JOB: '1',
  GOOGLE_API_KEY2: 'k',
  MY_PASSWD: 'p',
  SURFACE2: 'z',
  GIT_AUTHOR_NAME: 'n',
};

const ENABLED =
  'AKID AUTHOR AWS_SECRET_ACCESS_KEY CERTIFICATE DATABASE_URL GEMINI_API_KEY GHT GIT_AUTHOR_NAME GOOGLE_API_KEY2 GOOGLE_CLOUD_PROJECT JWT MONKEY MY_PASSWD MY_TOKEN NORMAL PRIVATE_X SSH_AUTH_SOCK lower_token'.split(
    ' ',
  );
const BASICS = ['HOME', 'PATH', 'TERM', 'LANG', 'USER', 'LOGNAME', 'SHELL'];
const STRICT = Object.keys(HOST).filter(
  (name) => ![...BASICS, 'EVENT_NAME', 'GEMINI_CLI_FOO', 'GIT_CONFIG_COUNT', 'REPOSITORY'].includes(name),
);
const without = (names: string[], ...some: string[]) => names.filter((name) => !some.includes(name));

type Row = [
  run: string,
  rules: { enabled?: boolean; allowed?: string[]; blocked?: string[] },
  extra: Record<string, string>,
  removed: string[],
];

describe('sanitize', () => {
  it.each<Row>([
    ['default (off)', {}, {}, []],
    ['off, with lists', { allowed: ['MY_TOKEN'], blocked: ['FOO'] }, {}, []],
    ['enabled', { enabled: true }, {}, ENABLED],
    [
      'enabled, with lists',
      {
        enabled: true,
        allowed: ['MY_TOKEN', 'DATABASE_URL', 'NORMAL', 'aws_secret_access_key'],
        blocked: ['FOO', 'path', 'GEMINI_CLI_FOO', 'GIT_CONFIG_COUNT'],
      },
      {},
      [...without(ENABLED, 'MY_TOKEN', 'DATABASE_URL', 'AWS_SECRET_ACCESS_KEY'), 'FOO', 'PATH'],
    ],
    ['GITHUB_SHA', {}, { GITHUB_SHA: 'abc', GITHUB_ENV: '/e' }, [...STRICT, 'GITHUB_SHA']],
    ['an empty GITHUB_SHA', {}, { GITHUB_SHA: '' }, []],
    ['SURFACE=Github', {}, { SURFACE: 'Github' }, [...STRICT, 'SURFACE']],
    ['SURFACE=github', {}, { SURFACE: 'github' }, []],
    [
      'GITHUB_SHA, with lists',
      { allowed: ['MY_TOKEN', 'FOO'], blocked: ['HOME'] },
      { GITHUB_SHA: 'abc' },
      [...without(STRICT, 'MY_TOKEN', 'FOO'), 'GITHUB_SHA', 'HOME'],
    ],
    ['a secret value in a name that is kept', { enabled: true }, { TITLE: HOST.GHT! }, [...ENABLED, 'TITLE']],
    ['a secret value under GEMINI_CLI_', { enabled: true }, { gemini_cli_x: HOST.GHT! }, ENABLED],
    ['a secret value under GIT_CONFIG_', { enabled: true }, { GIT_CONFIG_V: HOST.GHT! }, [...ENABLED, 'GIT_CONFIG_V']],
    ['a listed name that says nothing', { enabled: true }, { CLIENT_ID: 'x' }, [...ENABLED, 'CLIENT_ID']],
  ])('%s', (_, { enabled = false, allowed = [], blocked = [] }, extra, removed) => {
    const host = { ...HOST, ...extra };
    const made = sanitize(host, { enabled, allowed, blocked, strict: isStrict(host) });
    expect([...made.removed].sort()).toEqual([...removed].sort());
    expect(Object.keys(made.env)).toEqual(Object.keys(host).filter((name) => !removed.includes(name)));
  });

  it('leaves out what is not set', () => {
    const rules = { enabled: false, allowed: [], blocked: [], strict: false };
    expect(sanitize({ A: undefined, B: '' }, rules)).toEqual({ env: { B: '' }, removed: [] });
  });
});

describe('hookEnvironment', () => {
  const given = { cwd: '/w', sessionId: 's', plansDir: '/p' };
  const five = {
    GEMINI_PROJECT_DIR: '/w',
    GEMINI_PLANS_DIR: '/p',
    GEMINI_CWD: '/w',
    GEMINI_SESSION_ID: 's',
    CLAUDE_PROJECT_DIR: '/w',
  };

  it.each<[name: string, base: Record<string, string | undefined>, more: object, expected: Record<string, string>]>([
    ['adds five variables', { A: '1', B: undefined }, {}, { A: '1', ...five, SHLVL: '1' }],
    ["replaces the host's own", { GEMINI_CWD: '/outer' }, {}, { ...five, SHLVL: '1' }],
    [
      "puts the hook's env above and makes strings",
      { SHLVL: '2' },
      { hookEnv: { GEMINI_CWD: 'x', N: null, O: {}, L: [1, 'a'], I: 5, T: true, E: '' } },
      { ...five, GEMINI_CWD: 'x', N: 'null', O: '[object Object]', L: '1,a', I: '5', T: 'true', E: '', SHLVL: '2' },
    ],
    [
      'takes what cannot be made a string',
      {},
      { hookEnv: { O: { toString: 1 } } },
      { ...five, O: '[object Object]', SHLVL: '1' },
    ],
    [
      "puts an extension's settings above that",
      {},
      { hookEnv: { K: 'a' }, extensionEnv: { K: 'b' } },
      { ...five, K: 'b', SHLVL: '1' },
    ],
  ])('%s', (_, base, more, expected) => {
    expect(hookEnvironment(base, { ...given, ...more })).toEqual(expected);
  });

  it('keeps a variable called __proto__', () => {
    const hookEnv = JSON.parse('{"__proto__":"x"}');
    expect(Object.entries(hookEnvironment({}, { ...given, hookEnv }))).toContainEqual(['__proto__', 'x']);
  });

  it.each([
    [undefined, '1'],
    ['', '1'],
    ['0', '1'],
    ['00', '1'],
    ['-1', '1'],
    ['abc', '1'],
    ['1x', '1'],
    ['1', '1'],
    ['3', '3'],
    ['999', '999'],
    ['1000', '1'],
  ])('SHLVL %j becomes %j', (SHLVL, expected) => {
    expect(hookEnvironment({ SHLVL }, given).SHLVL).toBe(expected);
    expect(hookEnvironment({}, { ...given, hookEnv: SHLVL === undefined ? {} : { SHLVL } }).SHLVL).toBe(expected);
  });
});
