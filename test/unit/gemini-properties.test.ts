/** What must hold of Gemini CLI's hooks whatever they print and however they end. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../../src/aggregate.ts';
import { decisionSchema } from '../../src/decision-schema.ts';
import { eventKinds } from '../../src/formats/gemini/events.ts';
import { format } from '../../src/formats/gemini/index.ts';
import { judge } from '../../src/judge.ts';
import { makePlan } from '../../src/plan.ts';
import { countsAs } from '../../src/policy.ts';
import { createRegexBudget } from '../../src/regex.ts';
import { type Report, reportRun } from '../../src/report.ts';
import { runPlan } from '../../src/run.ts';
import type { Spawner } from '../../src/spawn.ts';
import { toJson } from '../../src/to-json.ts';
import type { Exit, Hook, HookRun, Mode, OnFailure, Outcome, Plan } from '../../src/types.ts';
import { eventOf, everything, exited, hooksOf, runOf, whereOf } from '../helpers/gemini.ts';

const blocking = Object.keys(eventKinds).filter((name) => eventKinds[name]!.canBlock);
const nonBlocking = Object.keys(eventKinds).filter((name) => !eventKinds[name]!.canBlock);
/** Events whose outputs go different ways: BeforeTool, BeforeAgent and BeforeModel are chained as well. */
const oneOfEachMerge = ['BeforeTool', 'BeforeAgent', 'BeforeModel', 'BeforeToolSelection', 'Notification'];
const anyEvent = fc.constantFrom(...blocking, ...nonBlocking);
const anyPolicy = fc.constantFrom<OnFailure>('native', 'allow', 'block');
const anyMode = fc.constantFrom<Mode>('parallel', 'sequential');

// --- what hooks may print ---

const nastyKeys = ['__proto__', 'toString', 'constructor', 'valueOf', 'toJSON', 'length', '', '0'];
const knownKeys = [
  'decision',
  'reason',
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'hookSpecificOutput',
  'additionalContext',
  'tool_input',
  'llm_request',
  'llm_response',
  'toolConfig',
  'mode',
  'allowedFunctionNames',
  'clearContext',
  'tailToolCallRequest',
];
/** Deeper than any stack goes. They stand in the texts as marks, so that a counterexample can be read. */
const deep: Readonly<Record<string, string>> = {
  '@list@': '['.repeat(8_000) + ']'.repeat(8_000),
  '@object@': `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`,
};
const dug = (text: string): string => text.replace(/@list@|@object@/g, (mark) => deep[mark]!);

