/** How Kimi Code reads one run and puts several together (Kimi protocol, Reading one run, What a block does). */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format } from '../../src/formats/kimi/index.ts';
import { judge as judgeRun } from '../../src/judge.ts';
import { countsAs } from '../../src/policy.ts';
import type { Exit, Hook, HookEvent, HookRun, Outcome, Start } from '../../src/types.ts';

const eventOf = (name: string): HookEvent =>
  format.readEvent({ hook_event_name: name, session_id: 's', cwd: '/p' }, '{}');

const hook: Hook = {
  name: 'config:PreToolUse#1',
  event: 'PreToolUse',
  command: 'x',
  timeoutMs: 30_000,
  source: { scope: 'user', path: '/c', key: 'hooks[0]' },
  detail: {},
};

function runOf(exit: Exit | number, stdout: string | Buffer = '', stderr = '', more: Partial<HookRun> = {}): HookRun {
  return {
    exit: typeof exit === 'number' ? { kind: 'exited', code: exit } : exit,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
    durationMs: 1,
    held: false,
    interrupted: false,
    ...more,
  };
}

const judge = (run: HookRun, event = 'PreToolUse') => format.judge(run, hook, eventOf(event));
const codes = (run: HookRun): string[] => (judge(run).problems ?? []).map((problem) => problem.code);

const deny = '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}';
const timedOut: Exit = { kind: 'timed-out', afterMs: 1000, by: 'timeout' };
const killed: Exit = { kind: 'signalled', signal: 'SIGKILL' };

describe('a block', () => {
  it.each([
    ['exit 2', runOf(2, 'ignored', ' why \n'), 'why'],
    ['exit 2 without a word', runOf(2), 'Blocked by PreToolUse hook'],
    ['exit 2 with blank stderr', runOf(2, '', ' \n\t'), 'Blocked by PreToolUse hook'],
    ['exit 2 and JSON that allows', runOf(2, '{"message":"fine"}', 'why'), 'why'],
    ['exit 0 and a deny', runOf(0, deny), 'no'],
    ['a byte order mark before it', runOf(0, `\uFEFF${deny}`), 'no'],
    ['white space around it', runOf(0, `\n ${deny} \r\n`), 'no'],
    ['a reason that is padded', runOf(0, deny.replace('no', ' no ')), 'no'],
    ['a reason that is no string', runOf(0, deny.replace('"no"', '7'), 'stderr'), 'Blocked by PreToolUse hook'],
    [
      'the last of two equal keys',
      runOf(0, '{"hookSpecificOutput":1,"hookSpecificOutput":{"permissionDecision":"deny"}}'),
      'Blocked by PreToolUse hook',
    ],
    ['a deny before a timeout', runOf(timedOut, deny), 'no'],
    ['a deny before death by a signal', runOf(killed, deny), 'no'],
    ['a deny, and then too much on stderr', runOf({ kind: 'output-limit' }, deny), 'no'],
    ['exit 2 after too much output', runOf({ kind: 'output-limit', code: 2 }, 'x', 'why'), 'why'],
    ['exit 2 while hookrun was told to end', runOf(2, '', 'why', { interrupted: true }), 'why'],
  ])('%s', (_, run, reason) => {
    expect(judge(run)).toMatchObject({ kind: 'deny', reason });
    expect(judge(run).failure).toBeUndefined();
  });

  it('that the engine loses is a row of the table of differences', () => {
    for (const run of [runOf(timedOut, deny), runOf(killed, deny)])
      expect(judge(run)).toMatchObject({ differs: ['kimi-early-deny'], reading: { action: 'allow' } });
    expect(judge(runOf(0, deny)).differs).toBeUndefined();
  });
});

describe('a deny to which something that was left running has added', () => {
  const polluted = `${deny}x\nx\n`;

  it.each<[string, HookRun, string]>([
    ['before the hook ended, and it still held the output', runOf(0, polluted, '', { held: true }), 'kimi-late-output'],
    [
      'before the hook ended and after',
      runOf(0, polluted, '', { early: { stdout: deny.length + 2, stderr: 0 } }),
      'kimi-late-output',
    ],
    ['before the time was up', runOf(timedOut, polluted), 'kimi-early-deny'],
  ])('%s, counts', (_, run, row) =>
    expect(judge(run)).toMatchObject({ kind: 'deny', reason: 'no', differs: [row], reading: { action: 'allow' } }),
  );

  it.each([
    ['where only the hook itself can have written', runOf(0, polluted)],
    ['where it is not the first', runOf(0, `x\n${deny}`, '', { held: true })],
    ['with another exit code', runOf(1, polluted, '', { held: true })],
  ])('does not count %s', (_, run) => expect(judge(run).kind).toBe('no-decision'));
});

