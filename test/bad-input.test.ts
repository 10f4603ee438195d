/** What people and programs hand in by mistake: each gets its own words, one document on stdout and its exit code. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Decision, decisionSchema } from '../src/decision-schema.ts';
import type { ReadOnlyFs } from '../src/file-system.ts';
import { main } from '../src/main.ts';
import type { Env } from '../src/types.ts';
import { definition, settingsOf, whereOf } from './helpers/gemini.ts';
import { temporaryFolder, testWorld } from './helpers/world.ts';

const root = temporaryFolder('hookrun-bad-input-');
afterAll(() => root.remove());

const project = join(root.path, 'project');
mkdirSync(join(project, '.gemini'), { recursive: true });
const home = join(root.path, 'home');
mkdirSync(home);

/** Something below the scratch folder; a test of its own never shares one with another. */
let made = 0;
function put(text: string | Buffer): string {
  const path = join(root.path, `file-${made++}.json`);
  writeFileSync(path, text);
  return path;
}

interface Called {
  readonly code: number;
  readonly decision: Decision;
  readonly stdout: string;
  readonly stderr: string;
}

interface World {
  /** null: a terminal. */
  readonly stdin?: string | Buffer | null;
  readonly env?: Env;
  readonly fs?: ReadOnlyFs;
  readonly cwd?: string;
}

const env: Env = { PATH: process.env['PATH'], HOME: home, SHLVL: '1', GEMINI_CLI_TRUST_WORKSPACE: 'true' };

async function call(args: readonly string[], given: World = {}): Promise<Called> {
  const { stdin = validPayload } = given;
  const { world, stdout, stderr } = testWorld({
    cwd: given.cwd ?? project,
    home,
    stdin: stdin === null ? undefined : stdin,
    env: { ...env, ...given.env },
    ...(given.fs === undefined ? {} : { fs: given.fs }),
  });
  const code = await main(args, world);
  const out = stdout();
  if (args.includes('hook')) return { code, decision: {} as Decision, stdout: out, stderr: stderr() };
  // One document in one line: whatever else stood there would break the program that reads it.
  expect(out.match(/\n/g)?.length, out).toBe(1);
  return { code, decision: decisionSchema.strict().parse(JSON.parse(out)), stdout: out, stderr: stderr() };
}

const base = { session_id: 's', transcript_path: '', cwd: project, hook_event_name: 'BeforeTool', timestamp: 't' };
const payloadOf = (fields: object): string => JSON.stringify({ ...base, ...fields });
const validPayload = payloadOf({ tool_name: 'write_file', tool_input: { a: 1 } });

/** `--config` with one hook that hands back what it got. */
const echo = put(JSON.stringify({ hooks: { BeforeTool: [definition([{ name: 'echo', command: 'cat' }])] } }));

/** A mistake, and what is said about it: exit code, code of the error, part of its message. */
type Row = [
  what: string,
  args: readonly string[],
  given: World,
  exit: number,
  code: string,
  message: string | RegExp,
  place?: object,
];

const gemini = ['--format', 'gemini'];
const stdinRow = (
  what: string,
  stdin: string | Buffer,
  code: string,
  message: string | RegExp,
  place: object = {},
): Row => [what, gemini, { stdin }, 65, code, message, place];

const fieldRow = (at: string, fields: object, expected: string, found: string): Row =>
  stdinRow(`${at} is ${found}`, payloadOf(fields), 'payload-field', `${at} must be ${expected}, but it is ${found}`, {
    key: at,
  });

const model = (request: object) => ({ hook_event_name: 'BeforeModel', llm_request: request });
const tooDeep = '['.repeat(20_000);