/** JSON as text and not as a value: only so do keys that stand twice and numbers beyond a double come about. */
const jsonText = fc.letrec<{ json: string; object: string }>((tie) => {
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...knownKeys) },
    { weight: 2, arbitrary: fc.constantFrom(...nastyKeys) },
    { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
  );
  const scalar = fc.oneof(
    fc.constantFrom('null', 'true', 'false', '0', '-0', '1e400', '12345678901234567890', '""', '"\\ud800"'),
    fc.constantFrom('"deny"', '"block"', '"allow"', '"ask"', '"approve"', '"DENY"', '"NONE"', '"ANY"', '"AUTO"'),
    fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)),
  );
  return {
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 8, arbitrary: scalar },
      { weight: 1, arbitrary: fc.constantFrom(...Object.keys(deep)) },
      { weight: 4, arbitrary: fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`) },
      { weight: 6, arbitrary: tie('object') },
    ),
    object: fc
      .array(fc.tuple(key, tie('json')), { maxLength: 5 })
      .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  };
});

const anyOutput = fc.oneof(
  { weight: 4, arbitrary: jsonText.object },
  { weight: 2, arbitrary: jsonText.json },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' \n', '\uFEFF{}', '{"decision":"deny"', '{}{}', '"{}"', '"\\"x\\""') },
);
const anyBytes = fc.oneof({ weight: 5, arbitrary: anyOutput }, fc.uint8Array({ maxLength: 40 }));

const anyCode = fc.oneof(fc.constantFrom(0, 1, 2, 3, 126, 127), fc.integer({ min: 0, max: 255 }));
const anyExit: fc.Arbitrary<Exit> = fc.oneof(
  { weight: 4, arbitrary: anyCode.map(exited) },
  fc.constantFrom('SIGKILL', 'SIGSEGV').map((signal): Exit => ({ kind: 'signalled', signal })),
  fc.record({
    kind: fc.constant('timed-out' as const),
    afterMs: fc.integer({ min: 1, max: 1000 }),
    by: fc.constantFrom('timeout' as const, 'deadline' as const),
  }),
  anyCode.map((code): Exit => ({ kind: 'timed-out', afterMs: 5, by: 'timeout', code })),
  fc.constant<Exit>({ kind: 'not-started', why: 'bash was not found' }),
  fc.constant<Exit>({ kind: 'output-limit' }),
  anyCode.map((code): Exit => ({ kind: 'output-limit', code })),
);
/** A run as it is written down; `toRun` makes one of it. */
interface Script {
  readonly exit: Exit;
  readonly stdout: string | Uint8Array;
  readonly stderr: string | Uint8Array;
  /** What came on both streams after the hook itself had ended. */
  readonly late?: string | undefined;
}
const anyScript: fc.Arbitrary<Script> = fc.record({
  exit: anyExit,
  stdout: anyBytes,
  stderr: anyBytes,
  late: fc.option(anyOutput, { nil: undefined }),
});

function toRun({ exit, stdout, stderr, late }: Script): HookRun {
  const bytes = (one: string | Uint8Array): Buffer => Buffer.from(typeof one === 'string' ? dug(one) : one);
  return runOf(
    exit,
    bytes(stdout),
    bytes(stderr),
    late === undefined ? undefined : { stdout: dug(late), stderr: dug(late) },
  );
}

/** Ways in which a hook can state a denial; each of them must stand (design: "Fidelity", rule 1). */
const denials: Readonly<Record<string, HookRun>> = {
  ...Object.fromEntries(
    [0, 1, 2, 3, 126, 127].flatMap((code) =>
      ['deny', 'block'].map((word) => [
        `${word} as JSON with exit ${code}`,
        runOf(exited(code), `{"decision":"${word}","reason":"no"}`),
      ]),
    ),
  ),
  'JSON on stderr': runOf(exited(0), ' \n', '{"decision":"deny"}'),
  'JSON inside a JSON string': runOf(exited(0), JSON.stringify('{"decision":"deny"}')),
  'JSON with a byte order mark': runOf(exited(0), '\uFEFF{"decision":"deny"}\n'),
  'JSON with an odd hookSpecificOutput': runOf(exited(0), '{"decision":"deny","hookSpecificOutput":"x"}'),
  'JSON with a reason too deep to print': runOf(exited(0), `{"decision":"deny","reason":${deep['@list@']}}`),
  'exit 2 with text on stderr': runOf(exited(2), '', 'no'),
  'exit 2 with text on stdout': runOf(exited(2), 'no'),
  'exit 2 with an object that says nothing': runOf(exited(2), '{}', 'no'),
  'exit 2 with an allow': runOf(exited(2), '{"decision":"allow"}'),
  'exit 2 with a number': runOf(exited(2), '1'),
  'exit 2 in silence': runOf(exited(2)),
  'JSON before a timeout': runOf({ kind: 'timed-out', afterMs: 5, by: 'timeout' }, '{"decision":"deny"}'),
  'JSON before the deadline': runOf({ kind: 'timed-out', afterMs: 5, by: 'deadline' }, '{"decision":"deny"}'),
  'JSON before death by a signal': runOf({ kind: 'signalled', signal: 'SIGKILL' }, '{"decision":"deny"}'),
  'JSON, then late text': runOf(exited(0), '{"decision":"deny"}', '', { stdout: 'late' }),
  'JSON, then a late allow': runOf(exited(0), '{"decision":"deny"}\n', '', { stdout: '{"decision":"allow"}' }),
  'JSON, then half a character': runOf(exited(0), '{"decision":"deny"}', '', { stdout: '\u{1F600}'.slice(0, 1) }),
  'JSON before a timeout, then a dying word': runOf(
    { kind: 'timed-out', afterMs: 5, by: 'timeout', code: 143 },
    '{"decision":"deny"}',
    '',
    { stdout: 'Terminated' },
  ),
  'JSON on stderr, then late text on stdout': runOf(exited(0), '', '{"decision":"deny"}', { stdout: 'late' }),
  'exit 2 with text, then a late allow': runOf(exited(2), '', 'no', { stdout: '{"decision":"allow"}' }),
};

/** Ways in which a hook can fail to decide (design: "A failure is"). */
const failures: Readonly<Record<string, HookRun>> = {
  'timed out': runOf({ kind: 'timed-out', afterMs: 5, by: 'timeout' }),
  'timed out after an allow': runOf({ kind: 'timed-out', afterMs: 5, by: 'timeout' }, '{"decision":"allow"}'),
  'past the deadline': runOf({ kind: 'timed-out', afterMs: 5, by: 'deadline' }, 'text'),
  killed: runOf({ kind: 'signalled', signal: 'SIGKILL' }),
  'killed after an allow': runOf({ kind: 'signalled', signal: 'SIGKILL' }, '{"decision":"allow"}'),
  'killed after text': runOf({ kind: 'signalled', signal: 'SIGTERM' }, 'fine so far'),
  'not started': runOf({ kind: 'not-started', why: 'bash was not found' }),
  'too much output': runOf({ kind: 'output-limit' }, 'xxx'),
  'exit 126': runOf(exited(126), '', 'bash: ./x: Permission denied'),
  'exit 127': runOf(exited(127), '', 'bash: x: command not found'),
  'exit 127 beside an allow': runOf(exited(127), '{"decision":"allow"}'),
  'exit 126 beside an ask': runOf(exited(126), '{"decision":"ask"}'),
  'exit 1 in silence': runOf(exited(1)),
  'exit 1 with text': runOf(exited(1), '', 'Traceback (most recent call last)'),
  'exit 1 with an object that decides nothing': runOf(exited(1), '{"systemMessage":"x"}'),
  'exit 3 in silence': runOf(exited(3)),
  'exit 3 with text': runOf(exited(3), 'x'),
  'exit 255 with a number': runOf(exited(255), '7'),
  'JSON that does not parse': runOf(exited(0), '{"decision":"deny"'),
  'JSON with a trailing comma': runOf(exited(0), '{"decision":"allow",}'),
  'two documents': runOf(exited(0), '{"decision":"allow"}\n{"decision":"allow"}'),
  'text before the JSON': runOf(exited(0), 'checking\n{"decision":"deny"}'),
  'text before the JSON, in one line': runOf(exited(0), 'checking: {"decision":"deny"}'),
  'text before JSON of several lines': runOf(exited(0), 'checking\n{\n  "decision": "deny"\n}'),
  'text before a stop': runOf(exited(0), 'checking\n{"continue": false}'),
  'text behind the JSON': runOf(exited(0), '{"decision":"deny"}\ndone'),
};

// --- running them ---

interface Ran {
  readonly report: Report;
  readonly outcomes: readonly Outcome[];
}

/** Runs these as hooks of one event, letting them end in the order of `order`, and reports what came of it. */
async function run(
  name: string,
  scripts: readonly (HookRun | Script)[],
  { onFailure, mode, order = [] }: { onFailure: OnFailure; mode: Mode; order?: readonly number[] },
): Promise<Ran> {
  const runs = scripts.map((one) => ('held' in one ? one : toRun(one)));
  const event = eventOf(name);
  const hooks = (await hooksOf(
    name,
    runs.map((_, index) => `hook${index}`),
  )) as readonly Hook[];
  const plan: Plan = { steps: hooks, mode, skipped: [], unmatched: [], problems: [] };
  const waiting: ((value: HookRun) => void)[] = [];
  let started = 0;
  const release = (): void => {
    const places = runs.map((_, index) => index);
    places.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
    for (const place of places) waiting[place]!(runs[place]!);
  };
  const spawner: Spawner = {
    run: () => {
      const place = started++;
      if (mode === 'sequential') return Promise.resolve(runs[place]!);
      return new Promise((resolve) => {
        waiting[place] = resolve;
        if (started === runs.length) release();
      });
    },
    interrupt() {},
    killAll() {},
    interrupted: false,
  };
  const outcomes: Outcome[] = [];
  const wish = {
    env: 'engine' as const,
    extraEnv: {},
    jobs: Math.max(1, runs.length),
    timeoutMs: undefined,
    deadlineAt: undefined,
    onFailure,
  };
  const cut = await runPlan(plan, event, format, whereOf(), wish, spawner, { started() {}, ended() {} }, outcomes);
  const result = aggregate(plan, outcomes, event, format, onFailure, false);
  const planned = { format, event, plan, problems: [], listUnmatched: true, durationMs: 1 };
  return { report: reportRun(planned, outcomes, cut, result, onFailure, undefined, [], []), outcomes };
}

/** What is printed of a report, read back. */
const printed = ({ decision }: Report): unknown => JSON.parse(toJson(decision));

const codes = { allow: 0, deny: 2, ask: 3, stop: 4 } as const;

describe('any output and any end', () => {
  it('are judged and merged without an error, and the result is as its schema says', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyEvent,
        fc.array(anyScript, { maxLength: 4 }),
        anyPolicy,
        anyMode,
        async (name, runs, onFailure, mode) => {
          const { report } = await run(name, runs, { onFailure, mode });
          const { decision } = report.decision;
          expect(['allow', 'deny', 'ask', 'stop']).toContain(decision);
          expect(report.exitCode).toBe(codes[decision as keyof typeof codes]);
          expect(report.decision.hooks?.map((hook) => hook.name)).toEqual(runs.map((_, index) => `hook${index}`));
          decisionSchema.strict().parse(printed(report));
        },
      ),
      { numRuns: 120 },
    );
  }, 8_000);

  // Each of these has thrown somewhere, or is one step from one that has.
  it.each([
    '[{"decision":{"toString":1}}]',
    '[null,{"decision":{"toString":null,"valueOf":null}},1]',
    '{"decision":{"toString":1}}',
    '{"decision":"deny","reason":{"toString":1}}',
    '{"decision":"deny","reason":{"toString":{}},"systemMessage":{"valueOf":1,"toString":2}}',
    '{"continue":false,"stopReason":[[{"toString":1}]]}',
    '{"continue":false,"stopReason":@list@}',
    '{"systemMessage":@object@,"reason":@list@}',
    '{"hookSpecificOutput":"text"}',
    '{"hookSpecificOutput":5}',
    '{"hookSpecificOutput":@list@}',
    '{"hookSpecificOutput":{"tool_input":@object@,"llm_request":@object@,"llm_response":@object@,"additionalContext":@list@}}',
    '{"hookSpecificOutput":{"toolConfig":{"mode":{"toString":1},"allowedFunctionNames":[{"toString":1},@list@]}}}',
    '{"hookSpecificOutput":{"toolConfig":{"allowedFunctionNames":5}}}',
    '{"hookSpecificOutput":{"toolConfig":"NONE"}}',
    '{"__proto__":{"decision":"deny"},"hookSpecificOutput":{"__proto__":{"tool_input":{}}}}',
    '@list@',
    '"{\\"decision\\":1}"',
  ])('%s is taken by every event', async (output) => {
    for (const name of oneOfEachMerge)
      for (const mode of ['parallel', 'sequential'] as const) {
        const script = { exit: exited(0), stdout: output, stderr: '' };
        const denial = runOf(exited(0), '{"decision":"deny","reason":"no"}');
        const { report } = await run(name, [script, denial], { onFailure: 'native', mode });
        const canBlock = eventKinds[name]!.canBlock;
        const stops = output.includes('"continue":false');
        expect(report.decision.decision, name).toBe(!canBlock ? 'allow' : stops ? 'stop' : 'deny');
        printed(report);
      }
  });

  it('says the same in whichever order parallel hooks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyEvent,
        fc.array(fc.tuple(anyScript, fc.nat(100)), { minLength: 2, maxLength: 5 }),
        anyPolicy,
        async (name, pairs, onFailure) => {
          const runs = pairs.map(([one]) => one);
          const order = pairs.map(([, place]) => place);
          const one = await run(name, runs, { onFailure, mode: 'parallel' });
          const other = await run(name, runs, { onFailure, mode: 'parallel', order });
          // As texts: what is nested too deeply can't be compared as values.
          expect(toJson(other.report.decision) === toJson(one.report.decision)).toBe(true);
          expect(other.report.exitCode).toBe(one.report.exitCode);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('speak as a hook in JSON that says the same', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvent, fc.array(anyScript, { maxLength: 3 }), anyPolicy, async (name, runs, onFailure) => {
        const { report } = await run(name, runs, { onFailure, mode: 'parallel' });
        const { decision, reason = '', effects = {}, native } = report.decision;
        const event = eventOf(name);
        const said = format.speak({ event, ruling: decision!, reason, effects, native, failed: false });
        expect(said).toMatchObject({ stderr: '', code: 0 });
        const output = JSON.parse(said.stdout);
        expect(output.continue === false ? 'stop' : output.decision).toBe(decision);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a stated denial is never lost', () => {
  const cases = Object.entries(denials);

  it.each(cases)('%s', async (_, denial) => {
    for (const name of blocking)
      for (const onFailure of ['native', 'allow', 'block'] as const)
        for (const mode of ['parallel', 'sequential'] as const) {
          const { report } = await run(name, [denial], { onFailure, mode });
          const { decision, cause, decidedBy } = report.decision;
          expect({ decision, cause, decidedBy, code: report.exitCode }, `${name} ${onFailure} ${mode}`).toEqual({
            decision: 'deny',
            cause: 'policy_denial',
            decidedBy: ['hook0'],
            code: 2,
          });
        }
  });

  it('whatever the other hooks print, wherever it stands, in whichever order they end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...blocking),
        fc.constantFrom(...cases),
        fc.array(anyScript, { maxLength: 3 }),
        fc.array(anyScript, { maxLength: 3 }),
        fc.array(fc.nat(100), { minLength: 7, maxLength: 7 }),
        anyPolicy,
        anyMode,
        async (name, [, denial], before, after, order, onFailure, mode) => {
          const runs = [...before, denial, ...after];
          const { report, outcomes } = await run(name, runs, { onFailure, mode, order });
          const { decision, cause, decidedBy } = report.decision;
          expect(outcomes[before.length]?.counts).toBe('deny');
          expect(['deny', 'stop']).toContain(decision);
          expect([2, 4]).toContain(report.exitCode);
          if (decision === 'deny') {
            expect(cause).toBe('policy_denial');
            expect(decidedBy).toContain(`hook${before.length}`);
          }
          expect(printed(report)).toMatchObject({ decision });
        },
      ),
      { numRuns: 100 },
    );
  }, 8_000);

  it('and its reason is told', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...blocking),
        fc.array(anyScript, { maxLength: 3 }),
        anyMode,
        async (name, runs, mode) => {
          const denial = runOf(exited(0), '{"decision":"deny","reason":"by the book"}');
          const { report } = await run(name, [...runs, denial], { onFailure: 'native', mode });
          if (report.decision.decision !== 'deny') return;
          expect(report.decision.reason?.split('\n')).toContain('by the book');
          expect(report.decision.message).toContain('by the book');
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('failures', () => {
  const cases = Object.entries(failures);

  it.each(cases)('%s: block does not let it pass, allow does', async (_, failed) => {
    for (const name of blocking) {
      const blocked = (await run(name, [failed], { onFailure: 'block', mode: 'parallel' })).report;
      expect(blocked, name).toMatchObject({ exitCode: 2, decision: { decision: 'deny', cause: 'hook_failure' } });
      expect(blocked.decision.reason, name).not.toBe('');
      const allowed = (await run(name, [failed], { onFailure: 'allow', mode: 'parallel' })).report;
      expect(allowed, name).toMatchObject({ exitCode: 0, decision: { decision: 'allow', cause: 'hook_failure' } });
    }
  });

  it('are the only thing that the policy changes', () => {
    fc.assert(
      fc.property(anyEvent, anyScript, anyPolicy, (name, one, onFailure) => {
        const [hook] = [
          { name: 'h', event: name, command: 'x', source: { scope: 'user', path: '/s', key: 'k' } } as Hook,
        ];
        const { verdict } = judge(toRun(one), hook!, eventOf(name), format);
        const counted = countsAs(verdict, onFailure);
        if (verdict.failure === undefined)
          expect(counted).toBe(verdict.kind === 'no-decision' ? 'allow' : verdict.kind);
        else if (onFailure === 'block') expect(counted).toBe('deny');
        else if (onFailure === 'allow') expect(counted).toBe('allow');
        if (verdict.kind === 'no-decision') expect(verdict.failure).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });

  it('without a failure or a denial nothing is denied', async () => {
    const harmless = fc
      .record({ decision: fc.constantFrom('allow', 'approve', 'maybe', null), reason: fc.string(), x: fc.jsonValue() })
      .map((output) => runOf(exited(0), JSON.stringify(output)));
    await fc.assert(
      fc.asyncProperty(
        anyEvent,
        fc.array(harmless, { maxLength: 4 }),
        anyPolicy,
        anyMode,
        async (name, runs, onFailure, mode) => {
          const { report } = await run(name, runs, { onFailure, mode });
          expect(report).toMatchObject({ exitCode: 0, decision: { decision: 'allow' } });
          expect(report.decision.cause).toBeUndefined();
        },
      ),
      { numRuns: 80 },
    );
  });
});

it('an event that cannot block allows, whatever is said, and shows what was said', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...nonBlocking),
      fc.array(fc.oneof(anyScript, fc.constantFrom(...Object.values(denials))), { minLength: 1, maxLength: 4 }),
      anyPolicy,
      anyMode,
      async (name, runs, onFailure, mode) => {
        const { report, outcomes } = await run(name, runs, { onFailure, mode });
        expect(report).toMatchObject({ exitCode: 0, decision: { decision: 'allow' } });
        expect(report.decision.hooks?.map((hook) => hook.verdict)).toEqual(outcomes.map((one) => one.verdict.kind));
        const denied = outcomes.some((one) => one.counts !== 'allow');
        expect(report.decision.warnings?.some((warning) => warning.code === 'deny-ignored')).toBe(denied);
      },
    ),
    { numRuns: 100 },
  );
});

describe('planning', () => {
  const matcher = fc.constantFrom(undefined, '', '*', 'write_file', 'read', '.*', '(', 'write|read', 5, null);
  const entry = fc.record({
    name: fc.constantFrom(undefined, 'a', 'b', 'a:b'),
    command: fc.constantFrom('x', 'y', 'b:x', ''),
    type: fc.constantFrom('command', 'command', 'command', 'plugin'),
  });
  const settings = fc.array(
    fc.record({ matcher, sequential: fc.boolean(), hooks: fc.array(entry, { maxLength: 3 }) }),
    {
      maxLength: 6,
    },
  );

  it('keeps the order, runs no key twice and accounts for every hook', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (definitions) => {
        const path = '/etc/s.json';
        const where = whereOf({ [path]: { hooks: { BeforeTool: definitions } } }, { explicit: [path] });
        const setup = (await format.load(where)).setup('BeforeTool', true);
        const plan = makePlan(setup, eventOf('BeforeTool'), format, everything, createRegexBudget());
        const place = (hook: Hook): number => setup.hooks.indexOf(hook);
        for (const list of [plan.steps, plan.skipped.map((one) => one.hook), plan.unmatched]) {
          const places = list.map(place);
          expect(places).toEqual([...places].sort((a, b) => a - b));
        }
        const keys = plan.steps.map((hook) => format.duplicateKey(hook));
        expect(new Set(keys).size).toBe(keys.length);
        expect(plan.steps.length + plan.skipped.length + plan.unmatched.length).toBe(setup.hooks.length);
        // Of two equal ones it is the first that runs.
        for (const { hook, why } of plan.skipped)
          if (why === 'duplicate') {
            const first = plan.steps.find((step) => format.duplicateKey(step) === format.duplicateKey(hook));
            expect(place(first!)).toBeLessThan(place(hook));
          }
        const isSequential = plan.steps.some((hook) => (hook.detail as { sequential: boolean }).sequential);
        expect(plan.mode).toBe(isSequential ? 'sequential' : 'parallel');
      }),
      { numRuns: 120 },
    );
  });
});
