import { describe, expect, it } from 'vitest';
import { type Aggregate, aggregate } from '../../src/aggregate.ts';
import { type ErrorKind, HookrunError } from '../../src/errors.ts';
import { format } from '../../src/formats/gemini/index.ts';
import { countsAs } from '../../src/policy.ts';
import { reportError, reportRefusal, reportRun } from '../../src/report.ts';
import type { Failure, Hook, HookRun, OnFailure, Plan, Ruling, Skipped, Verdict } from '../../src/types.ts';
import { eventOf, exited, hooksOf, outcomeOf, runOf } from '../helpers/gemini.ts';

const failure: Failure = { kind: 'timed-out', text: 'timed out' };

describe('countsAs', () => {
  it.each<
    [kind: Verdict['kind'], failed: boolean, own: 'block' | undefined, native: Ruling, allow: Ruling, block: Ruling]
  >([
    ['allow', false, undefined, 'allow', 'allow', 'allow'],
    ['ask', false, undefined, 'ask', 'ask', 'ask'],
    ['deny', false, undefined, 'deny', 'deny', 'deny'],
    ['stop', false, undefined, 'stop', 'stop', 'stop'],
    ['no-decision', false, undefined, 'allow', 'allow', 'allow'],
    ['no-decision', true, undefined, 'allow', 'allow', 'deny'],
    ['no-decision', true, 'block', 'deny', 'allow', 'deny'],
    ['allow', true, undefined, 'allow', 'allow', 'deny'],
    ['ask', true, undefined, 'ask', 'allow', 'deny'],
    ['deny', true, undefined, 'deny', 'allow', 'deny'],
    ['deny', true, 'block', 'deny', 'allow', 'deny'],
    ['stop', true, undefined, 'stop', 'allow', 'stop'],
    ['deny', false, 'block', 'deny', 'deny', 'deny'],
  ])('%s, failed %s, on_failure %s', (kind, failed, onFailure, native, allow, block) => {
    const verdict: Verdict = { kind, failure: failed ? failure : undefined, onFailure, reading: undefined };
    expect([countsAs(verdict, 'native'), countsAs(verdict, 'allow'), countsAs(verdict, 'block')]).toEqual([
      native,
      allow,
      block,
    ]);
  });
});

const say = (output: object): HookRun => runOf(exited(0), JSON.stringify(output));
const runs = {
  allow: say({ decision: 'allow', reason: 'fine' }),
  silent: runOf(exited(0)),
  ask: say({ decision: 'ask', reason: 'sure?' }),
  deny: say({ decision: 'deny', reason: 'no' }),
  deny2: say({ decision: 'block', reason: 'never' }),
  stop: say({ continue: false, stopReason: 'enough' }),
  crash: runOf(exited(1), '', 'Traceback'),
  gone: runOf(exited(127), '', 'x: not found'),
} as const;

interface Wish {
  readonly event?: string;
  readonly onFailure?: OnFailure;
  readonly requireMatch?: boolean;
  /** Names of entries that had to be left out. */
  readonly invalid?: readonly string[];
}

async function merged(
  names: readonly (keyof typeof runs)[],
  wish: Wish = {},
): Promise<{ result: Aggregate; plan: Plan }> {
  const { event: name = 'BeforeTool', onFailure = 'native', requireMatch = false, invalid = [] } = wish;
  const event = eventOf(name);
  const hooks = await hooksOf(
    name,
    names.map((one, index) => `${one}${index}`),
  );
  const skipped = (await hooksOf(name, invalid)).map(
    (hook): Skipped => ({ hook, why: 'invalid', detail: 'it has no command' }),
  );
  const plan: Plan = { steps: hooks, mode: 'parallel', skipped, unmatched: [], problems: [] };
  const outcomes = names.map((one, index) => outcomeOf(runs[one], hooks[index] as Hook, event, onFailure));
  return { result: aggregate(plan, outcomes, event, format, onFailure, requireMatch), plan };
}