describe('an allow', () => {
  it.each([
    ['silence', runOf(0)],
    ['plain text', runOf(0, 'hello')],
    ['a message', runOf(0, '{"message":"hi"}')],
    ['a JSON string', runOf(0, '"deny"')],
    ['a list without a decision', runOf(0, '[1]')],
    ['text in braces later on', runOf(0, 'see {this}')],
    ['a log line in brackets', runOf(0, '[info] ok')],
  ])('%s', (_, run) => {
    expect(judge(run)).toMatchObject({ kind: 'allow', problems: [] });
  });
});

describe('no decision', () => {
  it.each([
    ['exit 1', runOf(1, '', 'broke'), 'exit-code'],
    ['exit 3 with a deny', runOf(3, deny), 'exit-code'],
    ['exit 126', runOf(126), 'exit-code'],
    ['exit 127', runOf(127), 'exit-code'],
    ['a timeout', runOf(timedOut, 'half a {', 'why'), 'timed-out'],
    ['a timeout whose trap exits with 2', runOf({ ...timedOut, code: 2 }, '', 'why'), 'timed-out'],
    ['death by a signal', runOf(killed, '', 'why'), 'signalled'],
    ['a hook that could not start', runOf({ kind: 'not-started', why: 'no folder' }), 'not-started'],
    ['too much output', runOf({ kind: 'output-limit', code: 0 }, 'xxx'), 'output-limit'],
    ['JSON that does not parse', runOf(0, '{"a":'), 'broken-output'],
    ['a trailing comma', runOf(0, deny.replace('}}', '},}')), 'broken-output'],
    ['a line end inside a string', runOf(0, deny.replace('no', 'a\nb')), 'broken-output'],
    ['text before a deny', runOf(0, `checking\n${deny}`), 'broken-output'],
    ['two lines of JSON', runOf(0, `{"message":"a"}\n${deny}`), 'broken-output'],
    ['a deny in a list', runOf(0, `[${deny}]`), 'broken-output'],
    ['text after a deny', runOf(0, `${deny}\ndone`), 'broken-output'],
    [
      'text before a deny of several lines',
      runOf(0, `x\n${JSON.stringify(JSON.parse(deny), undefined, 1)}`),
      'broken-output',
    ],
  ])('%s', (_, run, kind) => {
    expect(judge(run)).toMatchObject({ kind: 'no-decision', failure: { kind } });
  });

  it('a deny that is written only after the timeout comes too late', () => {
    const run = runOf(timedOut, `${deny}`, '', { early: { stdout: 0, stderr: 0 } });
    expect(judgeRun(run, hook, eventOf('PreToolUse'), format).verdict.kind).toBe('no-decision');
  });
});

