/** One run of a goose hook: what the engine reads in it, and what hookrun makes of it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedChain, engineChain, modelMessage } from '../../src/formats/goose/chain.ts';
import type { GooseHook } from '../../src/formats/goose/detail.ts';
import { judge } from '../../src/formats/goose/judge.ts';
import { merge } from '../../src/formats/goose/merge.ts';
import { readEvent } from '../../src/formats/goose/payload.ts';
import { trim } from '../../src/formats/goose/rust-text.ts';
import { sample } from '../../src/formats/goose/sample.ts';
import { countsAs } from '../../src/policy.ts';
import type { Exit, HookEvent, HookRun, Outcome } from '../../src/types.ts';

const hook = (onFailure: 'allow' | 'block' = 'allow', plugin = 'p'): GooseHook => ({
  name: `${plugin}:PreToolUse#1.1`,
  event: 'PreToolUse',
  command: 'secret-command',
  timeoutMs: 1000,
  source: { scope: 'user', path: '/home/dev/hooks.json', key: 'hooks.PreToolUse[0].hooks[0]' },
  detail: { plugin, root: '/plugins/p', onFailure, first: true },
});

const eventOf = (name: string, more: object = {}): HookEvent => {
  const payload = { ...sample(name), ...more };
  return readEvent(payload, JSON.stringify(payload));
};
const pre = eventOf('PreToolUse');
const long = eventOf('PreToolUse', { tool_input: { command: 'x'.repeat(70_000) } });

const exited = (code: number): Exit => ({ kind: 'exited', code });
const killed: Exit = { kind: 'signalled', signal: 'SIGKILL' };
const timedOut: Exit = { kind: 'timed-out', afterMs: 1000, by: 'timeout' };
const notStarted: Exit = { kind: 'not-started', why: 'sh was not found on PATH' };

const run = (exit: Exit, stdout: string | Buffer = '', stderr: string | Buffer = '', unread = 0): HookRun => ({
  exit,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
  durationMs: 1,
  held: false,
  interrupted: false,
  unread,
});

/** In short: `allow`, `deny <reason>`, `failure <kind>: <text>`; `!` before what the engine itself does not read. */
function said(one: HookRun, event = pre): string {
  const verdict = judge(one, hook(), event);
  const marks = (verdict.differs ?? []).map((id) => `!${id} `).join('');
  if (verdict.failure !== undefined) return `${marks}failure ${verdict.failure.kind}: ${verdict.failure.text}`;
  return verdict.kind === 'deny' ? `${marks}deny ${verdict.reason}` : `${marks}${verdict.kind}`;
}

const block = '{"decision":"block","reason":"no"}';
const undecided = 'failure broken-output: the hook exited 0 without an allow or block decision on stdout';
const notRun = 'the hook command failed to run';

