/** goose events through the whole program, with real hooks: what the recorded cases do not show. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { sample } from '../../src/formats/goose/sample.ts';
import { main } from '../../src/main.ts';
import { temporaryFolder, testWorld } from '../helpers/world.ts';

type Action = string | Readonly<Record<string, unknown>>;

interface Scene {
  readonly root: string;
  /** Writes a plugin whose events each have one rule with these actions. */
  plugin(scope: 'project' | 'home', name: string, events: Readonly<Record<string, readonly Action[]>>): void;
  put(path: string, text: string): void;
  run(payload: object, ...argv: string[]): Promise<Decision & { readonly code: number }>;
  ran(): string[];
}

async function inScene(use: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const root = folder.path;
  const project = join(root, 'project');
  const home = join(root, 'home');
  for (const dir of [project, home]) mkdirSync(dir);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  try {
    await use({
      root,
      put,
      plugin(scope, name, events) {
        const rules = Object.entries(events).map(([event, actions]) => {
          const hooks = actions.map((one) => (typeof one === 'string' ? { command: one } : one));
          return [event, [{ hooks }]];
        });
        put(`${scope}/.agents/plugins/${name}/hooks/hooks.json`, JSON.stringify({ hooks: Object.fromEntries(rules) }));
      },
      async run(payload, ...argv) {
        const env = { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: join(root, 'state') };
        const world = testWorld({ env, cwd: project, home, stdin: JSON.stringify(payload) });
        const code = await main(['--project', project, ...argv], world.world);
        return { ...(JSON.parse(world.stdout()) as Decision), code };
      },
      ran: () => (existsSync(join(root, 'ran')) ? readFileSync(join(root, 'ran'), 'utf8').trimEnd().split('\n') : []),
    });
  } finally {
    folder.remove();
  }
}

const note = (word: string, then = ''): string => `echo ${word} >> ../ran; ${then}`;
const pre = sample('PreToolUse');
const codesOf = ({ warnings }: Decision): string[] => (warnings ?? []).map(({ code }) => code);

describe.concurrent('trust', () => {
  it('an empty folder of a project that hides a guard of the user is not passed over', () =>
    inScene(async ({ plugin, put, run, ran }) => {
      plugin('home', 'guard', { PreToolUse: [note('guard', 'exit 2')] });
      put('project/.agents/plugins/guard/README', '');
      expect((await run(pre)).code).toBe(77);
      expect(ran()).toEqual([]);
      const trusted = await run(pre, '--trust');
      expect(trusted).toMatchObject({
        decision: 'allow',
        skipped: [{ name: 'guard:PreToolUse#1.1', why: 'shadowed' }],
      });
      expect(codesOf(trusted)).toContain('goose-plugin-hidden');
    }));

  it("a project's switch that turns a guard of the user off is not passed over either", () =>
    inScene(async ({ plugin, put, run }) => {
      plugin('home', 'guard', { PreToolUse: [note('guard', 'exit 2')] });
      put('project/.config/goose/settings.json', '{"disabledPlugins":["guard"]}');
      expect((await run(pre)).code).toBe(77);
      expect(await run(pre, '--trust')).toMatchObject({ decision: 'allow', skipped: [{ why: 'disabled' }] });
    }));

  it("a project that changes nothing for this event stands in nobody's way", () =>
    inScene(async ({ plugin, run }) => {
      plugin('home', 'guard', { PreToolUse: ['echo no >&2; exit 2'] });
      plugin('project', 'other', { Stop: ['true'] });
      expect(await run(pre)).toMatchObject({ code: 2, decision: 'deny', reason: 'no', cause: 'policy_denial' });
    }));
});