const payloads: Row[] = [
  stdinRow('empty', '', 'payload-empty', 'empty', { path: 'stdin' }),
  stdinRow('blank', ' \r\n\t', 'payload-empty', 'empty'),
  stdinRow('a byte order mark alone', '\uFEFF', 'payload-empty', 'empty'),
  stdinRow('a word', 'hello', 'payload-not-json', 'an unknown word', { path: 'stdin', line: 1, column: 1 }),
  stdinRow('JSON with a fault', '{\n  "a": 1,\n  "b": x\n}', 'payload-not-json', 'unknown word', {
    line: 3,
    column: 8,
  }),
  stdinRow('a trailing comma', '{"a":1,}', 'payload-not-json', 'trailing comma', { line: 1, column: 8 }),
  stdinRow('cut off', '{"a":"b', 'payload-not-json', 'does not end', { line: 1 }),
  stdinRow('a comment', '{"a":1} // x', 'payload-not-json', 'comments are not allowed', { line: 1, column: 9 }),
  stdinRow('two documents', '{"a":1}\n{"b":2}', 'payload-not-json', 'follows the end', { line: 2, column: 1 }),
  stdinRow('single quotes', "{'a':1}", 'payload-not-json', 'not valid JSON', { line: 1, column: 2 }),
  stdinRow('NaN', '{"a":NaN}', 'payload-not-json', 'unknown word', { line: 1, column: 6 }),
  stdinRow('a control character', '{"a":"\u0001"}', 'payload-not-json', 'control character'),
  stdinRow('unclosed and deep', tooDeep, 'payload-not-json', 'nested too deeply'),
  stdinRow('an array', '[]', 'payload-not-object', 'it is an array'),
  stdinRow('null', 'null', 'payload-not-object', 'it is null'),
  stdinRow('a number', '5', 'payload-not-object', 'it is the number 5'),
  stdinRow('a string', '"{}"', 'payload-not-object', 'it is the string "{}"'),
  stdinRow('true', ' true ', 'payload-not-object', 'it is the boolean true'),
  stdinRow('bytes that are no UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), 'payload-not-utf8', '(at byte 6)'),
  stdinRow('half a surrogate pair', Buffer.from('22eda08022', 'hex'), 'payload-not-utf8', '(at byte 1)'),
  stdinRow('a character that is cut off', Buffer.from('7b22c3', 'hex'), 'payload-not-utf8', '(at byte 2)'),
  stdinRow('UTF-16', Buffer.from('\uFEFF{"a":1}', 'utf16le'), 'payload-not-utf8', '(at byte 0)'),
  stdinRow('UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le'), 'payload-not-json', 'not valid JSON', {
    line: 1,
  }),
  stdinRow(
    'an unknown event',
    payloadOf({ hook_event_name: 'PreToolUse' }),
    'event-unknown',
    '"PreToolUse" is no event',
  ),
  stdinRow('an event in lower case', payloadOf({ hook_event_name: 'beforetool' }), 'event-unknown', 'mean BeforeTool?'),
  fieldRow('hook_event_name', { hook_event_name: 5 }, 'a string', 'the number 5'),
  fieldRow('session_id', { session_id: 5 }, 'a string', 'the number 5'),
  fieldRow('cwd', { cwd: null }, 'a string', 'null'),
  fieldRow('timestamp', { timestamp: {} }, 'a string', 'an object'),
  fieldRow('tool_name', { tool_name: ['x'] }, 'a string', 'an array'),
  fieldRow('tool_input', { tool_input: 'x' }, 'an object', 'the string "x"'),
  fieldRow('tool_input', { tool_input: [1] }, 'an object', 'an array'),
  fieldRow('tool_input', { tool_input: null }, 'an object', 'null'),
  fieldRow('mcp_context.args[1]', { mcp_context: { args: ['a', 2] } }, 'a string', 'the number 2'),
  fieldRow('mcp_context.args', { mcp_context: { args: 'a b' } }, 'an array', 'the string "a b"'),
  fieldRow('tool_response', { hook_event_name: 'AfterTool', tool_response: 'x' }, 'an object', 'the string "x"'),
  fieldRow('llm_request.messages[0].role', model({ messages: [{ role: 5 }] }), 'a string', 'the number 5'),
  fieldRow('llm_request.messages[1]', model({ messages: [{}, 'hi'] }), 'an object', 'the string "hi"'),
  fieldRow('llm_request.messages', model({ messages: {} }), 'an array', 'an object'),
  fieldRow('llm_request.config.temperature', model({ config: { temperature: 'hot' } }), 'a number', 'the string "hot"'),
  fieldRow(
    'llm_request.messages[0].content',
    model({ messages: [{ content: 5 }] }),
    'text or a list of parts',
    'the number 5',
  ),
  fieldRow('llm_request', model('x' as unknown as object), 'an object', 'the string "x"'),
  fieldRow(
    'llm_response.candidates[0].finishReason',
    { hook_event_name: 'AfterModel', llm_response: { candidates: [{ finishReason: true }] } },
    'a string',
    'the boolean true',
  ),
  fieldRow(
    'stop_hook_active',
    { hook_event_name: 'AfterAgent', stop_hook_active: 'yes' },
    'true or false',
    'the string "yes"',
  ),
  fieldRow('prompt', { hook_event_name: 'BeforeAgent', prompt: [] }, 'a string', 'an array'),
  fieldRow('source', { hook_event_name: 'SessionStart', source: 1 }, 'a string', 'the number 1'),
  fieldRow('details', { hook_event_name: 'Notification', details: [] }, 'an object', 'an array'),
];

const flagRow = (args: readonly string[], code: string, message: string | RegExp, exit = 64): Row => [
  args.join(' '),
  [...gemini, ...args],
  {},
  exit,
  code,
  message,
];

