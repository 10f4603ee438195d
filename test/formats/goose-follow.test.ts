/** What follows from one event of goose, and the limit on denials of Stop. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { countDenial } from '../../src/denial-cap.ts';
import { main } from '../../src/main.ts';
import { temporaryFolder, testWorld } from '../helpers/world.ts';

const action = (command: string) => [{ hooks: [{ type: 'command', command }] }];

async function inProject(
  hooks: unknown,
  work: (
    run: (payload: unknown, args?: string[]) => Promise<Decision & { code: number }>,
    home: string,
  ) => Promise<void>,
) {
  const scratch = temporaryFolder('hookrun-follow-');
  try {
    const folder = join(scratch.path, '.agents', 'plugins', 'p', 'hooks');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ hooks }));
    const home = join(scratch.path, 'home');
    mkdirSync(home);
    await work(async (payload, args = []) => {
      const { world, stdout } = testWorld({ cwd: scratch.path, home, stdin: JSON.stringify(payload) });
      const code = await main(['--trust', ...args], world);
      return { ...(JSON.parse(stdout()) as Decision), code };
    }, home);
  } finally {
    scratch.remove();
  }
}

const shell = {
  event: 'PreToolUse',
  session_id: 's',
  tool_name: 'developer__shell',
  tool_input: { command: 'ls' },
  tool_call_id: 'c',
};

describe.concurrent('what follows', () => {
  it('PreToolUseResult is run after an allow and after a denial, and native says what its hooks got', async () => {
    await inProject(
      {
        PreToolUse: action('grep -q rm && echo no >&2 && exit 2; exit 0'),
        PreToolUseResult: action('cat > result.json; exit 2'),
      },
      async (run) => {
        const allowed = await run(shell);
        expect(allowed).toMatchObject({
          decision: 'allow',
          native: { preToolUseResult: { event: 'PreToolUseResult', decision: 'allow' } },
        });
        expect(allowed.followed).toMatchObject([
          { event: { name: 'PreToolUseResult', canBlock: false }, hooks: [{ exit: { code: 2 } }] },
        ]);
        const denied = await run({ ...shell, tool_input: { command: 'rm x' } });
        expect(denied).toMatchObject({
          code: 2,
          native: { preToolUseResult: { decision: 'deny', blocked_by: 'p', reason: 'no' } },
        });
      },
    );
  });

  it('events of finer grain run only with --derived, and only where the tool may run', async () => {
    const hooks = {
      PreToolUse: action('grep -q rm && exit 2; exit 0'),
      BeforeShellExecution: [{ matcher: '^ls', hooks: [{ command: 'cat >/dev/null' }] }],
      AfterShellExecution: action('true'),
    };
    await inProject(hooks, async (run) => {
      expect((await run(shell)).followed).toBeUndefined();
      const { followed } = await run(shell, ['--derived']);
      expect(followed).toMatchObject([
        { event: { name: 'BeforeShellExecution', target: 'ls' }, hooks: [{ verdict: 'allow' }] },
      ]);
      expect((await run({ ...shell, tool_input: { command: 'rm x' } }, ['--derived'])).followed).toBeUndefined();
      const after = await run({ ...shell, event: 'PostToolUse', tool_output: {} }, ['--derived']);
      expect(after.followed?.map(({ event }) => event.name)).toEqual(['AfterShellExecution']);
      const dry = await run(shell, ['--derived', '--dry-run']);
      expect(dry.followed).toMatchObject([{ hooks: [{ exit: { kind: 'not-started' } }] }]);
    });
  });

  it('a project that is not trusted is refused for what would follow, too', async () => {
    const scratch = temporaryFolder('hookrun-follow-');
    try {
      const folder = join(scratch.path, '.agents', 'plugins', 'p', 'hooks');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, 'hooks.json'),
        JSON.stringify({ hooks: { PreToolUseResult: action('touch started') } }),
      );
      const { world, stdout } = testWorld({
        cwd: scratch.path,
        home: join(scratch.path, 'none'),
        stdin: JSON.stringify(shell),
      });
      expect(await main([], world), stdout()).toBe(77);
      expect(readdirSync(scratch.path)).toEqual(['.agents']);
    } finally {
      scratch.remove();
    }
  });
});

describe('--stop-cap', () => {
  it.each([
    [0, true, 2, { count: 1, overridden: false }],
    [1, true, 2, { count: 2, overridden: false }],
    [2, true, 2, { count: 0, overridden: true }],
    [2, false, 2, { count: 0, overridden: false }],
    [0, true, 0, { count: 0, overridden: true }],
  ])('after %i denials, denied again: %s, with a cap of %i', (before, denied, cap, expected) => {
    expect(countDenial(before, denied, cap)).toEqual(expected);
  });

  it('lets Stop through after that many denials in a row of one session, and starts anew', async () => {
    await inProject({ Stop: action('grep -q again && exit 2; exit 0') }, async (run, home) => {
      const stop = (session_id: string, text = 'again') =>
        run({ event: 'Stop', session_id, last_assistant_message: text }, ['--stop-cap', '2']);
      const codes = [];
      for (const session of ['a', 'a', 'b', 'a', 'a']) codes.push((await stop(session)).code);
      expect(codes).toEqual([2, 2, 2, 0, 2]);
      const overridden = await stop('c')
        .then(() => stop('c'))
        .then(() => stop('c'));
      expect(overridden.warnings?.map(({ code }) => code)).toContain('denial-cap');
      expect(overridden).toMatchObject({
        decision: 'allow',
        native: { decision: 'deny' },
        engine: { decision: 'deny' },
      });
      expect((await stop('a', 'fine')).code).toBe(0);
      expect((await stop('a')).code).toBe(2);
      expect((await stop('a')).code).toBe(2);
      expect(readdirSync(join(home, '.local', 'state', 'hookrun')).length).toBe(2);
    });
  });

  it('without it nothing is counted or kept', async () => {
    await inProject({ Stop: action('exit 2') }, async (run, home) => {
      for (let round = 0; round < 10; round += 1) expect((await run({ event: 'Stop', session_id: 's' })).code).toBe(2);
      expect(readdirSync(home)).toEqual([]);
    });
  });
});
