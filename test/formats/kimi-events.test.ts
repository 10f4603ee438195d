/** Kimi Code's payloads, matchers and starts, rule by rule (Kimi protocol, Matching, stdin, Running). */

import { describe, expect, it } from 'vitest';
import { HookrunError } from '../../src/errors.ts';
import { diskFs } from '../../src/file-system.ts';
import type { StartWish, Where } from '../../src/formats/format.ts';
import { kimi } from '../../src/formats/kimi/entry.ts';
import { format } from '../../src/formats/kimi/index.ts';
import { createRegexBudget } from '../../src/regex.ts';
import type { Hook, HookEvent } from '../../src/types.ts';
import { readEvent } from '../helpers/read-event.ts';

const read = (name: string, more: object = {}): HookEvent =>
  readEvent(format, { hook_event_name: name, ...more }, '{}');
const parts = [
  { type: 'text', text: 'one' },
  { type: 'image_url', imageUrl: { url: 'data:,' } },
  { type: 'text', text: 'two' },
];

describe('what matchers are tested against', () => {
  it.each([
    ['PreToolUse', { tool_name: 'Bash' }, 'Bash'],
    ['PostToolUse', { tool_name: 'Bash' }, 'Bash'],
    ['PostToolUseFailure', { tool_name: 'Bash' }, 'Bash'],
    ['PermissionRequest', { tool_name: 'Bash' }, 'Bash'],
    ['PermissionResult', { tool_name: 'Bash' }, 'Bash'],
    ['UserPromptSubmit', { prompt: 'text' }, 'text'],
    ['UserPromptSubmit', { prompt: parts }, 'one two'],
    ['UserPromptQueued', { prompt: parts }, 'one two'],
    ['TurnStarted', { origin_kind: 'user', prompt: 'x' }, 'user'],
    ['SessionStart', { source: 'resume' }, 'resume'],
    ['SessionEnd', { reason: 'exit' }, 'exit'],
    ['SubagentStart', { agent_name: 'coder' }, 'coder'],
    ['SubagentStop', { agent_name: 'coder' }, 'coder'],
    ['TaskStarted', { kind: 'process' }, 'process'],
    ['StopFailure', { error_type: 'E' }, 'E'],
    ['PreCompact', { trigger: 'auto' }, 'auto'],
    ['PostCompact', { trigger: 'auto' }, 'auto'],
    ['Notification', { notification_type: 'task.completed' }, 'task.completed'],
    ['Stop', {}, null],
    ['Interrupt', { reason: 'cancelled' }, null],
    ['SessionHeartbeat', {}, null],
    ['PreToolUse', {}, ''],
  ])('%s %j', (name, more, target) => {
    expect(read(name, more).target).toBe(target);
  });

  it('only three events can be blocked', () => {
    expect(kimi.events.filter((name) => read(name).canBlock)).toEqual(['PreToolUse', 'UserPromptSubmit', 'Stop']);
  });
});

describe('a field of a wrong type', () => {
  it.each([
    ['PreToolUse', { tool_name: 7 }, 'tool_name must be a string, but it is the number 7'],
    ['PreToolUse', { tool_input: 'ls' }, 'tool_input must be an object, but it is the string "ls"'],
    ['PreToolUse', { session_title: null }, 'session_title must be a string, but it is null'],
    ['PostToolUse', { tool_output: {} }, 'tool_output must be a string, but it is an object'],
    [
      'PostToolUseFailure',
      { error: { retryable: 1 } },
      'error.retryable must be true or false, but it is the number 1',
    ],
    ['UserPromptSubmit', { prompt: 7 }, 'prompt must be a list of content parts, or a string, but it is the number 7'],
    [
      'UserPromptSubmit',
      { prompt: [{ type: 'text', text: 7 }] },
      'prompt[0].text must be a string, but it is the number 7',
    ],
    [
      'UserPromptSubmit',
      { prompt: [...parts, { type: 'text' }] },
      'prompt[3].text must be a string, but it is missing',
    ],
    ['UserPromptQueued', { prompt: [7] }, 'prompt[0] must be an object, but it is the number 7'],
    [
      'UserPromptQueued',
      { prompt: [{ type: 'image_url', imageUrl: {} }] },
      'prompt[0].imageUrl.url must be a string, but it is missing',
    ],
    ['TurnStarted', { prompt: [] }, 'prompt must be a string, but it is an array'],
    ['Stop', { cwd: [] }, 'cwd must be a string, but it is an array'],
    ['TaskStarted', { started_at: 'now' }, 'started_at must be a number, but it is the string "now"'],
  ])('%s %j', (name, more, message) => {
    expect(() => read(name, more)).toThrow(message);
    expect(() => read(name, more)).toThrow(HookrunError);
  });

  it('is the payload that is wrong, and so is an unknown event', () => {
    expect(() => read('Stop', { cwd: 1 })).toThrow(expect.objectContaining({ kind: 'payload' }));
    expect(() => read('stop')).toThrow(
      expect.objectContaining({ kind: 'payload', message: expect.stringContaining('did you mean Stop?') }),
    );
    expect(() => format.readEvent({ hook_event_name: 7 }, '')).toThrow('hook_event_name must be a string');
  });
});