const flags: Row[] = [
  flagRow(['--nope'], 'usage-invalid', "unknown option '--nope'"),
  flagRow(['--on-failur=block'], 'usage-invalid', '--on-failur'),
  flagRow(['-x'], 'usage-invalid', "unknown option '-x'"),
  flagRow(['stray'], 'usage-stray', '"stray" is no command of hookrun'),
  flagRow(['--timeout', '5'], 'usage-invalid', 'a number with a unit'),
  flagRow(['--timeout', '5 s'], 'usage-invalid', 'a number with a unit'),
  flagRow(['--timeout', '-5s'], 'usage-invalid', 'a number with a unit'),
  flagRow(['--timeout', '1e3ms'], 'usage-invalid', 'a number with a unit'),
  flagRow(['--timeout', '.5s'], 'usage-invalid', 'a number with a unit'),
  flagRow(['--timeout', '5d'], 'usage-invalid', 'a number with a unit'),
  flagRow(['--timeout', ''], 'usage-invalid', 'a number with a unit'),
  flagRow(['--deadline', 'soon'], 'usage-invalid', 'a number with a unit'),
  flagRow(['--timeout'], 'usage-invalid', 'argument missing'),
  flagRow(['--jobs', '0'], 'usage-invalid', 'from 1 to 99999'),
  flagRow(['-j', 'many'], 'usage-invalid', 'from 1 to 99999'),
  flagRow(['--on-failure', 'blok'], 'usage-invalid', 'native, allow, block'),
  flagRow(['--env', 'all'], 'usage-invalid', 'engine, sanitized, inherit'),
  flagRow(['-o', 'xml'], 'usage-invalid', 'json, hook'),
  flagRow(['-f', 'claude'], 'usage-invalid', 'gemini'),
  flagRow(['--parallel', '--sequential'], 'usage-invalid', '--sequential'),
  flagRow(['--set', 'tool_input'], 'usage-invalid', '<path>=<value>'),
  flagRow(['--set', '=1'], 'usage-invalid', '<path>=<value>'),
  flagRow(['--tool-input', '{bad'], 'flag-value', '--tool-input "{bad" is not valid: expected JSON'),
  flagRow(['--tool-input', ''], 'flag-value', '--tool-input "" is not valid'),
  flagRow(['--tool-response', 'ok'], 'flag-value', '--tool-response "ok" is not valid'),
  flagRow(['-i', `@${put('{bad')}`], 'flag-value', '--tool-input'),
  flagRow(['--event', 'Nope'], 'event-unknown', '"Nope" is no event of Gemini CLI'),
  flagRow(['-e', 'beforetool'], 'event-unknown', 'did you mean BeforeTool?'),
  flagRow(['--scope', 'user,projct'], 'flag-value', '--scope "projct" is not valid: expected one of'),
  flagRow(['--tool-input', '@none.json'], 'file-unreadable', 'no such file', 66),
  flagRow(['--prompt', '@.'], 'file-unreadable', 'it is a folder', 66),
  flagRow(['--payload', 'none.json'], 'file-unreadable', 'no such file', 66),
  flagRow(['--payload', '.'], 'file-unreadable', 'it is a folder', 66),
  flagRow(['--config', 'none.json'], 'file-unreadable', 'no such file', 66),
  flagRow(['--config', '.'], 'file-unreadable', 'it is a folder', 66),
  flagRow(['--project', 'none'], 'file-unreadable', 'no such folder', 66),
  flagRow(['--project', echo], 'file-unreadable', 'no such folder', 66),
];

const nothing: Row[] = [
  ['a terminal and no payload', gemini, { stdin: null }, 64, 'payload-none', 'no payload'],
  ['a payload without an event', gemini, { stdin: '{}' }, 64, 'event-missing', 'no hook_event_name'],
  [
    'an empty name of the event',
    gemini,
    { stdin: payloadOf({ hook_event_name: '' }) },
    64,
    'event-missing',
    'no hook_event_name',
  ],
  [
    'no event at all, for any agent',
    [],
    { stdin: '{"a":1}' },
    64,
    'format-unclear',
    'it has no hook_event_name and no event',
  ],
  ["an event that is no agent's", [], { stdin: '{"event":"x"}' }, 65, 'format-unclear', 'no agent has an event "x"'],
  ['an event that many have', [], { stdin: '{"hook_event_name":"SessionStart"}' }, 64, 'format-unclear', 'not clear'],
  [
    'a path beyond a list',
    [...gemini, '--set', 'tool_input.a.2=x'],
    { stdin: payloadOf({ tool_input: { a: [1] } }) },
    64,
    'payload-path',
    "--set tool_input.a.2 can't be done",
  ],
  [
    'a payload file that is none',
    ['-p', echo, ...gemini],
    {},
    64,
    'event-missing',
    'no hook_event_name',
    { path: echo },
  ],
];