type Row = [
  runs: (keyof typeof runs)[],
  wish: Wish,
  ruling: Ruling,
  cause: Aggregate['cause'],
  decidedBy: string[],
  reason: string | undefined,
];

describe('aggregate', () => {
  it.each<Row>([
    [[], {}, 'allow', undefined, [], undefined],
    [['silent'], {}, 'allow', undefined, [], undefined],
    [['allow'], {}, 'allow', undefined, [], undefined],
    [['allow', 'ask'], {}, 'ask', 'policy_denial', ['ask1'], 'fine\nsure?'],
    [['ask', 'deny'], {}, 'deny', 'policy_denial', ['deny1'], 'sure?\nno'],
    [['deny', 'ask', 'deny2'], {}, 'deny', 'policy_denial', ['deny0', 'deny22'], 'no\nsure?\nnever'],
    [['deny', 'stop'], {}, 'stop', 'policy_denial', ['stop1'], 'enough'],
    [['stop', 'deny'], {}, 'stop', 'policy_denial', ['stop0'], 'enough'],
    // A failure
    [['crash'], {}, 'allow', 'hook_failure', [], undefined],
    [['crash'], { onFailure: 'allow' }, 'allow', 'hook_failure', [], undefined],
    [
      ['crash'],
      { onFailure: 'block' },
      'deny',
      'hook_failure',
      ['crash0'],
      'hook crash0 could not decide: exit code 1 without a decision',
    ],
    [
      ['crash', 'ask'],
      { onFailure: 'block' },
      'deny',
      'hook_failure',
      ['crash0'],
      'hook crash0 could not decide: exit code 1 without a decision\nsure?',
    ],
    [
      ['crash', 'deny'],
      { onFailure: 'block' },
      'deny',
      'policy_denial',
      ['crash0', 'deny1'],
      'hook crash0 could not decide: exit code 1 without a decision\nno',
    ],
    [['crash', 'stop'], { onFailure: 'block' }, 'stop', 'policy_denial', ['stop1'], 'enough'],
    // An engine that denies on a failure itself
    [['gone'], {}, 'deny', 'hook_failure', ['gone0'], 'x: not found'],
    [['gone', 'deny'], {}, 'deny', 'policy_denial', ['gone0', 'deny1'], 'x: not found\nno'],
    [['gone'], { onFailure: 'allow' }, 'allow', 'hook_failure', [], undefined],
    [['gone', 'deny'], { onFailure: 'allow' }, 'deny', 'policy_denial', ['deny1'], 'x: not found\nno'],
    // Nothing matched
    [[], { requireMatch: true }, 'deny', 'no_match', [], 'no hook matched BeforeTool, and --require-match is set'],
    [['silent'], { requireMatch: true }, 'allow', undefined, [], undefined],
    [
      [],
      { requireMatch: true, onFailure: 'allow' },
      'deny',
      'no_match',
      [],
      'no hook matched BeforeTool, and --require-match is set',
    ],
    // Entries that had to be left out
    [[], { invalid: ['bad'] }, 'allow', undefined, [], undefined],
    [[], { invalid: ['bad'], onFailure: 'allow' }, 'allow', undefined, [], undefined],
    [
      [],
      { invalid: ['bad', 'worse'], onFailure: 'block' },
      'deny',
      'hook_failure',
      ['bad', 'worse'],
      'bad is not valid: it has no command\nworse is not valid: it has no command',
    ],
    [
      ['ask'],
      { invalid: ['bad'], onFailure: 'block' },
      'deny',
      'hook_failure',
      ['bad'],
      'bad is not valid: it has no command',
    ],
    [
      ['deny'],
      { invalid: ['bad'], onFailure: 'block' },
      'deny',
      'policy_denial',
      ['deny0', 'bad'],
      'no\nbad is not valid: it has no command',
    ],
    [['stop'], { invalid: ['bad'], onFailure: 'block' }, 'stop', 'policy_denial', ['stop0'], 'enough'],
    // Events that can't block
    [['deny'], { event: 'SessionStart' }, 'allow', undefined, [], undefined],
    [['crash'], { event: 'SessionStart', onFailure: 'block' }, 'allow', 'hook_failure', [], undefined],
    [['silent'], { event: 'Notification', onFailure: 'block', invalid: ['bad'] }, 'allow', undefined, [], undefined],
  ])('%j with %j: %s', async (names, wish, ruling, cause, decidedBy, reason) => {
    const { result } = await merged(names, wish);
    const { merged: _, problems, ...rest } = result;
    expect(rest).toEqual({ ruling, cause, decidedBy, reason });
  });

  it.each<[names: (keyof typeof runs)[], wish: Wish, codes: string[]]>([
    [['deny'], {}, []],
    [['deny', 'crash'], { event: 'SessionEnd' }, ['deny-ignored']],
    [['silent'], { event: 'SessionEnd' }, []],
    [['gone', 'silent'], { onFailure: 'allow' }, ['on-failure-allow']],
    [['crash'], { onFailure: 'allow' }, []],
  ])('%j with %j warns of %j', async (names, wish, codes) => {
    expect((await merged(names, wish)).result.problems.map((problem) => problem.code)).toEqual(codes);
  });
});

