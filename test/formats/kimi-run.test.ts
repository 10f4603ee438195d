/** Kimi Code's hooks from payload to exit code, where several rules meet. Real processes. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { main } from '../../src/main.ts';
import { type TestWorld, temporaryFolder, testWorld } from '../helpers/world.ts';

interface Case {
  readonly root: string;
  run(argv?: readonly string[]): Promise<{ code: number; decision: Decision; stdout: string; stderr: string }>;
  start(argv?: readonly string[]): TestWorld & { readonly done: Promise<number> };
}

const hook = (command: string, more = '', event = 'PreToolUse'): string =>
  `[[hooks]]\nevent = "${event}"\ncommand = '''${command}'''\n${more}\n\n`;

const deny = `printf '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"said"}}'`;

/** Runs `test` in a fresh home with this config.toml and a payload of this event. */
async function withHooks(toml: string, test: (one: Case) => Promise<void>, event = 'PreToolUse'): Promise<void> {
  const folder = temporaryFolder();
  const root = folder.path;
  try {
    mkdirSync(join(root, '.kimi-code'));
    writeFileSync(join(root, '.kimi-code', 'config.toml'), toml);
    const own = event === 'UserPromptSubmit' ? { prompt: [{ type: 'text', text: 'hi' }] } : { tool_name: 'Bash' };
    const stdin = JSON.stringify({ hook_event_name: event, session_id: 's', cwd: root, client_type: 'test', ...own });
    const start: Case['start'] = (argv = []) => {
      const world = testWorld({ cwd: root, home: root, stdin });
      return { ...world, done: main(['--format', 'kimi', ...argv], world.world) };
    };
    const run: Case['run'] = async (argv) => {
      const { done, stdout, stderr } = start(argv);
      const code = await done;
      const decision = stdout().startsWith('{"schemaVersion"') ? JSON.parse(stdout()) : {};
      return { code, decision, stdout: stdout(), stderr: stderr() };
    };
    await test({ root, run, start });
  } finally {
    folder.remove();
  }
}

const codes = (decision: Decision): string[] => (decision.warnings ?? []).map((warning) => warning.code);

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5);
}