describe('reading a run on PreToolUse', () => {
  it.each<[string, HookRun, string]>([
    ['nothing', run(exited(0)), 'allow'],
    ['white space as Rust has it', run(exited(0), ' \u0085\u00a0\u2028\n'), 'allow'],
    ['a byte order mark alone', run(exited(0), '\uFEFF'), undecided],
    ['an allow', run(exited(0), '{"decision":"allow"}'), 'allow'],
    [
      'an allow with exit 1',
      run(exited(1), '{"decision":"allow"}'),
      'failure exit-code: the hook exited with status 1 and no usable decision',
    ],
    ['a block', run(exited(0), block), 'deny no'],
    ['a block with exit 7', run(exited(7), block), 'deny no'],
    ['a block before a signal', run(killed, block), 'deny no'],
    ['a padded reason', run(exited(0), '{"decision":"block","reason":"  x \\n"}'), 'deny   x \n'],
    ['no reason', run(exited(0), '{"decision":"block"}'), 'deny denied by plugin hook'],
    ['a reason of null', run(exited(0), '{"decision":"block","reason":null}'), 'deny denied by plugin hook'],
    ['a reason of a wrong type', run(exited(0), '{"decision":"block","reason":5}'), undecided],
    ['another case', run(exited(0), '{"decision":"Block"}'), undecided],
    ['an array', run(exited(0), `[${block}]`), undecided],
    ['a line before', run(exited(0), `log\n${block}`), undecided],
    ['a line after', run(exited(0), `${block}\nlog`), undecided],
    [
      'huge numbers and 300 levels elsewhere',
      run(exited(0), `{"a":1e999,"b":${'['.repeat(300)}${']'.repeat(300)},"decision":"block"}`),
      'deny denied by plugin hook',
    ],
    ['exit 2', run(exited(2), '{"decision":"allow"}', ' why \n'), 'deny why'],
    ['exit 2 without a word', run(exited(2), block), 'deny denied by plugin hook'],
    [
      'exit 2 and bytes that are no UTF-8',
      run(exited(2), Buffer.from([0xff]), Buffer.from([0x61, 0xff])),
      'deny a\uFFFD',
    ],
    ['no UTF-8', run(exited(0), Buffer.from([0xff])), 'failure broken-output: the hook wrote invalid UTF-8 to stdout'],
    [
      'no UTF-8 and exit 3',
      run(exited(3), Buffer.from([0xff])),
      'failure broken-output: the hook wrote invalid UTF-8 to stdout',
    ],
    ['a signal', run(killed), 'failure signalled: the hook was terminated by a signal'],
    ['a timeout', run(timedOut), `failure timed-out: ${notRun}`],
    ['no start', run(notStarted), `failure not-started: ${notRun}`],
    ['too much output', run({ kind: 'output-limit', code: 0 }, 'x'), `failure output-limit: ${notRun}`],
  ])('%s', (_, one, expected) => expect(said(one)).toBe(expected));

  it.each<[string, HookRun, string]>([
    ['a mark before it', run(exited(0), `\uFEFF${block}`), '!goose-formality deny no'],
    ['a mark after white space', run(exited(0), ` \uFEFF ${block}`), '!goose-formality deny no'],
    [
      'decision twice',
      run(exited(0), '{"decision":"block","decision":"allow"}'),
      '!goose-formality deny denied by plugin hook',
    ],
    [
      'decision twice, of two types',
      run(exited(0), '{"decision":5,"decision":"block"}'),
      '!goose-formality deny denied by plugin hook',
    ],
    ['reason twice', run(exited(0), '{"decision":"block","reason":"a","reason":"b"}'), '!goose-formality deny b'],
    [
      'half a pair in the reason',
      run(exited(0), '{"decision":"block","reason":"x\\ud800"}'),
      '!goose-formality deny x\uFFFD',
    ],
    [
      'half a pair in a key',
      run(exited(0), '{"decision":"block","\\ud800":1}'),
      '!goose-formality deny denied by plugin hook',
    ],
    ['a timeout after it', run(timedOut, block), '!goose-lost-deny deny no'],
    ['a timeout after exit 2', run({ ...timedOut, code: 2 }, '', 'why'), '!goose-lost-deny deny why'],
    ['the end of patience with its output', run({ kind: 'output-limit' }, block), '!goose-lost-deny deny no'],
    ['both', run(timedOut, `\uFEFF${block}`), '!goose-lost-deny !goose-formality deny no'],
  ])('a denial that goose loses counts: %s', (_, one, expected) => expect(said(one)).toBe(expected));

  it('an allow twice decides nothing', () => {
    expect(said(run(exited(0), '{"decision":"allow","decision":"allow"}'))).toBe(undecided);
    expect(said(run(exited(0), '\uFEFF{"decision":"allow"}'))).toBe(undecided);
  });
});

