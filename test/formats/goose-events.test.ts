/** goose's payloads, what follows from them, and how hooks are started and spoken for. */

import { describe, expect, it } from 'vitest';
import type { Where } from '../../src/formats/format.ts';
import type { ChainOutcome } from '../../src/formats/goose/chain.ts';
import type { GooseHook } from '../../src/formats/goose/detail.ts';
import { goose } from '../../src/formats/goose/entry.ts';
import { eventKinds } from '../../src/formats/goose/events.ts';
import { categoryOf, derivedEvents, followUps } from '../../src/formats/goose/follow.ts';
import { format } from '../../src/formats/goose/index.ts';
import { edits, fill, readEvent } from '../../src/formats/goose/payload.ts';
import { sample } from '../../src/formats/goose/sample.ts';
import { start } from '../../src/formats/goose/start.ts';
import { denialCap, stopCountFile } from '../../src/formats/goose/stop-cap.ts';
import { memoryFs } from '../helpers/memory-fs.ts';

const filling = { cwd: '/w', uuid: () => 'id', now: () => 'now' };
const read = (payload: Record<string, unknown>) => readEvent(payload, JSON.stringify(payload));

describe('what a matcher is tested against', () => {
  it.each([
    [{ event: 'PreToolUse', tool_name: 'shell' }, 'shell'],
    [{ event: 'PreToolUse', tool_name: 'shell', matcher_context: 'edit' }, 'edit'],
    [{ event: 'PreToolUse', tool_name: 'shell', matcher_context: null }, null],
    [{ event: 'UserPromptSubmit', message: 'hi', tool_name: 'x' }, 'hi'],
    [{ event: 'BeforeShellExecution', tool_input: { command: 'ls' } }, 'ls'],
    [{ event: 'AfterFileEdit', tool_input: { path: '', file: 'b', file_path: 'c' } }, 'b'],
    [{ event: 'BeforeReadFile', tool_input: { path: 5 } }, null],
    [{ event: 'Stop', message: 'x' }, null],
    [{ event: 'PostToolUse' }, null],
  ])('%j', (payload, target) => expect(read({ session_id: 's', ...payload }).target).toBe(target));
});

describe('payloads', () => {
  it('missing base fields are filled in', () =>
    expect(fill({ event: 'PreToolUse', tool_name: 'shell' }, filling)).toEqual([
      [['session_id'], '"hookrun-id"'],
      [['matcher_context'], '"shell"'],
    ]));

  it('nothing that is there is touched, null neither', () =>
    expect(fill({ event: 'Stop', session_id: '', matcher_context: null }, filling)).toEqual([]));

  it('flags become fields', () =>
    expect(edits({ event: 'PreToolUse', tool: 'shell', toolInput: '{"a":1}', sessionId: 's', cwd: '/w' }, {})).toEqual([
      [['event'], '"PreToolUse"'],
      [['session_id'], '"s"'],
      [['tool_name'], '"shell"'],
      [['tool_input'], '{"a":1}'],
      [['working_dir'], '"/w"'],
    ]));

  it('a prompt is the message, on Stop the last answer', () => {
    expect(edits({ event: 'UserPromptSubmit', prompt: 'x' }, {})[1]).toEqual([['message'], '"x"']);
    expect(edits({ prompt: 'x' }, { event: 'Stop' })).toEqual([[['last_assistant_message'], '"x"']]);
  });

  it('a flag that changes what matchers see changes matcher_context with it', () => {
    const payload = sample('PreToolUse');
    expect(edits({ tool: 'write' }, payload)).toEqual([
      [['tool_name'], '"write"'],
      [['matcher_context'], '"write"'],
    ]);
    expect(edits({ sessionId: 'x' }, payload)).toEqual([[['session_id'], '"x"']]);
    expect(edits({ toolInput: '{"command":"ls"}' }, sample('BeforeShellExecution'))).toContainEqual([
      ['matcher_context'],
      '"ls"',
    ]);
  });

  it.each([
    [{ event: 5 }, 'event must be a string'],
    [{ event: 'PreToolUse', session_id: 5 }, 'session_id must be a string'],
    [{ event: 'PreToolUse', session_id: 's', tool_name: [] }, 'tool_name must be a string or null'],
    [{ event: 'PreToolUse', session_id: 's', policy_evaluated: 'x' }, 'policy_evaluated must be true or false'],
    [{ event: 'pretooluse', session_id: 's' }, 'did you mean PreToolUse'],
  ])('%j is refused', (payload, message) => expect(() => read(payload)).toThrow(message));

  it("samples are valid, in order and recognised as goose's", () => {
    for (const event of goose.events) {
      expect(read({ ...sample(event) })).toMatchObject({ name: event, canBlock: eventKinds[event]!.canBlock });
      expect(fill(sample(event), filling)).toEqual([]);
      const known = Object.keys(sample(event)).map((key) => format.fields.order.indexOf(key));
      expect(known).toEqual(known.toSorted((a, b) => a - b));
      expect(goose.recognise(sample(event)).score).toBe(2);
    }
    expect(goose.recognise({ event: 'PreToolUse' }).score).toBe(1);
    expect(goose.recognise({ event: 'BeforeTool', matcher_context: 'x' }).score).toBe(0);
  });

  it('a tool of another agent is named', () => {
    const event = read({ event: 'PreToolUse', session_id: 's', tool_name: 'Bash' });
    expect(format.inspect?.(event).map(({ code }) => code)).toEqual(['goose-foreign-tool-name']);
  });
});