it('every sample is a payload of its event, recognised as one', () => {
  for (const name of kimi.events) {
    const payload = format.sample(name);
    expect(format.readEvent(payload, '').name).toBe(name);
    expect(kimi.recognise(payload).score).toBe(2);
  }
  expect(kimi.recognise({ hook_event_name: 'PreToolUse' }).score).toBe(1);
  expect(kimi.recognise({ hook_event_name: 'BeforeTool', client_type: 'x' }).score).toBe(0);
  expect(kimi.recognise({}).score).toBe(0);
});

describe('flags', () => {
  const { edits, fill } = format.fields;
  it('a prompt is content parts, but plain text on TurnStarted and SubagentStart', () => {
    const asParts = [[['prompt'], '[{"type":"text","text":"hi"}]']];
    expect(edits({ prompt: 'hi' }, { hook_event_name: 'UserPromptSubmit' })).toEqual(asParts);
    expect(edits({ prompt: 'hi' }, {})).toEqual(asParts);
    expect(edits({ prompt: 'hi' }, { hook_event_name: 'TurnStarted' })).toEqual([[['prompt'], '"hi"']]);
    expect(edits({ prompt: 'hi', event: 'SubagentStart' }, { hook_event_name: 'UserPromptSubmit' })).toContainEqual([
      ['prompt'],
      '"hi"',
    ]);
  });

  it('give the fields that Kimi Code has for them', () => {
    const flags = {
      event: 'PreToolUse',
      tool: 'Bash',
      toolInput: '{"a":1}',
      toolResponse: '"out"',
      sessionId: 's',
      cwd: '/p',
    };
    expect(edits(flags, {})).toEqual([
      [['hook_event_name'], '"PreToolUse"'],
      [['session_id'], '"s"'],
      [['cwd'], '"/p"'],
      [['tool_name'], '"Bash"'],
      [['tool_input'], '{"a":1}'],
      [['tool_output'], '"out"'],
    ]);
  });

  it('base fields that are missing are filled in', () => {
    const filling = { cwd: '/here', uuid: () => 'u', now: () => '' };
    expect(fill({}, filling)).toEqual([
      [['session_id'], '"session_u"'],
      [['cwd'], '"/here"'],
      [['client_type'], '"kimi_code_cli"'],
    ]);
    expect(fill({ session_id: 's', cwd: '', client_type: 'x' }, filling)).toEqual([]);
  });
});

const hookWith = (more: Partial<Hook>): Hook => ({
  name: 'config:PreToolUse#1',
  event: 'PreToolUse',
  command: 'x',
  timeoutMs: 30_000,
  source: { scope: 'user', path: '/c', key: 'hooks[0]' },
  detail: {},
  ...more,
});