const fifo = join(root.path, 'fifo');
execFileSync('mkfifo', [fifo]);
const huge = put('{}');
truncateSync(huge, 16 * 1024 * 1024 + 1);
const denied = whereOf({
  [`${project}/.gemini/settings.json`]: { unreadable: 'denied' },
  '/s.json': { unreadable: 'denied' },
}).fs;

const configRow = (
  what: string,
  path: string,
  exit: number,
  code: string,
  message: string | RegExp,
  place = {},
): Row => [what, [...gemini, '--config', path], {}, exit, code, message, { path, ...place }];
const configs: Row[] = [
  configRow('a trailing comma', put('{\n  "hooks": {},\n}'), 78, 'gemini-settings-syntax', 'trailing comma', {
    line: 3,
    column: 1,
  }),
  configRow(
    'a fault behind a comment',
    put('// a\n{"hooks": /* b */ x}'),
    78,
    'gemini-settings-syntax',
    'unknown word',
    { line: 2, column: 19 },
  ),
  configRow('empty', put(''), 78, 'gemini-settings-syntax', 'it is empty'),
  configRow('unclosed and deep', put(tooDeep), 78, 'gemini-settings-syntax', 'nested too deeply'),
  configRow('a list', put('[]'), 78, 'gemini-settings-not-object', 'an array'),
  configRow('null', put('null'), 78, 'gemini-settings-not-object', 'null'),
  configRow('a string', put('"hooks"'), 78, 'gemini-settings-not-object', 'the string "hooks"'),
  configRow('a FIFO', fifo, 66, 'file-unreadable', 'not a regular file'),
  configRow('too large', huge, 66, 'file-unreadable', 'larger than 16 MiB'),
  ['without permission', [...gemini, '--config', '/s.json'], { fs: denied }, 66, 'file-unreadable', 'denied'],
  ["the project's without permission", gemini, { fs: denied }, 66, 'file-unreadable', 'denied'],
];

const all = [...payloads, ...flags, ...nothing, ...configs];