const allow: ChainOutcome = { decision: 'allow', policy_evaluated: true };

describe('what follows PreToolUse', () => {
  const text =
    '{"event":"PreToolUse","session_id":"s","matcher_context":"other","x":1,"tool_call_id":"c","tool_name":"shell","tool_input":{"command":"\\u0061","n":1e400},"working_dir":"/w"}';
  const event = readEvent(JSON.parse(text), text);

  it('is its result, with the fields of the call to the byte and no others', () => {
    const [next] = followUps(event, allow);
    expect(next?.text).toBe(
      '{"event":"PreToolUseResult","session_id":"s","matcher_context":"shell","tool_call_id":"c","tool_name":"shell","tool_input":{"command":"\\u0061","n":1e400},"working_dir":"/w","decision":"allow","policy_evaluated":true}',
    );
    expect(next).toMatchObject({
      name: 'PreToolUseResult',
      target: 'shell',
      canBlock: false,
      sessionId: 's',
      cwd: '/w',
    });
  });

  it('says who denied, why and on what ground', () => {
    const denied: ChainOutcome = {
      decision: 'deny',
      reason: 'no',
      plugin: 'p',
      policy_evaluated: false,
      cause: 'hook_failure',
    };
    expect(followUps(event, denied)[0]?.payload).toMatchObject({
      decision: 'deny',
      blocked_by: 'p',
      reason: 'no',
      cause: 'hook_failure',
    });
    expect(followUps(event, { ...allow, cause: 'hook_failure' })[0]?.payload).not.toHaveProperty('reason');
  });

  it('nothing follows anything else', () => expect(followUps({ ...event, name: 'PostToolUse' }, allow)).toEqual([]));
});

describe('derived events', () => {
  const from = (event: string, tool: string, input: unknown): [string, string | null][] =>
    derivedEvents(
      read({ event, session_id: 's', tool_call_id: 'c', tool_name: tool, tool_input: input, working_dir: '/w' }),
    ).map((one) => [one.name, one.target]);

  it.each<[string, string, unknown, [string, string][]]>([
    ['PreToolUse', 'shell', { command: 'ls' }, [['BeforeShellExecution', 'ls']]],
    ['PreToolUse', 'remote__exec', { command: 'ls' }, [['BeforeShellExecution', 'ls']]],
    ['PreToolUse', 'fs__read_file', { file_path: 'a' }, [['BeforeReadFile', 'a']]],
    ['PreToolUse', 'write', { path: 'a' }, []],
    ['PostToolUse', 'shell', { command: 'ls' }, [['AfterShellExecution', 'ls']]],
    ['PostToolUse', 'edit', { path: 'a' }, [['AfterFileEdit', 'a']]],
    ['PostToolUse', 'fs__read_file', { path: 'a' }, []],
    ['PostToolUseFailure', 'shell', { command: 'ls' }, []],
    ['PreToolUse', 'shell', {}, []],
    ['PreToolUse', 'shell', null, []],
    ['PostToolUse', 'edit', { path: '' }, []],
    ['PreToolUse', 'todo__todo_write', { path: 'a' }, []],
  ])('%s of %s with %j', (event, tool, input, derived) => expect(from(event, tool, input)).toEqual(derived));

  it('carry the tool and the folder, not the call', () => {
    const [next] = derivedEvents(read({ ...sample('PreToolUse') }));
    expect(next?.text).toBe(
      '{"event":"BeforeShellExecution","session_id":"20260801_1","matcher_context":"cargo test","tool_name":"shell","tool_input":{"command":"cargo test"},"working_dir":"/home/dev/project"}',
    );
  });

  it('the category is that of the last part of the name', () => {
    expect(['a__b__shell', 'shell__x', 'bash', 'view', 'patch', 'constructor'].map(categoryOf)).toEqual([
      'shell',
      undefined,
      'shell',
      'read',
      'write',
      undefined,
    ]);
  });
});