describe.concurrent('Kimi Code, whole runs', () => {
  it('an exit 2 stands where a background process holds the pipes, and that process lives on', () => {
    const command = '(until [ -e go ]; do sleep 0.05; done; echo > alive) & echo no >&2; exit 2';
    return withHooks(hook(command, 'timeout = 1'), async ({ root, run }) => {
      const { code, decision } = await run();
      expect(code).toBe(2);
      expect(decision).toMatchObject({ decision: 'deny', reason: 'no', cause: 'policy_denial' });
      expect(codes(decision)).toContain('engine-unknown');
      // It waits for this, so hookrun did not wait for it.
      writeFileSync(join(root, 'go'), '');
      await until(() => existsSync(join(root, 'alive')));
    });
  });

  it('hooks run at the same time: each of two waits for the other', () => {
    const wait = (own: string, other: string): string =>
      hook(`touch ${own}; until [ -e ${other} ]; do sleep 0.05; done`);
    return withHooks(wait('a', 'b') + wait('b', 'a'), async ({ run }) => {
      expect((await run()).decision).toMatchObject({
        decision: 'allow',
        mode: 'parallel',
        hooks: [{ verdict: 'allow' }, { verdict: 'allow' }],
      });
    });
  });

  it('a deny before a timeout denies, and what the engine does is said', () =>
    withHooks(hook(`${deny}; sleep 5`, 'timeout = 1'), async ({ run }) => {
      const { code, decision } = await run();
      expect(code).toBe(2);
      expect(decision).toMatchObject({
        decision: 'deny',
        reason: 'said',
        engine: { name: 'kimi-code', decision: 'allow' },
        native: { results: [{ action: 'allow', timedOut: true }], block: null },
      });
      expect(codes(decision)).toContain('engine-differs');
    }));

  it('a deny before death by a signal too', () =>
    withHooks(hook(`${deny}; kill -9 $$`), async ({ run }) => {
      const { decision } = await run();
      expect(decision).toMatchObject({ decision: 'deny', engine: { decision: 'allow' } });
      expect(decision.native).toMatchObject({ results: [{ action: 'allow', exitCode: -1 }] });
    }));

  it('a bad entry keeps all hooks from running; under --on-failure block that denies', () =>
    withHooks(hook('touch ran') + hook('x', 'timeout = 0', 'Stop'), async ({ root, run }) => {
      const allowed = await run();
      expect(allowed.code).toBe(0);
      expect(allowed.decision).toMatchObject({
        decision: 'allow',
        hooks: [],
        skipped: [{ name: 'config:PreToolUse#1', why: 'invalid' }],
      });
      expect(allowed.decision.warnings).toMatchObject([{ code: 'kimi-entry-invalid', key: 'hooks[1].timeout' }]);
      const blocked = await run(['--on-failure', 'block']);
      expect(blocked.code).toBe(2);
      expect(blocked.decision).toMatchObject({
        decision: 'deny',
        cause: 'hook_failure',
        decidedBy: ['config:PreToolUse#1'],
      });
      const strict = await run(['--strict']);
      expect(strict.code).toBe(78);
      expect(existsSync(join(root, 'ran'))).toBe(false);
    }));

  it.each([
    ['a timeout', 'sleep 5', 'timeout = 1'],
    ['exit 1', 'exit 1', ''],
    ['a signal', 'kill -9 $$', ''],
    ['JSON that does not parse', `printf '{"a":'`, ''],
    ['a deny in the middle of text', `echo checking; ${deny}`, ''],
  ])('%s allows, and denies under --on-failure block', (_, command, more) =>
    withHooks(hook(command, more), async ({ run }) => {
      expect((await run()).decision).toMatchObject({ decision: 'allow', cause: 'hook_failure' });
      const { code, decision } = await run(['--on-failure', 'block']);
      expect(code).toBe(2);
      expect(decision).toMatchObject({ decision: 'deny', cause: 'hook_failure', engine: { decision: 'allow' } });
      expect(decision.reason).not.toBe('');
    }),
  );

  it('acting as a hook: the reason on stderr and 2, or the bare context and 0', async () => {
    await withHooks(hook('echo no >&2; exit 2'), async ({ run }) => {
      expect(await run(['-o', 'hook'])).toMatchObject({ code: 2, stdout: '', stderr: 'no\n' });
    });
    await withHooks(
      hook('echo branch: main', '', 'UserPromptSubmit') + hook('echo two', '', 'UserPromptSubmit'),
      async ({ run }) => {
        expect(await run(['-o', 'hook'])).toMatchObject({ code: 0, stdout: 'branch: main\n\ntwo' });
        const { decision } = await run();
        expect(decision.effects?.appendedContext).toMatch(
          /^<hook_result hook_event="UserPromptSubmit">\nbranch: main\n/,
        );
      },
      'UserPromptSubmit',
    );
  });

  it('a broken config.toml ends hookrun with 78, or as a denial where it must not pass', () =>
    withHooks('x = ', async ({ run }) => {
      expect(await run()).toMatchObject({
        code: 78,
        decision: { decision: null, error: { code: 'kimi-toml-syntax', line: 1 } },
      });
      expect(await run(['--on-failure', 'block'])).toMatchObject({ code: 2, decision: { decision: 'deny' } });
      expect(await run(['-o', 'hook'])).toMatchObject({ code: 2, stdout: '' });
    }));

  it('hookrun is told to end: the hooks are ended with all they started, and a stated denial stands', () =>
    withHooks(hook('echo $$ > first; echo no >&2; exit 2') + hook('sleep 30 & echo $$ > second; wait'), async (one) => {
      const { done, signal, stdout } = one.start();
      const pid = (name: string): number => Number(readIfThere(join(one.root, name)));
      await until(() => pid('first') > 0 && !isRunning(pid('first')) && pid('second') > 0);
      signal('SIGTERM');
      expect(await done).toBe(2);
      expect(JSON.parse(stdout())).toMatchObject({ decision: 'deny', reason: 'no' });
      expect(isRunning(pid('second'))).toBe(false);
    }));

  it('hookrun is told to end before anything was said', () =>
    withHooks(hook('touch started; sleep 30'), async ({ root, start }) => {
      const { done, signal, stdout } = start();
      await until(() => existsSync(join(root, 'started')));
      signal('SIGINT');
      expect(await done).toBe(130);
      const decision = JSON.parse(stdout());
      expect(decision).toMatchObject({ decision: null, native: { block: null } });
      // The engine's own interruption gives no exit code either.
      expect(decision.native.results).toEqual([{ action: 'allow', stdout: '', stderr: '' }]);
    }));

  it('equal commands run once, and in sequence all run, whatever the first one says', () =>
    withHooks(
      hook('echo x >> log; exit 2') + hook('echo x >> log; exit 2') + hook('echo y >> log'),
      async ({ root, run }) => {
        const { decision } = await run(['--sequential']);
        expect(decision.hooks?.map((one) => one.name)).toEqual(['config:PreToolUse#1', 'config:PreToolUse#3']);
        expect(decision.skipped).toMatchObject([{ name: 'config:PreToolUse#2', why: 'duplicate' }]);
        expect(readFileSync(join(root, 'log'), 'utf8')).toBe('x\ny\n');
      },
    ));

  it('flags alone make a payload as Kimi Code sends it', () =>
    withHooks(hook('cat > seen', '', 'UserPromptSubmit') + hook('cat > seen'), async ({ root, run }) => {
      const world = testWorld({ cwd: root, home: root });
      const argv = ['--event', 'PreToolUse', '--tool', 'Bash', '--tool-input', '{"command":"ls"}', '--session-id', 's'];
      expect(await main(argv, world.world)).toBe(0);
      expect(readFileSync(join(root, 'seen'), 'utf8')).toBe(
        JSON.stringify({
          hook_event_name: 'PreToolUse',
          session_id: 's',
          cwd: root,
          client_type: 'kimi_code_cli',
          tool_name: 'Bash',
          tool_input: { command: 'ls' },
        }),
      );
      await run(['--event', 'UserPromptSubmit', '--prompt', 'go']);
      expect(JSON.parse(readFileSync(join(root, 'seen'), 'utf8')).prompt).toEqual([{ type: 'text', text: 'go' }]);
    }));
});