describe.concurrent('a chain', () => {
  it('ends with the first denial, and says what did not run', () =>
    inScene(async ({ plugin, run, ran }) => {
      plugin('home', 'a', { PreToolUse: [note('one'), note('two', 'exit 2'), note('three')] });
      const decision = await run(pre);
      expect(ran()).toEqual(['one', 'two']);
      expect(decision.skipped).toMatchObject([{ name: 'a:PreToolUse#1.3', why: 'chain-ended' }]);
      expect(decision.decidedBy).toEqual(['a:PreToolUse#1.2']);
    }));

  it('--on-failure decides about failures, and native stays what goose makes of them', () =>
    inScene(async ({ plugin, run }) => {
      plugin('home', 'a', { PreToolUse: [{ command: 'exit 3', on_failure: 'block' }, 'true'] });
      const native = { decision: 'deny', plugin: 'a', policy_evaluated: false, cause: 'hook_failure' };
      expect(await run(pre)).toMatchObject({ code: 2, cause: 'hook_failure', native });
      expect(await run(pre, '--on-failure', 'allow')).toMatchObject({
        code: 0,
        decision: 'allow',
        native,
        engine: { decision: 'deny' },
      });
    }));

  it('--on-failure block lets no file pass that goose skips', () =>
    inScene(async ({ put, run }) => {
      put('home/.agents/plugins/a/hooks/hooks.json', '{"hooks":{"PreToolUse":5}}');
      expect(await run(pre)).toMatchObject({
        code: 0,
        decision: 'allow',
        skipped: [{ name: 'a:PreToolUse', why: 'invalid' }],
      });
      expect(await run(pre, '--on-failure', 'block')).toMatchObject({
        code: 2,
        decision: 'deny',
        cause: 'hook_failure',
      });
    }));

  it('a rule with an invalid matcher does not run, and counts as a failure to load', () =>
    inScene(async ({ put, run, ran }) => {
      const rules = [
        { matcher: '*', hooks: [{ command: note('star') }, { command: note('star') }] },
        { matcher: '(?=x)', hooks: [{ command: note('ahead') }] },
        { hooks: [{ command: note('good') }] },
      ];
      put('home/.agents/plugins/a/hooks/hooks.json', JSON.stringify({ hooks: { PreToolUse: rules } }));
      const decision = await run(pre);
      expect(ran()).toEqual(['good']);
      expect(decision.skipped?.map(({ name, why }) => [name, why])).toEqual([
        ['a:PreToolUse#1.1', 'invalid'],
        ['a:PreToolUse#1.2', 'invalid'],
        ['a:PreToolUse#2.1', 'invalid'],
      ]);
      expect(codesOf(decision)).toEqual(['goose-matcher-star', 'goose-matcher-invalid']);
    }));
});

describe.concurrent('what the engine would have lost', () => {
  it('a block before a timeout denies, and the warning says that goose would not have', () =>
    inScene(async ({ plugin, run }) => {
      plugin('home', 'a', {
        PreToolUse: [{ command: `echo '{"decision":"block","reason":"no"}'; sleep 20`, timeout: 1 }],
      });
      const decision = await run(pre);
      expect(decision).toMatchObject({
        code: 2,
        reason: 'no',
        native: { decision: 'allow', policy_evaluated: false, cause: 'hook_failure' },
        engine: { decision: 'allow' },
        message:
          'Tool call denied by policy hook `a`: no. Do not retry; this is a policy denial, not a transient failure.',
      });
      expect(codesOf(decision)).toEqual(expect.arrayContaining(['engine-differs', 'timeout-killed']));
    }));

  it('with a timeout of 0 a hook is not started', () =>
    inScene(async ({ plugin, run, ran }) => {
      plugin('home', 'a', { PreToolUse: [{ command: note('x'), timeout: 0, on_failure: 'block' }] });
      const decision = await run(pre);
      expect(decision).toMatchObject({ code: 2, hooks: [{ exit: { kind: 'timed-out' } }] });
      expect(ran()).toEqual([]);
    }));

  it('payload and output may both be large', () =>
    inScene(async ({ plugin, run }) => {
      plugin('home', 'a', { PreToolUse: ['head -c 200000 /dev/zero | tr "\\0" " "; cat > /dev/null'] });
      const decision = await run({ ...pre, tool_input: { command: 'x'.repeat(300_000) } });
      expect(decision).toMatchObject({ code: 0, native: { decision: 'allow', policy_evaluated: true } });
    }));

  it('a shell that fails with 2 denies, with a warning', () =>
    inScene(async ({ plugin, run }) => {
      plugin('home', 'a', { PreToolUse: ['bash -c "fi"'] });
      const decision = await run(pre);
      expect(decision.code).toBe(2);
      expect(codesOf(decision)).toContain('exit-2-by-shell');
    }));
});

describe.concurrent('a deny in the dialect of another agent', () => {
  it('is a failure that is named', () =>
    inScene(async ({ plugin, run }) => {
      plugin('home', 'a', { PreToolUse: [`echo '{"permissionDecision":"deny"}'`] });
      const decision = await run(pre);
      expect(decision).toMatchObject({
        code: 0,
        cause: 'hook_failure',
        hooks: [{ verdict: 'no-decision', failure: 'broken-output' }],
      });
      expect(codesOf(decision)).toEqual(['goose-foreign-dialect']);
    }));
});