describe('the limit on denials of Stop', () => {
  const stop = read({ ...sample('Stop'), session_id: '../../x' });

  it('is what the user says, else the variable, else 8', () => {
    expect(denialCap(stop, 3, { GOOSE_STOP_HOOK_BLOCK_CAP: '5' })?.cap).toBe(3);
    expect(denialCap(stop, undefined, { GOOSE_STOP_HOOK_BLOCK_CAP: '5' })?.cap).toBe(5);
    expect(denialCap(stop, undefined, { GOOSE_STOP_HOOK_BLOCK_CAP: 'x' })?.cap).toBe(8);
    expect(denialCap(stop, undefined, {})?.cap).toBe(8);
  });

  it('is kept for a session, under a name that no session id can turn into a path', () => {
    expect(denialCap(stop, undefined, {})?.file).toMatch(/^goose-stop-[0-9a-f]{32}$/);
    expect(stopCountFile('a')).not.toBe(stopCountFile('b'));
  });

  it('no other event has one', () => expect(denialCap(read({ ...sample('PreToolUse') }), 3, {})).toBeUndefined());
});

describe('starting a hook', () => {
  const hook = (command: string, root = '/plugins/p'): GooseHook => ({
    name: 'p:PreToolUse#1.1',
    event: 'PreToolUse',
    command,
    timeoutMs: 1000,
    source: { scope: 'project', path: `${root}/hooks/hooks.json`, key: 'hooks.PreToolUse[0].hooks[0]' },
    detail: { plugin: 'p', root, onFailure: 'allow', first: true },
  });
  const where: Where = {
    project: '/w',
    home: '/h',
    cwd: '/c',
    env: { A: '1', PLUGIN_ROOT: '/from/host', API_TOKEN: 'x', GONE: undefined },
    fs: memoryFs({}),
    platform: 'linux',
    explicit: [],
  };
  const wish = { env: 'engine', extraEnv: { HOOKRUN_DEPTH: '1' } } as const;

  it('is sh in the project, with the whole environment and PLUGIN_ROOT', () =>
    expect(start(hook('${PLUGIN_ROOT}/run $PLUGIN_ROOT ${PLUGIN_ROOT:-x}'), where, wish)).toMatchObject({
      file: 'sh',
      args: ['-c', '/plugins/p/run $PLUGIN_ROOT ${PLUGIN_ROOT:-x}'],
      env: { A: '1', PLUGIN_ROOT: '/plugins/p', API_TOKEN: 'x', HOOKRUN_DEPTH: '1' },
      cwd: '/w',
      stdio: 'pipes',
      problems: [],
    }));

  it('a path with special characters never becomes code, and that is a difference', () => {
    const started = start(hook('bash ${PLUGIN_ROOT}/run', '/p/x; touch y'), where, wish);
    expect(started.args[1]).not.toContain('touch');
    expect(Object.values(started.env)).toContain('/p/x; touch y');
    expect(started.problems.map(({ code }) => code)).toEqual(['engine-differs']);
    expect(start(hook('bash "${PLUGIN_ROOT}/run"', '/p/with space'), where, wish).problems).toEqual([]);
  });

  it('--env sanitized keeps secrets back', () => {
    const started = start(hook('true'), where, { env: 'sanitized', extraEnv: {} });
    expect(started.removedEnv).toEqual(['API_TOKEN']);
    expect(started.env).not.toHaveProperty('API_TOKEN');
  });
});

describe('speaking as one hook', () => {
  const spoken = (more: object) =>
    format.speak({ event: undefined, ruling: 'allow', reason: '', effects: {}, native: {}, failed: false, ...more });

  it.each([
    [{}, { stdout: '', stderr: '', code: 0 }],
    [
      { ruling: 'deny', reason: 'no' },
      { stdout: '', stderr: 'no\n', code: 2 },
    ],
    [
      { ruling: 'deny', reason: 'no', failed: true },
      { stdout: '', stderr: 'no\n', code: 2 },
    ],
    [
      { failed: true, reason: 'broken' },
      { stdout: '', stderr: 'broken\n', code: 1 },
    ],
    [
      { event: { name: 'SessionStart' }, effects: { banners: ['a', 'b'] } },
      { stdout: '{"banner":"a\\nb"}\n', stderr: '', code: 0 },
    ],
  ])('%j', (more, said) => expect(spoken(more)).toEqual(said));
});