describe.concurrent('a mistake', () => {
  it.each(all)('%s', async (_, args, given, exit, code, message, place = {}) => {
    const { code: exitCode, decision, stderr } = await call(args, given);
    expect(decision.error, stderr).toMatchObject({ code, exit, ...place });
    expect(exitCode).toBe(exit);
    expect(decision.decision).toBeNull();
    if (typeof message === 'string') expect(decision.error?.message).toContain(message);
    else expect(decision.error?.message).toMatch(message);
    expect(decision.hooks).toBeUndefined();
    // The person at the terminal reads the same, with its place.
    expect(stderr).toContain(`[${code}]`);
    if (typeof message === 'string') expect(stderr.replaceAll('\n', ' ')).toContain(message);
    const { path, line, column } = place as { path?: string; line?: number; column?: number };
    if (path !== undefined) expect(stderr).toContain(path);
    if (column !== undefined) expect(stderr).toContain(`:${line}:${column}`);
  });

  it.each(all)('with --on-failure block is a denial: %s', async (_, args, given, exit, code) => {
    // A mistyped flag must not be a way past it, wherever it stands.
    const before = await call(['--on-failure', 'block', ...args.filter((arg) => arg !== 'blok')], given);
    if (args.includes('blok')) return;
    expect(before.code, before.stderr).toBe(2);
    expect(before.decision).toMatchObject({ decision: 'deny', cause: 'hook_failure', error: { code, exit } });
    expect(before.decision.reason).toBe(`hookrun could not decide: ${before.decision.error?.message}`);
  });

  it.each(all)('with -o hook denies in the agent’s own words: %s', async (_, args, given) => {
    const { code, stdout, stderr } = await call(
      [...args.filter((arg) => arg !== '-o' && arg !== 'xml'), '--output', 'hook'],
      given,
    );
    if (args.includes('xml')) return;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr.trim()).not.toBe('');
  });

  it.each(all.slice(0, 5))('is told even with --quiet: %s', async (_, args, given, __, code) => {
    expect((await call([...args, '--quiet'], given)).stderr).toContain(`[${code}]`);
  });

  it('of the policy itself leaves the policy as it is', async () => {
    expect(await call([...gemini, '--on-failure', 'blok'])).toMatchObject({ code: 64, decision: { decision: null } });
  });

  it.each<[args: string[], exit: number]>([
    [['--on-failure=block', '--nope'], 2],
    [['--nope', '--on-failure', 'block'], 2],
    [['--on-failure', 'native', '--on-failure', 'block', '--nope'], 2],
    [['--on-failure', 'block', '--on-failure', 'allow', '--nope'], 64],
    [['--on-failure', 'block', '--on-failure', 'allow', '--config', 'none.json'], 66],
    [['--on-failure', 'block', '--on-failure', 'blok'], 2],
    [['--on-failure', 'allow', '--nope'], 64],
  ])('the last policy counts: %j', async (args, exit) => {
    expect((await call([...gemini, ...args])).code).toBe(exit);
  });

  it.each<string[]>([
    ['-qohook'],
    ['-qo', 'hook'],
    ['-vnohook'],
    ['-ohook'],
    ['--output=hook'],
    ['-o', 'json', '-o', 'hook'],
  ])('is answered as a hook however that is written: %s %s', async (...args) => {
    const { world, stdout, stderr } = testWorld({ cwd: project, home, env, stdin: validPayload });
    expect(await main([...gemini, ...args.filter((arg) => arg !== undefined), '--nope'], world)).toBe(2);
    expect(stdout()).toBe('');
    expect(stderr()).toContain('--nope');
  });

  it('shows an example where there is no payload, and does not wait for one', async () => {
    const { stderr } = await call([], { stdin: null });
    expect(stderr).toContain('for example: hookrun --format gemini --event BeforeTool');
  });

  it.each([
    ['stdin', [] as string[]],
    ['a payload file', ['--payload', 'big.json']],
  ])('64 MiB are taken from %s, a byte more is not', async (_, args) => {
    const head = payloadOf({ tool_name: 'write_file' });
    const most = Buffer.alloc(64 * 1024 * 1024, ' ');
    most.write(head);
    const { world: taking, stdout } = testWorld({ cwd: project, home, env, stdin: most });
    const fs = {
      ...taking.fs,
      read: (path: string, limit: number) => (path.endsWith('big.json') ? most : taking.fs.read(path, limit)),
    };
    expect(await main([...gemini, ...args, '--config', echo], { ...taking, fs })).toBe(0);
    // White space goes, so the hook sees the few bytes that say something.
    expect((JSON.parse(stdout()) as Decision).hooks?.[0]?.stdout).toBe(head);

    const path = join(root.path, 'big.json');
    writeFileSync(path, '');
    truncateSync(path, 64 * 1024 * 1024 + 1);
    const asked: number[] = [];
    const { world, stdout: out } = testWorld({ cwd: root.path, home, env, stdin: '' });
    const stdin = {
      ...world.stdin,
      read: async (limit: number): Promise<Buffer> => {
        asked.push(limit);
        throw new RangeError('more than that');
      },
    };
    expect(await main([...gemini, ...args], { ...world, stdin })).toBe(65);
    expect((JSON.parse(out()) as Decision).error).toMatchObject({
      code: 'payload-too-large',
      message: 'the payload is larger than 64 MiB',
    });
    expect(asked).toEqual(args.length === 0 ? [64 * 1024 * 1024] : []);
  });
});