describe('a payload that was not read', () => {
  const undelivered = 'failure undelivered: the hook did not receive the request payload';

  it('up to 64 KiB counts as delivered', () => expect(said(run(exited(0), '', '', 200))).toBe('allow'));

  it('beyond that, any byte left makes a failure of whatever the hook gave', () => {
    expect(said(run(exited(0), '', '', 70_100), long)).toBe(undelivered);
    expect(said(run(exited(3), 'x', '', 70_100), long)).toBe(undelivered);
    expect(said(run(exited(0), Buffer.from([0xff]), '', 70_100), long)).toBe(undelivered);
  });

  it('where goose would still have written it all, that is a difference', () =>
    expect(said(run(exited(0), '', '', 1000), long)).toBe(`!goose-undelivered ${undelivered}`));

  it('but for a denial', () => {
    expect(said(run(exited(2), '', 'no', 70_100), long)).toBe('deny no');
    expect(said(run(exited(5), block, '', 70_100), long)).toBe('deny no');
  });

  it('is said with what to do', () => {
    const verdict = judge(run(exited(0), '', '', 70_100), hook('block'), long);
    expect(verdict.problems?.map(({ code }) => code)).toEqual(['goose-unread-payload']);
    expect(verdict.onFailure).toBe('block');
    expect(verdict.reading).toEqual({
      says: 'failure',
      reason: 'the hook did not receive the request payload',
      evaluated: true,
    });
  });
});

describe('other events', () => {
  const post = eventOf('PostToolUse', { tool_input: { command: 'x'.repeat(70_000) } });

  it.each<[string, HookRun, string]>([
    ['stray text', run(exited(0), 'hello'), 'allow'],
    ['bytes that are no UTF-8', run(exited(0), Buffer.from([0xff])), 'allow'],
    ['an unread payload', run(exited(0), '', '', 70_100), 'allow'],
    ['exit 3', run(exited(3)), 'failure exit-code: the hook exited with status 3 and no usable decision'],
    ['a signal', run(killed), 'failure signalled: the hook was terminated by a signal'],
    ['a timeout', run(timedOut), `failure timed-out: ${notRun}`],
    ['what it says is still shown', run(exited(2), '', 'no'), 'deny no'],
  ])('%s', (_, one, expected) => expect(said(one, post)).toBe(expected));

  it('on_failure is for PreToolUse alone', () => {
    expect(judge(run(exited(3)), hook('block'), eventOf('Stop')).onFailure).toBeUndefined();
    expect(judge(run(exited(3)), hook('block'), pre).onFailure).toBe('block');
  });
});

describe('answers in another dialect', () => {
  it.each([
    '{"decision":"deny","reason":"x"}',
    '{"permissionDecision":"deny"}',
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}',
    '{"continue":false}',
  ])('%s is named', (output) => {
    const codes = judge(run(exited(0), output), hook(), pre).problems?.map(({ code }) => code);
    expect(codes).toEqual(['goose-foreign-dialect']);
  });

  it('not in a plain allow', () =>
    expect(judge(run(exited(0), '{"decision":"allow"}'), hook(), pre).problems).toEqual([]));

  it('an exit 2 that reads like the failure of a shell stands, with a warning', () => {
    const verdict = judge(run(exited(2), '', 'sh: 0: cannot open guard.sh: No such file'), hook(), pre);
    expect(verdict.kind).toBe('deny');
    expect(verdict.problems?.map(({ code }) => code)).toEqual(['exit-2-by-shell']);
  });
});

