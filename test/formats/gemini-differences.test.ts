/** Each row of the table of differences, pinned: by a recorded case or here. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { differences } from '../../src/differences.ts';
import { beforeTool, hook, type ProjectRun, runInProject } from '../helpers/gemini-project.ts';

const cases = join(import.meta.dirname, '../../fixtures/cases/gemini');

const json = (value: unknown): string => `printf %s '${JSON.stringify(value)}'`;
const deny = { decision: 'deny', reason: 'no' };
const beforeModel = { ...beforeTool, hook_event_name: 'BeforeModel', llm_request: { model: 'm' } };

interface Row extends ProjectRun {
  readonly id: string;
  readonly title: string;
  readonly decision: string;
  /** What the engine decides, where it is something else. */
  readonly engine?: string;
  check?(decision: Decision): void;
}

const rows: readonly Row[] = [
  {
    id: 'gemini-exit-2',
    title: 'a silent exit 2 denies',
    hooks: { BeforeTool: [{ hooks: [hook('quiet', 'exit 2')] }] },
    decision: 'deny',
    engine: 'allow',
    check: ({ reason }) => expect(reason).toBe('Blocked by hook quiet (exit code 2)'),
  },
  {
    id: 'gemini-exit-2',
    title: 'exit 2 with an allow on stdout denies, with stderr as the reason',
    hooks: { BeforeTool: [{ hooks: [hook('h', `${json({ decision: 'allow' })}; echo because >&2; exit 2`)] }] },
    decision: 'deny',
    engine: 'allow',
    check: ({ reason }) => expect(reason).toBe('because'),
  },
  {
    id: 'gemini-kill',
    title: 'grandchildren end with the group',
    hooks: { BeforeTool: [{ hooks: [hook('h', 'sleep 61 & sleep 61; echo never', { timeout: 100 })] }] },
    decision: 'allow',
    check: ({ hooks, durationMs }) => {
      expect(hooks?.[0]?.exit.kind).toBe('timed-out');
      expect(durationMs).toBeLessThan(5000);
    },
  },
  {
    id: 'gemini-lost-deny',
    title: 'a deny printed before the timeout counts',
    hooks: { BeforeTool: [{ hooks: [hook('h', `${json(deny)}; sleep 61`, { timeout: 300 })] }] },
    decision: 'deny',
    engine: 'allow',
  },
  {
    id: 'gemini-lost-deny',
    title: 'a deny to which a background process adds counts',
    hooks: { BeforeTool: [{ hooks: [hook('h', `(sleep 0.05; echo late) & ${json(deny)}`)] }] },
    decision: 'deny',
    engine: 'allow',
  },
  {
    id: 'gemini-lost-deny',
    title: 'a deny to which a background process adds before the hook ends counts, and goes on after it',
    hooks: {
      BeforeTool: [
        { hooks: [hook('h', `${json(deny)}; (for i in $(seq 30); do echo x; sleep 0.05; done) & sleep 0.2; exit 0`)] },
      ],
    },
    decision: 'deny',
    engine: 'allow',
    check: ({ reason, native }) => {
      expect(reason).toBe('no');
      expect(native).toMatchObject({ decision: 'allow' });
    },
  },
  {
    id: 'gemini-lost-deny',
    title: 'a stop to which a background process has added by the time that is up counts',
    hooks: {
      BeforeTool: [
        {
          hooks: [
            hook(
              'h',
              `${json({ continue: false, stopReason: 'enough' })}; (while :; do echo x; sleep 0.05; done) & sleep 61`,
              {
                timeout: 300,
              },
            ),
          ],
        },
      ],
    },
    decision: 'stop',
    engine: 'allow',
    check: ({ reason }) => expect(reason).toBe('enough'),
  },
  {
    id: 'gemini-signal',
    title: 'text before death by a signal is no decision',
    hooks: { BeforeTool: [{ hooks: [hook('h', 'echo fine; kill -9 $$')] }] },
    decision: 'allow',
    check: ({ hooks, native, cause }) => {
      expect(hooks?.[0]).toMatchObject({ verdict: 'no-decision', failure: 'signalled', exit: { signal: 'SIGKILL' } });
      expect(native).toMatchObject({ decision: 'allow', systemMessage: 'fine' });
      expect(cause).toBe('hook_failure');
    },
  },
  {
    id: 'gemini-tool-input',
    title: 'in sequence every rewrite counts',
    hooks: {
      BeforeTool: [
        {
          sequential: true,
          hooks: [
            hook('a', json({ hookSpecificOutput: { tool_input: { content: 'A' } } })),
            hook('b', json({ hookSpecificOutput: { tool_input: { file_path: 'b.txt' } } })),
          ],
        },
      ],
    },
    decision: 'allow',
    check: ({ effects, native }) => {
      expect(effects?.toolInput).toEqual({ file_path: 'b.txt', content: 'A' });
      expect(native).toMatchObject({ hookSpecificOutput: { tool_input: { file_path: 'b.txt' } } });
    },
  },
  {
    id: 'gemini-tool-input',
    title: 'in parallel the last one over the payload, failed and misshapen ones not counted',
    hooks: {
      BeforeTool: [
        {
          hooks: [
            hook('a', json({ hookSpecificOutput: { tool_input: { content: 'A' } } })),
            hook('b', json({ hookSpecificOutput: { tool_input: { extra: 1 } } })),
            hook('c', `${json({ hookSpecificOutput: { tool_input: { content: 'C' } } })}; exit 1`),
            hook('d', json({ hookSpecificOutput: { tool_input: ['no'] } })),
          ],
        },
      ],
    },
    decision: 'allow',
    check: ({ effects }) => expect(effects?.toolInput).toEqual({ file_path: 'a.txt', content: 'hi', extra: 1 }),
  },
  {
    id: 'gemini-context',
    title: 'context is escaped as the model gets it',
    payload: { ...beforeTool, hook_event_name: 'AfterTool', tool_response: {} },
    hooks: { AfterTool: [{ hooks: [hook('h', json({ hookSpecificOutput: { additionalContext: '<b> & c' } }))] }] },
    decision: 'allow',
    check: ({ effects, native }) => {
      expect(effects?.additionalContext).toBe('&lt;b&gt; & c');
      expect(native).toMatchObject({ hookSpecificOutput: { additionalContext: '<b> & c' } });
    },
  },
  {
    id: 'gemini-bad-specific',
    title: 'a hookSpecificOutput that is no object costs nobody a verdict',
    hooks: { BeforeTool: [{ hooks: [hook('a', json(deny)), hook('b', json({ hookSpecificOutput: 'x' }))] }] },
    decision: 'deny',
    engine: 'allow',
    check: ({ native }) => expect(native).toBeNull(),
  },
  {
    id: 'gemini-later-allow',
    title: 'a later allow does not cancel a deny on BeforeModel',
    payload: beforeModel,
    hooks: { BeforeModel: [{ hooks: [hook('a', json(deny)), hook('b', json({ decision: 'allow' }))] }] },
    decision: 'deny',
    engine: 'allow',
  },
  {
    id: 'gemini-later-allow',
    title: 'nor a stop',
    payload: beforeModel,
    hooks: { BeforeModel: [{ hooks: [hook('a', json({ continue: false })), hook('b', json({ continue: true }))] }] },
    decision: 'stop',
    engine: 'allow',
  },
  {
    id: 'gemini-tool-names',
    title: 'a list of tools that is a text is dropped',
    payload: { ...beforeModel, hook_event_name: 'BeforeToolSelection' },
    hooks: {
      BeforeToolSelection: [
        {
          hooks: [
            hook('a', json({ hookSpecificOutput: { toolConfig: { mode: 'ANY', allowedFunctionNames: 'abc' } } })),
            hook('b', json({ hookSpecificOutput: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['glob'] } } })),
          ],
        },
      ],
    },
    decision: 'allow',
    check: ({ effects }) => expect(effects?.toolConfig).toEqual({ mode: 'ANY', allowedFunctionNames: ['glob'] }),
  },
  {
    id: 'gemini-matcher-type',
    title: 'a matcher that is no text costs only its own definition',
    hooks: {
      BeforeTool: [{ matcher: 5, hooks: [hook('five', 'echo no >&2; exit 2')] }, { hooks: [hook('b', 'true')] }],
    },
    decision: 'allow',
    check: ({ hooks, skipped }) => {
      expect(hooks?.map(({ name }) => name)).toEqual(['b']);
      expect(skipped).toMatchObject([{ name: 'five', why: 'invalid' }]);
    },
  },
  {
    id: 'gemini-hook-type',
    title: 'types that belong to the engine itself are not run',
    hooks: {
      BeforeTool: [{ hooks: [{ type: 'plugin', name: 'p', command: 'echo no >&2; exit 2' }, hook('b', 'true')] }],
    },
    decision: 'allow',
    check: ({ skipped }) => expect(skipped).toMatchObject([{ name: 'p', why: 'invalid' }]),
  },
  {
    id: 'gemini-environment',
    title: "a project's hook does not see secrets, and a .env is not loaded",
    env: { MY_TOKEN: 'tok', PLAIN: 'yes' },
    hooks: { BeforeTool: [{ hooks: [hook('h', 'echo "[$MY_TOKEN][$PLAIN]"')] }] },
    decision: 'allow',
    check: ({ effects, hooks }) => {
      expect(effects?.systemMessage).toBe('[][yes]');
      expect(hooks?.[0]?.strippedEnv).toContain('MY_TOKEN');
    },
  },
  {
    id: 'gemini-tty',
    title: 'there is no terminal to open',
    hooks: { BeforeTool: [{ hooks: [hook('h', '(: > /dev/tty) 2>/dev/null && echo open || echo none')] }] },
    decision: 'allow',
    check: ({ effects }) => expect(effects?.systemMessage).toBe('none'),
  },
];