describe.concurrent('no mistake', () => {
  it.each<[what: string, stdin: string, seen?: string]>([
    ['a byte order mark', `\uFEFF${validPayload}`, validPayload],
    [
      'white space around and inside',
      ` \n${JSON.stringify(JSON.parse(validPayload), undefined, 2)}\r\n\t`,
      validPayload,
    ],
    ['a newline at the end', `${validPayload}\n`, validPayload],
    ['U+FFFD in the text', payloadOf({ tool_name: 'a\uFFFDb' })],
    ['unknown fields', payloadOf({ tool_name: 'x', extra: { a: [1, { b: null }] } })],
    ['keys of Object.prototype', payloadOf({ tool_input: { constructor: 1, toString: 'x' }, valueOf: [] })],
    ['__proto__', payloadOf({ tool_name: 'x' }).replace('}', ',"__proto__":{"tool_name":"y"}}')],
  ])('%s', async (_, stdin, seen = stdin) => {
    const { code, decision } = await call([...gemini, '--config', echo], { stdin });
    expect(code).toBe(0);
    expect(decision.hooks?.[0]?.stdout).toBe(seen);
  });

  it('a payload 10,000 levels deep', async () => {
    const deep = `${'['.repeat(10_000)}1${']'.repeat(10_000)}`;
    const stdin = payloadOf({ tool_name: 'x' }).replace('}', `,"tool_input":{"a":${deep}}}`);
    const { code, decision } = await call([...gemini, '--config', echo], { stdin });
    expect(code).toBe(0);
    expect(decision.hooks?.[0]?.stdout).toBe(stdin);
  });

  it.each<[where: string, settings: string]>([
    ['beside the hooks', '{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","name":"h","command":"true"}]}]},"x":@}'],
    [
      'in an env',
      '{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","name":"h","command":"true","env":{"A":@}}]}]}}',
    ],
    [
      'in a description',
      '{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","name":"h","command":"true","description":@}]}]}}',
    ],
    [
      'in a timeout',
      '{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","name":"h","command":"true","timeout":@}]}]}}',
    ],
  ])('settings 10,000 levels deep %s', async (where, settings) => {
    const text = settings.replace('@', `${'['.repeat(10_000)}1${']'.repeat(10_000)}`);
    // As the project's, so that the plans with and without it are compared as well.
    const fs = whereOf({ [`${project}/.gemini/settings.json`]: text, [`${home}/.gemini/settings.json`]: text }).fs;
    for (const args of [['--dry-run'], []]) {
      const { code, decision } = await call([...gemini, ...args], { fs, env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' } });
      expect(decision.hooks?.map((hook) => hook.name)).toEqual(['h']);
      expect(code).toBe(0);
      if (where === 'in a timeout') expect(decision.warnings?.map((one) => one.code)).toContain('gemini-timeout-odd');
    }
  });

  it.each<[what: string, entry: string, name: string]>([
    ['a command', '{"type":"command","command":@}', '[['],
    ['a name', '{"type":"command","name":@,"command":"true"}', 'an array'],
    ['a type', '{"type":@,"command":"true"}', 'true'],
    ['an invalid entry', '@', 'hooks.BeforeTool[0].hooks[0]'],
  ])('%s that is 10,000 levels deep is a mistake of that entry alone', async (_, entry, name) => {
    const odd = entry.replace('@', `${'['.repeat(10_000)}1${']'.repeat(10_000)}`);
    const config = put(`{"hooks":{"BeforeTool":[{"hooks":[${odd},{"type":"command","name":"ok","command":"true"}]}]}}`);
    const { decision } = await call([...gemini, '--config', config]);
    const [first, second] = [...(decision.skipped ?? []), ...(decision.hooks ?? [])];
    expect(first?.name.startsWith(name), first?.name.slice(0, 40)).toBe(true);
    expect(second).toMatchObject({ name: 'ok', verdict: 'allow' });
  });

  it('keys that stand twice: the last one counts, and the hook gets them all', async () => {
    const stdin = validPayload.replace('"tool_name":"write_file"', '"tool_name":"first","tool_name":"last"');
    const config = put(
      '{"hooks":{"BeforeTool":[]},"hooks":{"BeforeTool":[{"matcher":"last","hooks":[{"type":"command","command":"cat"}]}]}}',
    );
    const { decision } = await call([...gemini, '--config', config], { stdin });
    expect(decision.event?.target).toBe('last');
    expect(decision.hooks?.map((hook) => hook.stdout)).toEqual([stdin]);
  });

  it.each<[what: string, lay: (path: string) => void]>([
    ['no settings at all', () => {}],
    ['a link that leads nowhere', (path) => symlinkSync(join(root.path, 'nowhere'), path)],
  ])('%s', async (what, lay) => {
    const folder = join(root.path, what.replaceAll(' ', '-'));
    mkdirSync(join(folder, '.gemini'), { recursive: true });
    lay(join(folder, '.gemini', 'settings.json'));
    const { code, decision } = await call([...gemini, '--project', folder]);
    expect({ code, hooks: decision.hooks, decision: decision.decision }).toEqual({
      code: 0,
      hooks: [],
      decision: 'allow',
    });
    expect(decision.warnings).toEqual([]);
  });

  it('settings with comments and a link to them', async () => {
    const path = join(root.path, 'linked.json');
    symlinkSync(
      put('// mine\n{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "true" /* ok */}]}]}}'),
      path,
    );
    const { code, decision } = await call([...gemini, '--config', path]);
    expect({ code, names: decision.hooks?.map((hook) => hook.name) }).toEqual({ code: 0, names: ['true'] });
    expect(decision.hooks?.[0]?.source).toMatchObject({ path, line: 2, scope: 'explicit' });
  });
});

describe('a great many hooks', () => {
  const settings = (count: number): string =>
    put(
      JSON.stringify({
        hooks: {
          BeforeTool: Array.from({ length: count }, (_, index) =>
            definition([{ name: `h${index}`, command: 'true' }], {
              matcher: index === count - 1 ? '^write_file$' : `tool_${index}`,
            }),
          ),
        },
      }),
    );
  // Fewer where each one is listed with its line: what grows with the square is seen with these as well, and ends.
  it.each<[count: number, args: string[]]>([
    [100_000, []],
    [20_000, ['--verbose']],
  ])('%d run in a moment, and only those that match %j', async (count, args) => {
    const began = performance.now();
    const { code, decision } = await call([...gemini, '--config', settings(count), ...args]);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(code).toBe(0);
    expect(decision.hooks?.map((hook) => hook.name)).toEqual([`h${count - 1}`]);
    expect(decision.unmatched).toBe(count - 1);
    expect(decision.skipped?.length).toBe(args.length === 0 ? 0 : count - 1);
    expect(decision.skipped?.every((one) => one.why === 'matcher' && one.source?.line === 1)).toBe(true);
    expect(decision.warnings).toEqual([]);
  });
});

describe.concurrent('--strict', () => {
  const warned = put(
    JSON.stringify({ hooks: { PreToolUse: [], BeforeTool: [definition([{ command: 'touch ran' }])] } }),
  );

  it('makes an error of a warning about the configuration, before anything is started', async () => {
    const { code, decision } = await call([...gemini, '--config', warned, '--strict']);
    expect(code).toBe(78);
    expect(decision.error).toMatchObject({
      code: 'gemini-unknown-event',
      exit: 78,
      key: 'hooks.PreToolUse',
      path: warned,
    });
    expect(await call([...gemini, '--config', warned, '--strict', '--on-failure', 'block'])).toMatchObject({
      code: 2,
      decision: { decision: 'deny', error: { exit: 78 } },
    });
  });

  it('and without it is a warning', async () => {
    const { code, decision } = await call([...gemini, '--config', warned, '--dry-run']);
    expect(code).toBe(0);
    expect(decision.warnings?.map((one) => one.code)).toEqual(['gemini-unknown-event']);
  });

  it('does not mind settings that are right', async () => {
    expect((await call([...gemini, '--config', echo, '--strict'])).code).toBe(0);
  });
});

describe.concurrent('what a hook gets on stdin', () => {
  const seen = async (args: readonly string[], given: World = {}): Promise<string | undefined> => {
    const { decision, stderr } = await call([...gemini, '--config', echo, ...args], given);
    expect(decision.error, stderr).toBeUndefined();
    return decision.hooks?.[0]?.stdout;
  };

  const numbers =
    '{"a":1e400,"b":12345678901234567890,"c":1.0,"d":-0,"e":1E+2,"f":"\\u00e9\\/\\ud83d\\ude00","g":"\u00e9","z":1,"10":2,"9":3,"a":4}';
  const exact = payloadOf({ tool_name: 'x' }).replace('}', `,"tool_input":${numbers}}`);

  it('numbers, escapes, the order of keys and keys that stand twice stay to the byte', async () => {
    expect(await seen([], { stdin: exact })).toBe(exact);
    expect(await seen(['--tool', 'y'], { stdin: exact })).toBe(exact.replace('"tool_name":"x"', '"tool_name":"y"'));
    expect(await seen(['--tool-input', numbers], { stdin: validPayload })).toBe(
      validPayload.replace('{"a":1}', numbers),
    );
    expect(await seen(['-i', ` { "a" : 1e400 } `], { stdin: validPayload })).toBe(
      validPayload.replace('{"a":1}', '{"a":1e400}'),
    );
  });

  const at = (fields: object): string => payloadOf({ tool_name: 'x', ...fields });

  it.each<[args: string[], before: object, after: object]>([
    [['--tool', 'y'], {}, { tool_name: 'y' }],
    [['-t', ''], {}, { tool_name: '' }],
    [['--session-id', 'id "1"'], {}, { session_id: 'id "1"' }],
    [['--tool-input', '{"b":[1]}'], { tool_input: { a: 1 } }, { tool_input: { b: [1] } }],
    [['--tool-response', '{"ok":true}'], {}, { tool_response: { ok: true } }],
    [['--prompt', 'say "hi"\n'], {}, { prompt: 'say "hi"\n' }],
    [['--prompt', ''], {}, { prompt: '' }],
    [['--set', 'tool_input.a=2'], { tool_input: { a: 1, b: 1 } }, { tool_input: { a: 2, b: 1 } }],
    [['--set', 'a.b.c=1'], {}, { a: { b: { c: 1 } } }],
    [['--set', 'a.b.c=1'], { a: 'text' }, { a: { b: { c: 1 } } }],
    [['--set', 'tool_input.list.0=x'], { tool_input: { list: ['a', 'b'] } }, { tool_input: { list: ['x', 'b'] } }],
    [['--set', 'tool_input.list.2=x'], { tool_input: { list: ['a', 'b'] } }, { tool_input: { list: ['a', 'b', 'x'] } }],
    [['--set', 'tool_input.list.x=1'], { tool_input: { list: ['a'] } }, { tool_input: { list: { x: 1 } } }],
    [['--set', 'a=text'], {}, { a: 'text' }],
    [['--set', 'a="5"'], {}, { a: '5' }],
    [['--set', 'a='], {}, { a: '' }],
    [['--set', 'a=b=c'], {}, { a: 'b=c' }],
    [['--set', 'a=null'], {}, { a: null }],
    [['--set', 'a={"b":[true]}'], {}, { a: { b: [true] } }],
    [['--set', 'a={bad'], {}, { a: '{bad' }],
    [['--set', 'a.=1'], {}, { a: { '': 1 } }],
    [['--set', 'a..b=1'], {}, { a: { '': { b: 1 } } }],
    [['--set', 'a=1', '--set', 'a=2', '--set', 'b=3'], {}, { a: 2, b: 3 }],
    [['--tool', 'y', '--set', 'tool_name=z'], {}, { tool_name: 'z' }],
    [['--set', 'constructor.prototype.x=1'], {}, { constructor: { prototype: { x: 1 } } }],
  ])('%j over %j', async (args, before, after) => {
    expect(await seen(args, { stdin: at(before) })).toBe(at({ ...before, ...after }));
  });

  it('a path through __proto__ is a key like any other', async () => {
    const expected = at({}).replace(/}$/, ',"__proto__":{"x":1}}');
    expect(await seen(['--set', '__proto__.x=1'], { stdin: at({}) })).toBe(expected);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('from files', async () => {
    const json = put('{"b": 1e400}');
    const text = put('two\nlines');
    const got = await seen(['-i', `@${json}`, '--prompt', `@${text}`], { stdin: at({}) });
    expect(got).toBe(at({ prompt: 'two\nlines' }).replace('"prompt"', '"tool_input":{"b":1e400},"prompt"'));
    const payload = put(exact);
    expect(await seen(['-p', payload], { stdin: 'not looked at' })).toBe(exact);
    expect(await seen(['-p', '-'], { stdin: exact })).toBe(exact);
  });

  it('missing base fields are filled in behind, as the agent would', async () => {
    const got = await seen([], { stdin: '{"tool_name":"x","hook_event_name":"BeforeTool"}' });
    expect(got).toMatch(
      /^\{"tool_name":"x","hook_event_name":"BeforeTool","session_id":"hookrun-[0-9a-f-]{36}","transcript_path":"","cwd":/,
    );
    expect(JSON.parse(got!)).toMatchObject({ cwd: project, timestamp: '2026-01-02T03:04:05.678Z' });
  });

  it.each<[stdin: string | null]>([[null], [''], [' \n']])(
    'a payload of flags alone has the order of the agent (stdin %j)',
    async (stdin) => {
      const got = await seen(
        ['-e', 'BeforeTool', '-t', 'x', '-i', '{"a":1e400}', '--session-id', 's', '--set', 'z=1'],
        { stdin },
      );
      const { timestamp } = { timestamp: '2026-01-02T03:04:05.678Z' };
      const head = JSON.stringify({
        session_id: 's',
        transcript_path: '',
        cwd: project,
        hook_event_name: 'BeforeTool',
        timestamp,
      });
      expect(got).toBe(`${head.slice(0, -1)},"tool_name":"x","tool_input":{"a":1e400},"z":1}`);
    },
  );

  it('an empty field is not a missing one', async () => {
    const stdin = payloadOf({ session_id: '', timestamp: '', tool_name: '' });
    expect(await seen([], { stdin })).toBe(stdin);
  });

  it('--cwd is the payload’s, and where the hook runs', async () => {
    const config = put(
      JSON.stringify({ hooks: { BeforeTool: [definition([{ command: 'pwd; printf %s "$GEMINI_CWD"' }])] } }),
    );
    const { decision } = await call([...gemini, '--config', config, '--cwd', home]);
    expect(decision.hooks?.[0]?.stdout).toBe(`${home}\n${home}`);
  });

  it('a folder that does not exist leaves the current one as the project, with a warning', async () => {
    const gone = join(root.path, 'gone');
    const { decision } = await call(gemini, { stdin: payloadOf({ cwd: gone }) });
    expect(decision.warnings).toContainEqual(expect.objectContaining({ code: 'project-missing', path: gone }));
    const own = await call([...gemini, '--project', home], { stdin: payloadOf({ cwd: gone }) });
    expect(own.decision.warnings?.map(({ code }) => code)).not.toContain('project-missing');
  });

  it('a relative folder is one below where hookrun was started', async () => {
    const below = join(root.path, 'relative');
    mkdirSync(join(below, 'inner', '.gemini'), { recursive: true });
    writeFileSync(join(below, 'inner', '.gemini', 'settings.json'), JSON.stringify(settingsOf('BeforeTool', ['mine'])));
    const { decision } = await call([...gemini, '--dry-run'], { stdin: payloadOf({ cwd: './inner' }), cwd: below });
    expect(decision.hooks?.map((hook) => hook.name)).toEqual(['mine']);
  });
});