describe('a block to which something that was left running has added', () => {
  const polluted = run(exited(0), `${block}x\nx\n`);

  it.each<[string, HookRun, string]>([
    ['before the hook ended, and it still held the output', { ...polluted, held: true }, '!goose-lost-deny deny no'],
    ['before the hook ended and after', { ...polluted, early: { stdout: 38, stderr: 0 } }, '!goose-lost-deny deny no'],
    ['before the time was up', { ...polluted, exit: timedOut }, '!goose-lost-deny deny no'],
    [
      'in the middle of a character',
      { ...run(exited(0), Buffer.concat([Buffer.from(block), Buffer.from([0xe2])])), held: true },
      '!goose-lost-deny deny no',
    ],
    [
      'with a decision that stands there twice',
      { ...run(exited(0), `{"decision":"block",${block.slice(1)}x`), held: true },
      '!goose-lost-deny !goose-formality deny no',
    ],
  ])('%s, counts', (_, one, expected) => {
    expect(said(one)).toBe(expected);
    expect(judge(one, hook(), pre).reading.says).toBe('failure');
  });

  it('does not count where only the hook itself can have written, nor where it is not the first', () => {
    expect(said(polluted)).toBe(undecided);
    expect(said({ ...run(exited(0), `x${block}`), held: true })).toBe(undecided);
    expect(said({ ...run(exited(0), '{"decision":"allow"}x'), held: true })).toBe(undecided);
  });
});

/** Outcomes as the run makes them. */
const outcome = (one: HookRun, onFailure: 'allow' | 'block' = 'allow', plugin = 'p', event = pre): Outcome => {
  const verdict = judge(one, hook(onFailure, plugin), event);
  return {
    hook: hook(onFailure, plugin),
    start: {
      file: 'sh',
      args: [],
      shown: '',
      env: {},
      cwd: '/',
      stdio: 'pipes',
      graceMs: 1,
      removedEnv: [],
      problems: [],
    },
    run: one,
    verdict,
    engineReading: verdict.reading,
    early: false,
    counts: countsAs(verdict, 'native'),
  };
};

describe('a chain', () => {
  it('without hooks is a clean allow that nothing has evaluated', () =>
    expect(engineChain([])).toEqual({ decision: 'allow', policy_evaluated: false }));

  it('remembers a failure on the way to an allow, and that something was evaluated', () => {
    const both = [outcome(run(exited(0))), outcome(run(exited(3)))];
    expect(engineChain(both)).toEqual({ decision: 'allow', policy_evaluated: true, cause: 'hook_failure' });
  });

  it('exit 0 counts as evaluated whatever was printed', () =>
    expect(engineChain([outcome(run(exited(0), 'log'))])).toEqual({
      decision: 'allow',
      policy_evaluated: true,
      cause: 'hook_failure',
    }));

  it('names the plugin that denies', () =>
    expect(engineChain([outcome(run(exited(0)), 'allow', 'a'), outcome(run(exited(2)), 'allow', 'b')])).toEqual({
      decision: 'deny',
      reason: 'denied by plugin hook',
      plugin: 'b',
      policy_evaluated: true,
      cause: 'policy_denial',
    }));

  it('a failure denies where the hook says so', () => {
    const chain = engineChain([outcome(run(timedOut), 'block')]);
    expect(chain).toEqual({
      decision: 'deny',
      reason: notRun,
      plugin: 'p',
      policy_evaluated: false,
      cause: 'hook_failure',
    });
    expect(modelMessage(chain)).toBe(
      `Tool call blocked because policy hook \`p\` could not complete: ${notRun}. That hook is configured to block on failure.`,
    );
  });

  it('is two things where hookrun counts a denial that goose loses', () => {
    const lost = [outcome(run(timedOut, block))];
    expect(engineChain(lost)).toEqual({ decision: 'allow', policy_evaluated: false, cause: 'hook_failure' });
    expect(countedChain(lost)).toMatchObject({ decision: 'deny', reason: 'no', plugin: 'p', cause: 'policy_denial' });
    const merged = merge(lost, pre, 'deny');
    expect(merged.engineRuling).toBe('allow');
    expect(merged.message).toContain('Tool call denied by policy hook `p`: no.');
  });
});