describe.concurrent('differences from Gemini CLI', () => {
  for (const row of rows) {
    it(`${row.id}: ${row.title}`, async () => {
      const { decision, codes } = await runInProject(row);
      const shown = JSON.stringify(decision);
      expect(decision.decision, shown).toBe(row.decision);
      expect(decision.engine?.decision, shown).toBe(row.engine);
      if (row.engine !== undefined) {
        expect(codes, shown).toContain('engine-differs');
        const said = decision.warnings?.filter(({ code }) => code === 'engine-differs').map(({ message }) => message);
        expect(said?.join('\n')).toContain(`${row.id}:`);
      }
      row.check?.(decision);
    });
  }

  it('a deny without a reason has the one that Gemini CLI gives', async () => {
    const hooks = { BeforeTool: [{ hooks: [hook('q', json({ decision: 'deny' }))] }] };
    const { decision } = await runInProject({ hooks });
    expect(decision).toMatchObject({ decision: 'deny', reason: 'No reason provided' });
    const failing = { BeforeTool: [{ hooks: [hook('q', 'exit 1')] }] };
    const blocked = await runInProject({ hooks: failing, args: ['--on-failure', 'block'] });
    expect(blocked.decision.reason).toBe('hook q could not decide: exit code 1 without a decision');
  });

  it('no row is without a test', () => {
    const pins = readdirSync(cases)
      .map((name) => join(cases, name, 'hookrun.json'))
      .filter((path) => existsSync(path))
      .map((path) => JSON.parse(readFileSync(path, 'utf8')).difference);
    const tested = new Set([...pins, ...rows.map(({ id }) => id)]);
    const untested = differences.filter(({ format, id }) => format === 'gemini' && !tested.has(id));
    expect(untested.map(({ id }) => id)).toEqual([]);
  });
});