describe('warnings about output', () => {
  const print = (value: unknown): HookRun => runOf(0, JSON.stringify(value));
  it.each([
    ['decision block', print({ decision: 'block', reason: 'x' }), ['kimi-foreign-block']],
    ['decision deny', print({ decision: 'deny' }), ['kimi-foreign-block']],
    ['continue false', print({ continue: false }), ['kimi-foreign-block']],
    ['ask', print({ hookSpecificOutput: { permissionDecision: 'ask' } }), ['kimi-foreign-block']],
    ['DENY', print({ hookSpecificOutput: { permissionDecision: 'DENY' } }), ['kimi-foreign-block']],
    ['permissionDecision at the top', print({ permissionDecision: 'deny' }), ['kimi-foreign-block']],
    ['updatedInput', print({ hookSpecificOutput: { updatedInput: {} } }), ['kimi-foreign-output']],
    ['additionalContext', print({ hookSpecificOutput: { additionalContext: 'x' } }), ['kimi-foreign-output']],
    ['systemMessage', print({ systemMessage: 'x' }), ['kimi-foreign-output']],
    ['a deny with exit 1', runOf(1, deny), ['kimi-deny-ignored']],
    ['a deny on stderr', runOf(0, '', deny), ['kimi-deny-on-stderr']],
    ['text before a deny', runOf(0, `x\n${deny}`), ['kimi-deny-lost']],
    ["a deny that sh's echo broke", runOf(0, deny.replace('no', 'a\tb')), ['kimi-deny-lost']],
    ['JSON that does not parse', runOf(0, '{"message":}'), ['kimi-output-broken-json']],
    ['a syntax error of the shell', runOf(2, '', '/bin/sh: 1: Syntax error: "(" unexpected'), ['exit-2-by-shell']],
    ['/dev/stdin', runOf(2, '', '/bin/sh: 1: cannot open /dev/stdin: No such device or address'), ['socket-stdio']],
    ['a plain deny', runOf(0, deny), []],
    ['permissionDecision allow', print({ hookSpecificOutput: { permissionDecision: 'allow' } }), []],
    ['decision approve', print({ decision: 'approve' }), []],
    ['a real reason', runOf(2, '', 'rm is not allowed'), []],
  ])('%s', (_, run, expected) => {
    expect(codes(run)).toEqual(expected);
  });
});

const start: Start = {
  file: 'sh',
  args: [],
  shown: '',
  env: {},
  cwd: '/',
  stdio: 'sockets',
  graceMs: 1,
  removedEnv: [],
  problems: [],
};

function outcomesOf(runs: readonly HookRun[], event: HookEvent, onFailure: 'native' | 'block' = 'native'): Outcome[] {
  return runs.map((run) => {
    const judged = judgeRun(run, hook, event, format);
    return { hook, start, run, ...judged, counts: countsAs(judged.verdict, onFailure) };
  });
}

const mergeOf = (name: string, runs: readonly HookRun[], ruling: 'allow' | 'deny') =>
  format.merge(outcomesOf(runs, eventOf(name)), eventOf(name), ruling, 'parallel');

describe('several hooks', () => {
  it('the first block gives reason and message', () => {
    const merged = mergeOf('PreToolUse', [runOf(0), runOf(2, '', 'one'), runOf(0, deny)], 'deny');
    expect(merged).toMatchObject({ reason: 'one', message: 'one', engineRuling: 'deny' });
    expect(merged.native).toMatchObject({
      block: { block: true, reason: 'one' },
      userPrompt: { append: null, block: null },
    });
  });

  it('a prompt is blocked with the message, and the reason stays the reason', () => {
    const output = JSON.stringify({ message: ' shown ', ...JSON.parse(deny) });
    expect(mergeOf('UserPromptSubmit', [runOf(0, 'context'), runOf(0, output)], 'deny')).toMatchObject({
      reason: 'no',
      message: 'shown',
      effects: {},
      native: { userPrompt: { append: null, block: { message: 'shown' } } },
    });
  });

  it('what hooks with exit 0 say is appended to the prompt', () => {
    const merged = mergeOf(
      'UserPromptSubmit',
      [runOf(0, ' a \n'), runOf(1, 'lost'), runOf(0, '{"message":"b"}'), runOf(0, '{"x":1}')],
      'allow',
    );
    expect(merged.effects.appendedContext).toBe(
      ['a', 'b', '{"x":1}']
        .map((text) => `<hook_result hook_event="UserPromptSubmit">\n${text}\n</hook_result>`)
        .join('\n'),
    );
    expect(merged.native).toMatchObject({ userPrompt: { append: { message: 'a\n\nb\n\n{"x":1}' } } });
  });

  it('elsewhere nothing is appended, and a block is computed but not used', () => {
    const merged = mergeOf('PostToolUse', [runOf(0, 'text'), runOf(2, '', 'late')], 'allow');
    expect(merged).toMatchObject({ reason: undefined, message: undefined, effects: {}, engineRuling: 'allow' });
    expect(merged.native).toMatchObject({ block: { block: true, reason: 'late' } });
  });

  it('a failure that counts as a denial says what failed', () => {
    const event = eventOf('Stop');
    const merged = format.merge(outcomesOf([runOf(timedOut)], event, 'block'), event, 'deny', 'parallel');
    expect(merged).toMatchObject({ reason: 'timed out after 1000 ms', engineRuling: 'allow', native: { block: null } });
  });
});

