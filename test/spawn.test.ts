/** Hooks that misbehave, as real processes: through the spawner alone, and through the whole of hookrun. */

import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../src/decision-schema.ts';
import type { Format, FormatEntry } from '../src/formats/format.ts';
import { gemini } from '../src/formats/index.ts';
import { createSpawner, type Limits, type Spawner } from '../src/spawn.ts';
import type { HookRun, Start } from '../src/types.ts';
import { type Called, callMain, isAlive, isReaped, type Scene, until, withScene } from './helpers/live-hooks.ts';
import { startChild } from './helpers/start-child.ts';

const mebi = 1024 * 1024;
/** Far beyond what a hook gets here, far below how long these hooks stay when nobody ends them. */
const soonMs = 15_000;
const longMs = 60_000;

let count = 0;
const newSpawner = (): Spawner =>
  createSpawner(startChild, { folder: tmpdir(), name: () => `.hookrun-test-${process.pid}-${count++}` });

const startOf = (scene: Scene, script: string, more: Partial<Start> = {}): Start => ({
  file: 'bash',
  args: ['-c', scene.bash(script)],
  shown: script,
  env: { PATH: process.env['PATH'] ?? '', HOME: scene.home },
  cwd: scene.project,
  stdio: 'sockets',
  graceMs: 200,
  removedEnv: [],
  problems: [],
  ...more,
});

const limits = (more: Partial<Limits> = {}): Limits => ({
  timeoutMs: longMs,
  boundBy: 'timeout',
  outputBytes: 64 * mebi,
  ...more,
});

/**
 * Runs something that is bound to time out, and again with more time where a busy machine had not even let it get to its note
 * `ready`: what it prepared before it (a trap, a child) is what the test is about.
 */
async function withTime<T>(scene: Scene, run: (timeoutMs: number) => Promise<T>): Promise<T> {
  for (const timeoutMs of [300, 1200]) {
    const result = await run(timeoutMs);
    if (scene.noted('ready')) return result;
  }
  return run(5000);
}

const endPid = (pid: number): void => {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
};

describe.concurrent.each(['sockets', 'pipes'] as const)('a hook whose time is up, on %s', (stdio) => {
  const timeOut = (scene: Scene, script: string, graceMs = 200): Promise<HookRun> =>
    withTime(scene, (timeoutMs) =>
      newSpawner().run(startOf(scene, script, { stdio, graceMs }), '', limits({ timeoutMs })),
    );

  it('is killed when it ignores SIGTERM', () =>
    withScene(async (scene) => {
      const run = await timeOut(scene, `trap '' TERM; note hook $$; note ready; stay`);
      expect(run.exit).toMatchObject({ kind: 'timed-out', by: 'timeout' });
      expect(run.exit).not.toHaveProperty('code');
      expect(run.durationMs).toBeLessThan(soonMs);
      expect(isAlive(await scene.pid('hook'))).toBe(false);
    }));

  it('gets the grace time to put things in order', () =>
    withScene(async (scene) => {
      const script = `trap 'note tidy; exit 0' TERM; note ready; stay`;
      const run = await timeOut(scene, script, longMs);
      expect(run.exit).toMatchObject({ kind: 'timed-out', code: 0 });
      expect(scene.noted('tidy')).toBe(true);
    }));

  it('takes along a grandchild that would outlive it', () =>
    withScene(async (scene) => {
      const run = await timeOut(scene, `stay >/dev/null 2>&1 & note child $!; note ready; wait`);
      expect(run.exit.kind).toBe('timed-out');
      expect(isAlive(await scene.pid('child'))).toBe(false);
    }));

  it('takes along a grandchild that ignores SIGTERM', () =>
    withScene(async (scene) => {
      const script = `(trap '' TERM; note trapped; stay) >/dev/null 2>&1 & note child $!; await trapped; note ready; wait`;
      const run = await timeOut(scene, script);
      expect(run.exit).toMatchObject({ kind: 'timed-out' });
      expect(isAlive(await scene.pid('child'))).toBe(false);
      expect(run.durationMs).toBeLessThan(soonMs);
    }));

  it('is not waited for when what is left of it holds its pipes and ignores SIGTERM', () =>
    withScene(async (scene) => {
      const script = `(trap '' TERM; note trapped; stay) & note child $!; await trapped; note ready; wait`;
      const run = await timeOut(scene, script);
      expect(run).toMatchObject({ exit: { kind: 'timed-out' }, held: false });
      expect(isAlive(await scene.pid('child'))).toBe(false);
    }));

  // Only Linux says which processes belong to a session.
  it.skipIf(process.platform !== 'linux')('takes along what it put into process groups of its own', () =>
    withScene(async (scene) => {
      const script = `set -m; stay >/dev/null 2>&1 & note child $!; note ready; wait`;
      await timeOut(scene, script);
      expect(isAlive(await scene.pid('child'))).toBe(false);
    }),
  );

  it('is ended even when it is stopped, and without waiting for the grace time', () =>
    withScene(async (scene) => {
      const run = await timeOut(scene, `note hook $$; note ready; kill -STOP $$; stay`, longMs);
      expect(run.exit.kind).toBe('timed-out');
      expect(run.durationMs).toBeLessThan(soonMs);
      expect(isAlive(await scene.pid('hook'))).toBe(false);
    }));

  it('does not hold up the run through something that left its session', () =>
    withScene(async (scene) => {
      const run = await timeOut(scene, `${daemon(scene)}; note ready; stay`);
      const pid = await scene.pid('daemon');
      try {
        expect(run).toMatchObject({ exit: { kind: 'timed-out' }, held: false });
        expect(run.durationMs).toBeLessThan(soonMs);
        expect(isAlive(pid)).toBe(true);
      } finally {
        endPid(pid);
      }
    }));
});