describe('matchers', () => {
  const answer = (matcher: string | undefined, tool = 'Bash') =>
    format.matches(hookWith({ matcher }), read('PreToolUse', { tool_name: tool }), createRegexBudget());
  it.each([
    [undefined, 'match', []],
    ['', 'match', []],
    ['as', 'match', []],
    ['^Bash$', 'match', []],
    ['Write|Bash', 'match', []],
    ['.*', 'match', []],
    ['bash', 'no match', ['kimi-tool-name']],
    ['^Bas$', 'no match', []],
    [' ', 'no match', []],
    ['*', 'no match', ['matcher-invalid']],
    ['Bash(', 'no match', ['matcher-invalid']],
    ['(?i)bash', 'no match', ['matcher-invalid']],
    ['(?P<t>Bash)', 'no match', ['matcher-invalid']],
    ['(?i:bash)', 'match', ['matcher-newer-syntax']],
    ['Shell|WriteFile', 'no match', ['kimi-tool-name']],
    ['run_shell_command', 'no match', ['kimi-tool-name']],
    ['^mcp__github__', 'no match', []],
    ['write_file|Write', 'no match', []],
    ['(a+)+$|^(B|Ba|a|s|h)*X', 'no match', []],
  ])('%j', (matcher, kind, codes) => {
    const { kind: found, problems = [] } = answer(matcher);
    expect(found).toBe(kind);
    expect(problems.map((problem) => problem.code)).toEqual(codes);
  });

  it('one that does not come to an end keeps its hook from running, as a failure', () => {
    const found = answer('(a|aa)+$(?<!b)\\1', `${'a'.repeat(5_000)}!`);
    expect(found).toMatchObject({ kind: 'off', off: { why: 'invalid' } });
  });

  it('an event without a value has an empty one', () => {
    const on = (matcher: string) => format.matches(hookWith({ matcher }), read('Stop'), createRegexBudget()).kind;
    expect([on('^$'), on('.'), on('')]).toEqual(['match', 'no match', 'match']);
  });
});

describe('a start', () => {
  const where: Where = {
    project: '/project',
    home: '/h',
    cwd: '/here',
    env: { A: '1', API_TOKEN: 't', GONE: undefined },
    fs: diskFs,
    platform: 'linux',
    explicit: [],
  };
  const wish: StartWish = { env: 'engine', extraEnv: {} };
  const plugin = { plugin: { root: '/plugins/a', home: '/data' } };
  it('is sh in the payload folder, with the whole environment', () => {
    expect(format.start(hookWith({ command: 'a "b"' }), read('Stop', { cwd: '/p' }), where, wish)).toEqual({
      file: '/bin/sh',
      args: ['-c', 'a "b"'],
      shown: 'a "b"',
      env: { A: '1', API_TOKEN: 't' },
      cwd: '/p',
      stdio: 'sockets',
      graceMs: 100,
      removedEnv: [],
      problems: [],
    });
  });

  it("of a plugin's hook is in the plugin's folder, with two variables more", () => {
    const start = format.start(hookWith({ detail: plugin }), read('Stop', { cwd: '/p' }), where, {
      env: 'engine',
      extraEnv: { X: 'y' },
    });
    expect(start).toMatchObject({
      cwd: '/plugins/a',
      env: { KIMI_CODE_HOME: '/data', KIMI_PLUGIN_ROOT: '/plugins/a', X: 'y', A: '1' },
    });
  });

  it('without a cwd is in the project, and can be sanitized', () => {
    const start = format.start(hookWith({}), read('Stop', { cwd: '' }), where, { env: 'sanitized', extraEnv: {} });
    expect(start).toMatchObject({ cwd: '/project', env: { A: '1' }, removedEnv: ['API_TOKEN'] });
    expect(Object.keys(start.env)).toEqual(['A']);
  });

  it.each([
    ['echo {{tool_input.command}}', ['kimi-template']],
    ['echo "$TOOL_INPUT"', ['kimi-foreign-variable']],
    ['sh "$CLAUDE_PROJECT_DIR/x.sh"', ['kimi-foreign-variable']],
    ["docker ps --format '{{.Names}}'", []],
    ['TOOL_INPUT=$(cat); echo "$TOOL_INPUT"', []],
    ['echo "$A"', []],
  ])('says what of %j means nothing here', (command, codes) => {
    const { problems } = format.start(hookWith({ command }), read('Stop'), where, wish);
    expect(problems.map((problem) => problem.code)).toEqual(codes);
  });

  it('the same command runs once in one place', () => {
    const key = (command: string, detail: unknown = {}) => format.duplicateKey(hookWith({ command, detail }));
    expect(key('x')).toBe(key('x'));
    expect(new Set([key('x'), key('x '), key('x', plugin)]).size).toBe(3);
  });
});