describe('acting as one hook', () => {
  const speak = (ruling: 'allow' | 'deny', reason: string, message?: string) => {
    const append = message === undefined ? null : { message, text: '' };
    const native = { results: [], block: null, userPrompt: { append, block: null } };
    return format.speak({ event: undefined, ruling, reason, effects: {}, native, failed: false });
  };
  it.each([
    ['a block', speak('deny', 'why'), { stdout: '', stderr: 'why\n', code: 2 }],
    ['an allow', speak('allow', ''), { stdout: '', stderr: '', code: 0 }],
    ['context', speak('allow', '', 'a\n\nb'), { stdout: 'a\n\nb', stderr: '', code: 0 }],
    [
      'context that looks like JSON',
      speak('allow', '', deny),
      { stdout: JSON.stringify({ message: deny }), stderr: '', code: 0 },
    ],
  ])('%s', (_, said, expected) => {
    expect(said).toEqual(expected);
  });
});

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const snippets = fc.constantFrom(
  deny,
  '{"decision":"block"}',
  '{',
  '[',
  '"',
  '\n',
  '\uFEFF',
  'hookSpecificOutput',
  '"decision"',
  '}',
  'x',
);
const output = fc.oneof(
  bytes,
  fc.array(snippets, { maxLength: 6 }).map((parts) => Buffer.from(parts.join(''))),
  fc.json().map((text) => Buffer.from(text)),
);
const anyExit = fc.oneof(
  fc.nat(255).map((code): Exit => ({ kind: 'exited', code })),
  fc.constantFrom<Exit>(
    timedOut,
    { ...timedOut, code: 2 },
    killed,
    { kind: 'output-limit' },
    { kind: 'output-limit', code: 2 },
    { kind: 'not-started', why: 'w' },
  ),
);
const anyRun = fc
  .record({ exit: anyExit, stdout: output, stderr: output, cut: fc.boolean(), interrupted: fc.boolean() })
  .map(
    ({ exit, stdout, stderr, cut, interrupted }): HookRun => ({
      ...runOf(exit, stdout),
      stderr,
      interrupted,
      ...(cut ? { early: { stdout: stdout.length >> 1, stderr: stderr.length >> 1 } } : {}),
    }),
  );
const anyEvent = fc.constantFrom('PreToolUse', 'UserPromptSubmit', 'Stop', 'Notification').map(eventOf);

describe('whatever the bytes', () => {
  it('reading and merging never throw, and native is plain JSON', () => {
    fc.assert(
      fc.property(
        fc.array(anyRun, { maxLength: 4 }),
        anyEvent,
        fc.constantFrom('allow', 'deny'),
        (runs, event, ruling) => {
          const outcomes = outcomesOf(runs, event);
          const merged = format.merge(outcomes, event, ruling as 'allow', 'parallel');
          expect(JSON.parse(JSON.stringify(merged.native))).toEqual(merged.native);
          format.speak({
            event,
            ruling: ruling as 'allow',
            reason: '',
            effects: merged.effects,
            native: merged.native,
            failed: false,
          });
        },
      ),
    );
  });

  it('a denial that was stated is never lost', () => {
    const spaces = fc.constantFrom('', ' ', '\n', '\uFEFF', '\r\n');
    const ended = fc.constantFrom<Exit>({ kind: 'exited', code: 0 }, timedOut, killed, { kind: 'output-limit' });
    fc.assert(
      fc.property(spaces, spaces, ended, output, fc.boolean(), output, (before, after, exit, stderr, isEarly, late) => {
        const stated = Buffer.from(before + deny + after);
        const stdout = isEarly ? Buffer.concat([stated, late]) : stated;
        const early = isEarly ? { early: { stdout: stated.length, stderr: 0 } } : {};
        const run: HookRun = { ...runOf(exit, stdout), stderr, ...early };
        expect(judgeRun(run, hook, eventOf('PreToolUse'), format).verdict).toMatchObject({
          kind: 'deny',
          reason: 'no',
        });
      }),
    );
    fc.assert(
      fc.property(output, output, (stdout, stderr) => {
        expect(judge({ ...runOf(2, stdout), stderr }).kind).toBe('deny');
      }),
    );
  });
});