describe('the exit code', () => {
  const planned = (plan: Plan, event = 'BeforeTool') => ({
    format,
    event: eventOf(event),
    plan,
    problems: [],
    listUnmatched: false,
    durationMs: 1,
  });

  it.each<[name: keyof typeof runs, ruling: Ruling, code: number]>([
    ['allow', 'allow', 0],
    ['deny', 'deny', 2],
    ['ask', 'ask', 3],
    ['stop', 'stop', 4],
  ])('of a run that says %s', async (name, ruling, code) => {
    const { result, plan } = await merged([name]);
    const { decision, exitCode } = reportRun(planned(plan), [], [], result, 'native', undefined, [], []);
    expect({ ruling: decision.decision, exitCode }).toEqual({ ruling, exitCode: code });
  });

  it.each<[name: keyof typeof runs, policy: OnFailure, decision: Ruling | null, code: number]>([
    ['silent', 'native', null, 143],
    ['ask', 'native', null, 143],
    ['silent', 'allow', null, 143],
    ['silent', 'block', 'deny', 2],
    ['deny', 'native', 'deny', 2],
    ['deny', 'block', 'deny', 2],
    ['stop', 'native', 'stop', 4],
  ])('of an interrupted run where one said %s, under %s', async (name, policy, decision, code) => {
    const { result, plan } = await merged([name], { onFailure: policy });
    const report = reportRun(planned(plan), [], [], result, policy, 'SIGTERM', [], []);
    expect({ decision: report.decision.decision, code: report.exitCode }).toEqual({ decision, code });
    expect(report.decision.error?.exit).toBe(code === 4 || name === 'deny' ? undefined : 143);
  });

  it.each<[kind: ErrorKind, code: number]>([
    ['bug', 1],
    ['usage', 64],
    ['payload', 65],
    ['input-file', 66],
    ['config', 78],
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('of an error: %s', (kind, code) => {
    const error = new HookrunError(kind, { code: 'x', message: 'words' });
    for (const policy of ['native', 'allow'] as const)
      expect(reportError(error, policy)).toMatchObject({
        exitCode: code,
        decision: { decision: null, error: { exit: code } },
      });
    expect(reportError(error, 'block')).toMatchObject({
      exitCode: 2,
      decision: {
        decision: 'deny',
        cause: 'hook_failure',
        reason: 'hookrun could not decide: words',
        error: { exit: code },
      },
    });
  });

  it('of a refusal', async () => {
    const { plan } = await merged(['silent']);
    for (const [policy, code] of [
      ['native', 77],
      ['allow', 77],
      ['block', 2],
    ] as const)
      expect(reportRefusal(planned(plan), 'not trusted', policy)).toMatchObject({
        exitCode: code,
        decision: {
          decision: 'deny',
          cause: 'untrusted',
          reason: 'not trusted',
          hooks: [],
          skipped: [{ why: 'untrusted' }],
        },
      });
  });
});