describe('a hook that ended in time, while hookrun itself was held up', () => {
  it.each(['sockets', 'pipes'] as const)('is judged by its exit code, on %s', (stdio) =>
    withScene(async (scene) => {
      const start = startOf(scene, `note hook $$; await go; exit 2`, { stdio });
      const timeoutMs = 2000;
      const heldUntil = performance.now() + timeoutMs + 100;
      const ran = newSpawner().run(start, '', limits({ timeoutMs }));
      const pid = await scene.pid('hook');
      scene.note('go');
      // After a look at what processes did and before one at timers, which then come first; anywhere else the end of the hook is seen in time.
      await new Promise((resolve) => setImmediate(resolve));
      // Nothing of the loop runs in here, as when the whole of hookrun is stopped (Ctrl-Z, a suspended machine).
      const cell = new Int32Array(new SharedArrayBuffer(4));
      while (performance.now() < heldUntil || (isAlive(pid) && performance.now() < heldUntil + soonMs))
        Atomics.wait(cell, 0, 0, 20);
      expect((await ran).exit).toMatchObject({ kind: 'exited', code: 2 });
    }),
  );
});

describe.concurrent('a hook whose time is up', () => {
  it('keeps the denial that it printed before', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'late', script: `deny 'not this'; note ready; stay` }]);
      const { code, decision } = await withTime(scene, (ms) => callMain(scene, ['--timeout', `${ms}ms`]).ended);
      expect(decision).toMatchObject({ decision: 'deny', reason: 'not this', cause: 'policy_denial' });
      expect(decision.hooks?.[0]).toMatchObject({ verdict: 'deny', exit: { kind: 'timed-out' } });
      // The agent's engine throws it away, and a person who tests the hook must see that.
      expect(decision.engine?.decision).toBe('allow');
      expect(code).toBe(2);
    }));

  it('keeps the denial that it printed before, whatever it adds on being ended', () =>
    withScene(async (scene) => {
      const script = `trap 'echo bye; exit 1' TERM; deny 'not this'; note ready; stay`;
      scene.configure([{ name: 'late', script }]);
      const { code, decision } = await withTime(scene, (ms) => callMain(scene, ['--timeout', `${ms}ms`]).ended);
      expect(decision.hooks?.[0]?.stdout).toContain('bye');
      expect(decision).toMatchObject({ decision: 'deny', reason: 'not this' });
      expect(code).toBe(2);
    }));

  it('does not deny by the exit code of a trap', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'late', script: `trap 'exit 2' TERM; note ready; stay` }]);
      const { code, decision } = await withTime(scene, (ms) => callMain(scene, ['--timeout', `${ms}ms`]).ended);
      expect(decision.hooks?.[0]).toMatchObject({ verdict: 'no-decision', exit: { kind: 'timed-out', code: 2 } });
      expect(decision).toMatchObject({ decision: 'allow', cause: 'hook_failure' });
      expect(code).toBe(0);
    }));

  it('has its own timeout where --timeout is longer', () =>
    withScene(async (scene) => {
      scene.configure([
        { name: 'short', script: 'stay', timeout: 300 },
        { name: 'long', script: 'stay', timeout: longMs },
      ]);
      const { decision } = await callMain(scene, ['--timeout', '500ms']).ended;
      expect(decision.hooks?.map(({ exit }) => [exit.kind, exit.why])).toEqual([
        ['timed-out', 'timeout of 300 ms'],
        ['timed-out', 'timeout of 500 ms'],
      ]);
    }));

  it('is ended at the deadline of the run, and what was to follow does not start', () =>
    withScene(async (scene) => {
      scene.configure(
        [
          { name: 'first', script: 'note ready; stay' },
          { name: 'second', script: 'note started; exit 2' },
        ],
        true,
      );
      const { code, decision } = await withTime(scene, (ms) => callMain(scene, ['--deadline', `${ms}ms`]).ended);
      expect(decision.hooks?.map(({ exit }) => exit.kind)).toEqual(['timed-out', 'not-started']);
      expect(decision.hooks?.[0]?.exit.why).toMatch(/^deadline of /);
      expect(decision.warnings?.map((warning) => warning.code)).toContain('deadline-passed');
      expect(scene.noted('started')).toBe(false);
      expect(code).toBe(0);
    }));
});