describe('banners', () => {
  const start = eventOf('SessionStart');
  it.each<[string, HookRun, string[]]>([
    ['a text', run(exited(0), '{"banner":"hi"}'), ['hi']],
    ['a blank counts, untrimmed', run(exited(0), '\n {"banner":" "} '), [' ']],
    ['empty', run(exited(0), '{"banner":""}'), []],
    ['null', run(exited(0), '{"banner":null}'), []],
    ['twice', run(exited(0), '{"banner":"a","banner":"b"}'), []],
    ['exit 1', run(exited(1), '{"banner":"a"}'), []],
    ['a mark before it', run(exited(0), '\uFEFF{"banner":"a"}'), []],
    ['beside a block', run(exited(0), '{"banner":"a","decision":"block"}'), ['a']],
    ['an unread payload', run(exited(0), '{"banner":"a"}', '', 1e6), ['a']],
  ])('%s', (_, one, banners) => {
    const merged = merge([outcome(one, 'allow', 'p', start)], start, 'allow');
    expect(merged.native).toEqual({ banners });
    expect(merged.effects).toEqual(banners.length === 0 ? {} : { banners });
  });
});

describe('on any bytes', () => {
  const codes = fc.constantFrom<Exit>(exited(0), exited(1), exited(2), exited(127), killed, timedOut, notStarted, {
    kind: 'output-limit',
  });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .array(
        fc.constantFrom(
          '{',
          '}',
          '"decision"',
          '"reason"',
          ':',
          ',',
          '"block"',
          '"allow"',
          '\uFEFF',
          ' ',
          '\\',
          '"',
          'null',
          '1e999',
        ),
        { maxLength: 12 },
      )
      .map((parts) => Buffer.from(parts.join(''))),
  );

  it('reading never throws, and never shows command, path or payload in a failure', () => {
    fc.assert(
      fc.property(
        codes,
        bytes,
        bytes,
        fc.nat(80_000),
        fc.constantFrom('PreToolUse', 'Stop', 'PostToolUse', 'SessionStart'),
        (exit, stdout, stderr, unread, name) => {
          const event = eventOf(name);
          const verdict = judge(run(exit, stdout, stderr, unread), hook(), event);
          expect(verdict.failure?.text ?? '').not.toMatch(/secret|home|plugins\/|cargo/);
          if (verdict.kind === 'no-decision') expect(verdict.failure).toBeDefined();
          merge([outcome(run(exit, stdout, stderr, unread), 'block', 'p', event)], event, 'allow');
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('a stated denial is never lost', () => {
    const reason = fc.string({ maxLength: 20, unit: 'binary' });
    const space = fc.constantFrom('', ' ', '\n', '\u00a0', '\u0085', '\uFEFF', ' \uFEFF\n');
    const others = fc.dictionary(
      fc.string({ maxLength: 5 }).filter((key) => key !== 'decision' && key !== 'reason'),
      fc.jsonValue(),
      { maxKeys: 3 },
    );
    fc.assert(
      fc.property(codes, reason, others, space, space, (exit, why, more, before, after) => {
        const stdout = `${before}${JSON.stringify({ ...more, decision: 'block', reason: why })}${after.replaceAll('\uFEFF', '')}`;
        const verdict = judge(run(exit, stdout), hook(), pre);
        const isSaid = exit.kind !== 'not-started';
        expect(verdict.kind).toBe(isSaid ? 'deny' : 'no-decision');
        if (isSaid && !(exit.kind === 'exited' && exit.code === 2))
          expect(verdict.reason).toBe(why === '' ? 'denied by plugin hook' : why.replace(/\p{Surrogate}/gu, '\uFFFD'));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('trimming as Rust does', () => {
  it.each([
    ['\u0085x\u0085', 'x'],
    ['\uFEFFx\uFEFF', '\uFEFFx\uFEFF'],
    ['\u00a0\u2003\u3000x\u2028\u2029\t\r\n\v\f ', 'x'],
    ['\u200bx\u180e', '\u200bx\u180e'],
    [' \n', ''],
  ])('%j is %j', (text, trimmed) => expect(trim(text)).toBe(trimmed));
});