/** Shell text that starts something in a session of its own, which holds the hook's pipes. */
function daemon(scene: Scene): string {
  const file = join(scene.notes, '.daemon.mjs');
  const text = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = spawn('sleep', ['30'], { detached: true, stdio: 'inherit' });
writeFileSync(${JSON.stringify(join(scene.notes, 'daemon'))}, String(child.pid));
child.unref();`;
  writeFileSync(file, text);
  return `'${process.execPath}' '${file}'`;
}

describe.concurrent.each(['sockets', 'pipes'] as const)('a hook that is ended from outside, on %s', (stdio) => {
  it('is killed by the second word, grandchildren that ignore the first one too', () =>
    withScene(async (scene) => {
      const spawner = newSpawner();
      const script = `(trap '' TERM; note trapped; stay) & note child $!; await trapped; note hook $$; wait`;
      const run = spawner.run(startOf(scene, script, { stdio }), '', limits());
      const hook = await scene.pid('hook');
      spawner.interrupt(longMs);
      await until(() => isReaped(hook), 'the end of the hook itself');
      spawner.killAll();
      expect(await run).toMatchObject({ exit: { kind: 'signalled', signal: 'SIGTERM' }, interrupted: true });
      expect(isAlive(await scene.pid('child'))).toBe(false);
    }));

  it('is killed at once where there is no first word', () =>
    withScene(async (scene) => {
      const spawner = newSpawner();
      const script = `(trap '' TERM; note trapped; stay) & note child $!; await trapped; deny no; note hook $$; stay`;
      const run = spawner.run(startOf(scene, script, { stdio, graceMs: longMs }), '', limits());
      const hook = await scene.pid('hook');
      spawner.killAll();
      expect(await run).toMatchObject({ exit: { kind: 'signalled', signal: 'SIGKILL' }, interrupted: true });
      expect((await run).stdout.toString()).toContain('deny');
      expect([isAlive(hook), isAlive(await scene.pid('child'))]).toEqual([false, false]);
    }));

  it('gets no longer grace for having timed out already', () =>
    withScene(async (scene) => {
      const spawner = newSpawner();
      const script = `trap 'note told' TERM; note hook $$; stay`;
      const run = spawner.run(startOf(scene, script, { stdio, graceMs: longMs }), '', limits({ timeoutMs: 1000 }));
      await scene.heard('told');
      spawner.interrupt(100);
      expect((await run).exit.kind).toBe('timed-out');
      expect(isAlive(await scene.pid('hook'))).toBe(false);
      expect((await run).durationMs).toBeLessThan(soonMs);
    }));

  it('gets no longer grace for having timed out already when only a grandchild is left', () =>
    withScene(async (scene) => {
      const spawner = newSpawner();
      const script = `(trap '' TERM; note trapped; stay) & note child $!; await trapped; note hook $$; wait`;
      const began = Date.now();
      const run = spawner.run(startOf(scene, script, { stdio, graceMs: longMs }), '', limits({ timeoutMs: 1000 }));
      const hook = await scene.pid('hook');
      await until(() => isReaped(hook), 'the end of the hook itself');
      spawner.interrupt(100);
      expect((await run).exit.kind).toBe('timed-out');
      expect(isAlive(await scene.pid('child'))).toBe(false);
      expect(Date.now() - began).toBeLessThan(soonMs);
    }));

  it('does not start after that', () =>
    withScene(async (scene) => {
      const spawner = newSpawner();
      spawner.interrupt(100);
      const run = await spawner.run(startOf(scene, 'note started', { stdio }), '', limits());
      expect(run).toMatchObject({ exit: { kind: 'not-started' }, interrupted: true });
      expect(scene.noted('started')).toBe(false);
    }));
});

describe.concurrent('what a hook leaves running', () => {
  it('is neither waited for nor killed when the hook had ended in time', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'busy', script: `stay & note child $!; deny 'not this'` }]);
      const { code, decision } = await callMain(scene).ended;
      const child = await scene.pid('child');
      try {
        expect(decision).toMatchObject({ decision: 'deny', reason: 'not this' });
        expect(decision.warnings?.map((warning) => warning.code)).toContain('engine-unknown');
        expect(code).toBe(2);
        // Waiting for the pipe would take half a minute. The drain is 100 ms; the rest is for a busy machine.
        expect(decision.durationMs).toBeLessThan(soonMs);
        expect(isAlive(child)).toBe(true);
      } finally {
        endPid(child);
      }
    }));

  it('is left alone in a session of its own, too', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'busy', script: `${daemon(scene)}; deny 'not this'` }]);
      const { code, decision } = await callMain(scene).ended;
      const pid = await scene.pid('daemon');
      try {
        expect(code).toBe(2);
        expect(decision.durationMs).toBeLessThan(soonMs);
        expect(isAlive(pid)).toBe(true);
      } finally {
        endPid(pid);
      }
    }));

  it('is not waited for when it closed the pipes', () =>
    withScene(async (scene) => {
      const run = await newSpawner().run(
        startOf(scene, `stay >/dev/null 2>&1 & note child $!; echo done`),
        '',
        limits(),
      );
      endPid(await scene.pid('child'));
      expect(run).toMatchObject({ exit: { kind: 'exited', code: 0 }, held: false, early: undefined });
      expect(run.stdout.toString()).toBe('done\n');
    }));
});

// Not beside others: whether the addition comes within the drain is a matter of milliseconds.
it.each([
  ['deny', 2, 'engine-differs'],
  ['ask', 3, 'output-late'],
] as const)('lets a decision to %s stand to which a background process adds something', (kind, exitCode, warning) =>
  withScene(async (scene) => {
    const says = `printf '{"decision":"${kind}","reason":"not this"}'`;
    // Once the hook has been reaped its output has been taken in; the addition comes a moment later, within the drain.
    const adding = `(gone $1; sleep 0.03; echo ' and more'; note added) & set --; ${says}`;
    scene.configure([{ name: 'untidy', script: `set -- $$; ${adding}` }]);
    let seen: Decision | undefined;
    for (let attempt = 0; attempt < 5 && seen === undefined; attempt += 1) {
      const { code, decision } = await callMain(scene).ended;
      expect(decision).toMatchObject({ decision: kind, reason: 'not this' });
      expect(code).toBe(exitCode);
      if (decision.hooks?.[0]?.stdout?.includes('and more') === true) seen = decision;
    }
    expect(seen?.warnings?.map(({ code }) => code)).toContain(warning);
    // The engine reads the whole, and that is not JSON.
    expect(seen?.engine?.decision).toBe('allow');
  }),
);

describe('much output', () => {
  const spaces = (bytes: number): string => `head -c ${bytes} /dev/zero | tr '\\0' ' '`;

  it('of 60 MB is judged whole', () =>
    withScene(async (scene) => {
      const script = `printf '{"decision":"deny","reason":"at the end",'; ${spaces(60e6)}; printf '"x":1}'`;
      scene.configure([{ name: 'wordy', script }]);
      const { code, decision } = await callMain(scene).ended;
      expect(decision).toMatchObject({ decision: 'deny', reason: 'at the end' });
      expect(decision.hooks?.[0]).toMatchObject({ truncated: true, exit: { kind: 'exited', code: 0 } });
      expect(decision.hooks?.[0]?.stdout?.length).toBeLessThanOrEqual(64 * 1024);
      expect(code).toBe(2);
    }));

  it('of 70 MB is too much, and is no decision', () =>
    withScene(async (scene) => {
      const script = `printf '{"decision":"deny","reason":"at the end",'; ${spaces(70e6)}; printf '"x":1}'; stay`;
      scene.configure([{ name: 'wordy', script }]);
      const { code, decision } = await callMain(scene).ended;
      expect(decision).toMatchObject({ decision: 'allow', cause: 'hook_failure' });
      expect(decision.hooks?.[0]).toMatchObject({ failure: 'output-limit', exit: { kind: 'output-limit' } });
      expect(decision.warnings?.map((warning) => warning.code)).toContain('output-limit');
      expect(code).toBe(0);
    }));

  it('of 70 MB after a denial does not undo it', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'wordy', script: `deny 'at the start'; ${spaces(70e6)}; stay` }]);
      const { code, decision } = await callMain(scene).ended;
      expect(decision).toMatchObject({ decision: 'deny', reason: 'at the start' });
      expect(decision.hooks?.[0]?.exit.kind).toBe('output-limit');
      expect(code).toBe(2);
    }));

  for (const stdio of ['sockets', 'pipes'] as const) {
    it(`without an end is ended, on stdout and on stderr, and of one that ignores SIGTERM (${stdio})`, () =>
      withScene(async (scene) => {
        const spawner = newSpawner();
        const flood = (script: string): Promise<HookRun> =>
          spawner.run(startOf(scene, script, { stdio }), '', limits({ outputBytes: mebi }));
        const [out, err] = await Promise.all([
          flood(`note out $$; exec yes`),
          flood(`trap '' TERM; note err $$; exec yes >&2`),
        ]);
        expect(out).toMatchObject({ exit: { kind: 'output-limit' } });
        expect(out.stdout.length).toBe(mebi);
        expect(err).toMatchObject({ exit: { kind: 'output-limit' } });
        expect(err.stderr.length).toBe(mebi);
        expect([isAlive(await scene.pid('out')), isAlive(await scene.pid('err'))]).toEqual([false, false]);
      }));

    it(`is never cut without a word, even where the hook has ended before all of it was read (${stdio})`, () =>
      withScene(async (scene) => {
        const start = startOf(scene, 'head -c 100000 /dev/zero', { stdio });
        const run = await newSpawner().run(start, '', limits({ outputBytes: 99_999 }));
        expect(run.stdout.length).toBe(99_999);
        expect(run.exit.kind).toBe('output-limit');
      }));
  }

  it('may be split inside a character', () =>
    withScene(async (scene) => {
      // The first half of é, and the second when the first has surely been read; then more than fits one read, three bytes each.
      const script = `printf 'caf\\303'; note half; await go; printf '\\251'; for _ in $(seq 2000); do printf '%s' "$line"; done`;
      const line = '€'.repeat(50);
      const start = startOf(scene, `line='${line}'\n${script}`);
      const run = newSpawner().run(start, '', limits());
      await scene.heard('half');
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      scene.note('go');
      expect((await run).stdout.toString()).toBe(`café${line.repeat(2000)}`);

      scene.configure([{ name: 'wordy', script: `line='${line}'\n${script}` }]);
      const { decision } = await callMain(scene).ended;
      const shown = decision.hooks?.[0]?.stdout ?? '';
      expect(decision.hooks?.[0]?.truncated).toBe(true);
      expect(Buffer.byteLength(shown)).toBeGreaterThan(64 * 1024 - 4);
      expect(shown).not.toContain('\uFFFD');
    }));
});

describe.concurrent('stdin', () => {
  const bigPayload = (scene: Scene): string => scene.payload.replace('hello', 'x'.repeat(mebi));

  for (const [how, script] of [
    ['ends at once', `deny 'not this'; exit 0`],
    ['closes it and goes on', `exec 0<&-; note closed; await go; deny 'not this'`],
    ['reads a little of it', `head -c 10 > /dev/null; deny 'not this'`],
  ] as const)
    it(`of 1 MB to a hook that ${how} is no failure`, () =>
      withScene(async (scene) => {
        scene.note('go');
        scene.configure([{ name: 'deaf', script }]);
        const { code, decision } = await callMain(scene, [], { stdin: bigPayload(scene) }).ended;
        expect(decision).toMatchObject({ decision: 'deny', reason: 'not this', cause: 'policy_denial' });
        expect(code).toBe(2);
      }));

  it('of 1 MB arrives to the byte, for every hook', () =>
    withScene(async (scene) => {
      const stdin = bigPayload(scene);
      scene.configure(['a', 'b'].map((name) => ({ name, script: `cat > "$N/${name}"` })));
      await callMain(scene, [], { stdin }).ended;
      expect(scene.read('a') === stdin).toBe(true);
      expect(scene.read('b') === stdin).toBe(true);
    }));

  it('is waited for by nobody when the hook has ended and a child holds it', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'deaf', script: `stay <&0 >/dev/null 2>&1 & note child $!; deny 'not this'` }]);
      const { code, decision } = await callMain(scene, [], { stdin: bigPayload(scene) }).ended;
      endPid(await scene.pid('child'));
      expect(code).toBe(2);
      expect(decision.durationMs).toBeLessThan(soonMs);
    }));
});

describe.concurrent('a hook that dies of a signal', () => {
  const dying = (script: string): Promise<Called> =>
    withScene((scene) => {
      scene.configure([{ name: 'dying', script: `${script}; kill -KILL $$` }]);
      return callMain(scene).ended;
    });

  it('has denied if it said so in JSON', async () => {
    const { code, decision } = await dying(`deny 'not this'`);
    expect(decision).toMatchObject({ decision: 'deny', reason: 'not this', cause: 'policy_denial' });
    expect(decision.hooks?.[0]?.exit).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    expect(code).toBe(2);
  });

  for (const [what, script] of [
    ['some text', 'echo hello; echo world >&2'],
    ['nothing', ':'],
    ['a JSON allow', `printf '{"decision":"allow"}'`],
  ] as const)
    it(`could not decide if it said ${what}`, async () => {
      const { code, decision } = await dying(script);
      expect(decision).toMatchObject({ decision: 'allow', cause: 'hook_failure' });
      expect(decision.hooks?.[0]).toMatchObject({ verdict: 'no-decision', failure: 'signalled' });
      expect(code).toBe(0);
    });

  it('denies under --on-failure block', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'dying', script: 'kill -TERM $$; stay' }]);
      const { code, decision } = await callMain(scene, ['--on-failure', 'block']).ended;
      expect(decision).toMatchObject({ decision: 'deny', cause: 'hook_failure' });
      expect(code).toBe(2);
    }));
});

describe.concurrent('a hook that can not be started', () => {
  it('is told from its working folder that is missing', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'lost', script: 'note started' }]);
      const missing = join(scene.project, 'missing');
      const { code, decision } = await callMain(scene, ['--cwd', missing]).ended;
      expect(decision).toMatchObject({ decision: 'allow', cause: 'hook_failure' });
      expect(decision.hooks?.[0]?.exit).toEqual({
        kind: 'not-started',
        why: `the working folder ${missing} does not exist`,
      });
      expect(scene.noted('started')).toBe(false);
      expect(code).toBe(0);
    }));

  it('is told from its working folder that is a file', () =>
    withScene(async (scene) => {
      scene.note('file');
      const cwd = join(scene.notes, 'file');
      const run = await newSpawner().run(startOf(scene, ':', { cwd }), '', limits());
      expect(run.exit).toMatchObject({ kind: 'not-started', why: `the working folder ${cwd} is not a folder` });
    }));

  it('is told from a missing bash', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'lost', script: 'exit 2' }]);
      const env = { PATH: scene.notes, HOME: scene.home };
      const { decision } = await callMain(scene, [], { env }).ended;
      expect(decision).toMatchObject({ decision: 'allow', cause: 'hook_failure' });
      expect(decision.hooks?.[0]?.exit).toEqual({ kind: 'not-started', why: 'bash was not found on PATH' });
    }));

  it('is told from a command that is too large for the system', () =>
    withScene(async (scene) => {
      const start = startOf(scene, ':', { env: { BIG: 'x'.repeat(8 * mebi) } });
      for (const stdio of ['sockets', 'pipes'] as const) {
        const run = await newSpawner().run({ ...start, stdio }, '', limits());
        expect(run.exit).toMatchObject({ kind: 'not-started', why: expect.stringContaining('E2BIG') });
      }
    }));

  it('is told from a text that no process can be given', () =>
    withScene(async (scene) => {
      const run = await newSpawner().run(startOf(scene, 'echo \0'), '', limits());
      expect(run.exit.kind).toBe('not-started');
    }));
});

it.concurrent('gives a hook just the environment and the folder it was to have', () =>
  withScene(async (scene) => {
    const env = { PATH: process.env['PATH'] ?? '', A: '1', EMPTY: '', LINES: 'a\nb', 'with.dot': 'é' };
    const script = 'process.stdout.write(JSON.stringify([process.env, process.cwd(), process.argv.slice(1)]))';
    const start = startOf(scene, '', { file: process.execPath, args: ['-e', script, 'x y', '$A'], env });
    const run = await newSpawner().run(start, '', limits());
    const [seen, cwd, args] = JSON.parse(run.stdout.toString()) as [Record<string, string>, string, string[]];
    // macOS adds one by itself.
    delete seen['__CF_USER_TEXT_ENCODING'];
    expect(seen).toEqual(env);
    expect(cwd).toBe(realpathSync(scene.project));
    expect(args).toEqual(['x y', '$A']);
  }));

describe.concurrent('several hooks', () => {
  const pair = [
    { name: 'a', script: 'note a; await b' },
    { name: 'b', script: 'note b; await a' },
  ];

  it('run at the same time: neither of these can end without the other', () =>
    withScene(async (scene) => {
      scene.configure(pair);
      const { code, decision } = await callMain(scene).ended;
      expect(decision).toMatchObject({ decision: 'allow', mode: 'parallel' });
      expect(decision.hooks?.map(({ exit }) => exit)).toEqual([
        { kind: 'exited', code: 0 },
        { kind: 'exited', code: 0 },
      ]);
      expect(code).toBe(0);
    }));

  it('run one by one with --jobs 1: the first of these waits for the second in vain', () =>
    withScene(async (scene) => {
      scene.configure(pair);
      const { decision } = await callMain(scene, ['--jobs', '1', '--timeout', '700ms']).ended;
      expect(decision.hooks?.map(({ exit }) => exit.kind)).toEqual(['timed-out', 'exited']);
    }));

  it('keep their order with --jobs 1', () =>
    withScene(async (scene) => {
      const names = ['c', 'a', 'd', 'b'];
      scene.configure(names.map((name) => ({ name, script: `log "+${name}"; sleep 0.1; log "-${name}"` })));
      const { decision } = await callMain(scene, ['-j1']).ended;
      expect(decision.mode).toBe('parallel');
      expect(scene.read('log').trim().split('\n')).toEqual(names.flatMap((name) => [`+${name}`, `-${name}`]));
    }));

  it('are never more at a time than --jobs says, and as many', () =>
    withScene(async (scene) => {
      // Each waits until it has seen a second one, and then a little, so that a third one would show in the log.
      const names = ['a', 'b', 'c', 'd'];
      const partner = { a: 'b', b: 'a', c: 'd', d: 'c' } as Record<string, string>;
      scene.configure(
        names.map((name) => ({ name, script: `log "+"; note ${name}; await ${partner[name]}; sleep 0.2; log "-"` })),
      );
      const { decision } = await callMain(scene, ['--jobs', '2']).ended;
      expect(decision.hooks?.map(({ exit }) => exit.code)).toEqual([0, 0, 0, 0]);
      let now = 0;
      let most = 0;
      for (const line of scene.read('log').trim().split('\n')) {
        now += line === '+' ? 1 : -1;
        most = Math.max(most, now);
      }
      expect(most).toBe(2);
    }));

  it('one after the other each see the end of the one before', () =>
    withScene(async (scene) => {
      scene.configure(
        ['a', 'b', 'c'].map((name) => ({ name, script: `log "+${name}"; sleep 0.1; log "-${name}"` })),
        true,
      );
      const { decision } = await callMain(scene).ended;
      expect(decision.mode).toBe('sequential');
      expect(scene.read('log').trim().split('\n')).toEqual(['+a', '-a', '+b', '-b', '+c', '-c']);
    }));

  it('stand in plan order, whichever ended first', () =>
    withScene(async (scene) => {
      // Each is gone (and reaped) before the one that stands before it may end.
      const script = (name: string, next: string): string =>
        `note ${name} $$; await ${next}; gone "$(cat "$N/${next}")"; log ${name}; deny 'no from ${name}'`;
      scene.configure([
        { name: 'first', script: script('first', 'second') },
        { name: 'second', script: script('second', 'third') },
        { name: 'third', script: `note third $$; log third; deny 'no from third'` },
      ]);
      const { decision } = await callMain(scene).ended;
      expect(scene.read('log').trim().split('\n')).toEqual(['third', 'second', 'first']);
      expect(decision.hooks?.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
      expect(decision.decidedBy).toEqual(['first', 'second', 'third']);
      expect(decision.reason).toBe('no from first\nno from second\nno from third');
    }));

  it('do not fall together: one that is ended leaves its neighbours alone', () =>
    withScene(async (scene) => {
      scene.configure([
        { name: 'slow', script: 'note slow $$; stay', timeout: 300 },
        { name: 'after', script: `await slow; gone "$(cat "$N/slow")"; deny 'still here'` },
      ]);
      const { decision } = await callMain(scene).ended;
      expect(decision.hooks?.map(({ exit }) => exit.kind)).toEqual(['timed-out', 'exited']);
      expect(decision).toMatchObject({ decision: 'deny', reason: 'still here', decidedBy: ['after'] });
    }));
});

/** Gemini's format with one of its functions replaced. */
const brokenFormat = (broken: (format: Format) => Partial<Format>): readonly FormatEntry[] => [
  {
    ...gemini,
    load: async () => {
      const format = await gemini.load();
      return { ...format, ...broken(format) };
    },
  },
];

const judgeFails = brokenFormat((format) => ({
  judge(run, hook, event) {
    if (hook.name === 'fatal') throw new Error('judge is broken');
    return format.judge(run, hook, event);
  },
}));

describe.concurrent('an error of its own in the middle of a run', () => {
  const stubborn = {
    name: 'stubborn',
    script: `trap '' TERM; (note below; stay) & note child $!; note stubborn $$; await below; note ready; stay`,
  };
  const expectGone = async (scene: Scene): Promise<void> => {
    for (const name of ['stubborn', 'child']) {
      const pid = await scene.pid(name);
      await until(() => !isAlive(pid), `the end of ${name}`);
    }
  };

  it('ends all unfinished hooks and is told as an error', () =>
    withScene(async (scene) => {
      scene.configure([stubborn, { name: 'fatal', script: 'await ready' }]);
      const { code, decision } = await callMain(scene, [], { formats: judgeFails }).ended;
      expect(decision).toMatchObject({ decision: null, error: { code: 'bug', exit: 1 } });
      expect(decision.error?.message).toContain('judge is broken');
      expect(code).toBe(1);
      await expectGone(scene);
    }));

  it('is a denial under --on-failure block', () =>
    withScene(async (scene) => {
      scene.configure([stubborn, { name: 'fatal', script: 'await ready' }]);
      const args = ['--on-failure', 'block'];
      const { code, decision } = await callMain(scene, args, { formats: judgeFails }).ended;
      expect(decision).toMatchObject({ decision: 'deny', cause: 'hook_failure', error: { code: 'bug' } });
      expect(code).toBe(2);
      await expectGone(scene);
    }));

  it('does not cost a denial that was stated before', () =>
    withScene(async (scene) => {
      scene.configure([
        stubborn,
        { name: 'guard', script: `note guard $$; await ready; deny 'not this'` },
        { name: 'fatal', script: `await guard; gone "$(cat "$N/guard")"` },
      ]);
      const { code, decision } = await callMain(scene, [], { formats: judgeFails }).ended;
      expect(decision).toMatchObject({ decision: 'deny', reason: 'not this', decidedBy: ['guard'] });
      expect(decision.warnings?.map((warning) => warning.code)).toContain('bug');
      expect(code).toBe(2);
      await expectGone(scene);
    }));

  it('does not cost a denial that was printed by a hook that it ends', () =>
    withScene(async (scene) => {
      scene.configure([
        { name: 'guard', script: `deny 'not this'; note guard; stay` },
        { name: 'fatal', script: 'await guard' },
      ]);
      const { code, decision } = await callMain(scene, [], { formats: judgeFails }).ended;
      expect(decision).toMatchObject({ decision: 'deny', reason: 'not this', decidedBy: ['guard'] });
      expect(code).toBe(2);
    }));

  it('does not cost a denial that came first in a chain', () =>
    withScene(async (scene) => {
      scene.configure(
        [
          { name: 'guard', script: `deny 'not this'` },
          { name: 'fatal', script: ':' },
          { name: 'never', script: 'note never' },
        ],
        true,
      );
      const { code, decision } = await callMain(scene, [], { formats: judgeFails }).ended;
      expect(decision).toMatchObject({ decision: 'deny', reason: 'not this' });
      expect(code).toBe(2);
      expect(scene.noted('never')).toBe(false);
    }));

  it('leaves nothing of a hook that had timed out', () =>
    withScene(async (scene) => {
      // The engine's grace time is 5 s; here it is cut short.
      const child = `(trap '' TERM; note trapped; stay) & note child $!; await trapped; note stubborn $$; wait`;
      scene.configure([
        { name: 'slow', script: child, timeout: 1000 },
        { name: 'fatal', script: `await stubborn; gone "$(cat "$N/stubborn")"` },
      ]);
      const { code, decision } = await callMain(scene, [], { formats: judgeFails }).ended;
      expect(decision.error?.code).toBe('bug');
      expect(code).toBe(1);
      await expectGone(scene);
    }));

  it('may come when a hook is to be started', () =>
    withScene(async (scene) => {
      scene.configure([
        { name: 'stubborn', script: `note stubborn $$; note child $$; stay` },
        { name: 'fatal', script: 'note started' },
        { name: 'next', script: `note next $$; stay` },
      ]);
      const formats = brokenFormat((format) => ({
        start(hook, ...rest) {
          if (hook.name === 'fatal') throw new Error('start is broken');
          return format.start(hook, ...rest);
        },
      }));
      const { code, decision } = await callMain(scene, [], { formats }).ended;
      expect(decision.error?.message).toContain('start is broken');
      expect(code).toBe(1);
      expect(scene.noted('started')).toBe(false);
      for (const name of ['stubborn', 'next'])
        if (scene.noted(name)) {
          const pid = await scene.pid(name);
          await until(() => !isAlive(pid), `the end of ${name}`);
        }
    }));

  it('may come from the world outside, in a chain', () =>
    withScene(async (scene) => {
      scene.configure(
        [
          { name: 'guard', script: `note guard; deny 'not this'` },
          { name: 'next', script: 'note next' },
        ],
        true,
      );
      let isBroken = true;
      const env = {
        PATH: process.env['PATH'],
        HOME: scene.home,
        // Looked at for every hook that is about to start.
        get GITHUB_SHA(): undefined {
          const isNow = isBroken && scene.noted('guard');
          if (isNow) isBroken = false;
          if (isNow) throw new TypeError('the environment is broken');
          return undefined;
        },
      };
      const { code, decision } = await callMain(scene, [], { env }).ended;
      expect(decision).toMatchObject({ decision: 'deny', reason: 'not this' });
      expect(decision.warnings?.find((warning) => warning.code === 'bug')?.message).toContain(
        'the environment is broken',
      );
      expect(code).toBe(2);
      expect(scene.noted('next')).toBe(false);
    }));
});

it.concurrent('leaves no files in the folder for private ones', () =>
  withScene(async (scene) => {
    const spawner = createSpawner(startChild, { folder: scene.notes, name: () => `private-${count++}` });
    await spawner.run(startOf(scene, 'ls "$N" > "$N/seen"', { stdio: 'pipes' }), 'x', limits());
    expect(readFileSync(join(scene.notes, 'seen'), 'utf8')).not.toContain('private-');
  }));
