/** The real program: its streams, exit codes and signals. HOOKRUN_BIN names another one than this checkout's. */

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  documentIn,
  type Ended,
  environment,
  has,
  inShell,
  program,
  start,
  startHookrun,
} from './helpers/executable.ts';
import { isAlive, isReaped, type Scene, until, withScene } from './helpers/live-hooks.ts';

const ask = `printf '{"decision":"ask","reason":"sure?"}'`;
const halt = `printf '{"continue":false,"stopReason":"enough"}'`;
const one = (script: string) => [{ name: 'guard', script }];

describe.concurrent('the exit code and the document', () => {
  for (const [decision, code, script] of [
    ['allow', 0, ':'],
    ['deny', 2, `deny 'not this'`],
    ['ask', 3, ask],
    ['stop', 4, halt],
  ] as const)
    it(`of ${decision}`, () =>
      withScene(async (scene) => {
        scene.configure(one(script));
        const ended = await startHookrun(scene).ended;
        const document = documentIn(ended.stdout);
        expect(document).toMatchObject({ schemaVersion: 1, decision });
        expect(document.hooks?.length).toBe(1);
        expect(ended.code).toBe(code);
        // One line for programs, and a sentence for people.
        expect(ended.stdout.split('\n').length).toBe(2);
        expect(ended.stderr).toContain(`${decision} BeforeTool write_file`);
      }));

  it('when there is nothing to run', () =>
    withScene(async (scene) => {
      const ended = await startHookrun(scene).ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: 'allow', hooks: [] });
      expect(ended.code).toBe(0);
    }));

  it('of a dry run, which starts nothing', () =>
    withScene(async (scene) => {
      scene.configure(one(`note started; exit 2`));
      const ended = await startHookrun(scene, ['--dry-run']).ended;
      expect(documentIn(ended.stdout)).toMatchObject({ dryRun: true, decision: null });
      expect(documentIn(ended.stdout).hooks?.[0]?.exit.kind).toBe('not-started');
      expect(scene.noted('started')).toBe(false);
      expect(ended.code).toBe(0);
    }));

  it('in a folder that nobody trusts, where nothing is started', () =>
    withScene(async (scene) => {
      scene.configure(one('note started'));
      const ended = await start([...program, '--format', 'gemini'], scene, { stdin: scene.payload }).ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: 'deny', cause: 'untrusted' });
      expect(scene.noted('started')).toBe(false);
      expect(ended.stderr).toContain('--trust');
      expect(ended.code).toBe(77);
    }));

  // `<home>/.gemini` would else be the current folder's own: a stranger's hooks as the user's.
  it.each(['', '.'])('with HOME=%j, which makes nobody of the folder the user', (HOME) =>
    withScene(async (scene) => {
      scene.configure(one('note started'));
      const words = [...program, '--format', 'gemini'];
      const ended = await start(words, scene, { stdin: scene.payload, env: { HOME } }).ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: 'deny', cause: 'untrusted' });
      expect(scene.noted('started')).toBe(false);
    }),
  );

  const failures: readonly (readonly [string, number, (scene: Scene) => Promise<Ended>])[] = [
    ['a flag that does not exist', 64, (scene) => startHookrun(scene, ['--nonsense']).ended],
    ['a payload without an event', 64, (scene) => startHookrun(scene, [], { stdin: '{}' }).ended],
    ['a payload that is no JSON', 65, (scene) => startHookrun(scene, [], { stdin: '{"a":' }).ended],
    ['a payload that is no UTF-8', 65, (scene) => startHookrun(scene, [], { stdin: Buffer.from([0x22, 0xff]) }).ended],
    ['an empty payload', 65, (scene) => startHookrun(scene, [], { stdin: '' }).ended],
    ['a payload file that is missing', 66, (scene) => startHookrun(scene, ['--payload', 'missing.json']).ended],
    [
      'settings that are broken',
      78,
      (scene) => {
        writeFileSync(join(scene.project, '.gemini/settings.json'), '{"hooks":');
        return startHookrun(scene).ended;
      },
    ],
  ];
  for (const [what, code, run] of failures) {
    it(`of ${what}`, () =>
      withScene(async (scene) => {
        const ended = await run(scene);
        expect(documentIn(ended.stdout)).toMatchObject({ decision: null, error: { exit: code } });
        expect(ended.stderr).toMatch(/^hookrun: /);
        expect(ended.code).toBe(code);
      }));
  }

  it('of a failure under --on-failure block', () =>
    withScene(async (scene) => {
      const ended = await startHookrun(scene, ['--on-failure', 'block', '--nonsense']).ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: 'deny', cause: 'hook_failure', error: { exit: 64 } });
      expect(ended.code).toBe(2);
    }));

  it('as one hook of the agent', () =>
    withScene(async (scene) => {
      scene.configure(one(`deny 'not this'`));
      const ended = await startHookrun(scene, ['-o', 'hook']).ended;
      expect(JSON.parse(ended.stdout)).toEqual({ decision: 'deny', reason: 'not this' });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
    }));

  it('as one hook of the agent, when it could not decide', () =>
    withScene(async (scene) => {
      const ended = await startHookrun(scene, ['-o', 'hook'], { stdin: '{"a":' }).ended;
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('not valid JSON');
    }));

  it('of --version and --help', () =>
    withScene(async (scene) => {
      const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
        version: string;
      };
      const [versioned, helped] = await Promise.all([
        start([...program, '--version'], scene).ended,
        start([...program, 'run', '--help'], scene).ended,
      ]);
      expect(versioned).toMatchObject({ code: 0, stderr: '' });
      expect(versioned.stdout).toMatch(/^(\S+) \((npm, node|standalone, bun) \d+\.\d+\.\d+\)\n$/);
      expect(versioned.stdout.split(' ')[0]).toBe(version);
      expect(helped).toMatchObject({ code: 0, stderr: '' });
      expect(helped.stdout).toContain('--dry-run');
    }));
});

describe.concurrent('stdin', () => {
  it('may be a file', () =>
    withScene(async (scene) => {
      scene.configure(one(`cat > "$N/got"; deny 'not this'`));
      scene.note('payload', scene.payload);
      const ended = await inShell(scene, '"$@" < "$N/payload"').ended;
      expect(ended.code).toBe(2);
      expect(scene.read('got')).toBe(scene.payload);
    }));

  it('may be a pipe that comes in pieces, split inside a character', () =>
    withScene(async (scene) => {
      scene.configure(one('cat > "$N/got"'));
      const payload = Buffer.from(scene.payload.replace('hello', `é${'x'.repeat(200_000)}é`));
      const at = payload.indexOf(0xa9);
      const run = startHookrun(scene, [], { stdin: undefined });
      await new Promise((resolve) => run.child.stdin.write(payload.subarray(0, at), resolve));
      run.child.stdin.end(payload.subarray(at));
      expect((await run.ended).code).toBe(0);
      expect(scene.read('got') === payload.toString()).toBe(true);
    }));

  it('may be a FIFO', () =>
    withScene(async (scene) => {
      scene.configure(one(`deny 'not this'`));
      scene.note('payload', scene.payload);
      const ended = await inShell(scene, 'mkfifo "$N/fifo"; cat "$N/payload" > "$N/fifo" & "$@" < "$N/fifo"').ended;
      expect(ended.code).toBe(2);
    }));

  for (const [what, line, codes] of [
    ['/dev/null', '"$@" < /dev/null', [65]],
    ['closed', '"$@" <&-', [65]],
    // Node takes it for empty, bun says what it is.
    ['a folder', '"$@" < /', [65, 66]],
  ] as const)
    it(`may be ${what}: an error, and no hang`, () =>
      withScene(async (scene) => {
        const ended = await inShell(scene, line).ended;
        expect(codes).toContain(ended.code);
        expect(documentIn(ended.stdout).error?.exit).toBe(ended.code);
      }));

  it('is not waited for where the payload comes from elsewhere', () =>
    withScene(async (scene) => {
      scene.configure(one(`deny 'not this'`));
      scene.note('payload', scene.payload);
      const ended = await startHookrun(scene, ['-p', join(scene.notes, 'payload')], { stdin: undefined }).ended;
      expect(ended.code).toBe(2);
    }));

  it('is not read on after the limit', () =>
    withScene(async (scene) => {
      const ended = await inShell(scene, `yes '{' | "$@"`, [], { stdin: '' }).ended;
      expect(documentIn(ended.stdout).error?.code).toBe('payload-too-large');
      expect(ended.code).toBe(65);
    }));
});

/** Hooks that print so much that the result fits in no pipe; the last one denies. */
const wordy = [
  ...Array.from({ length: 6 }, (_, n) => ({
    name: `wordy-${n}`,
    script: `note wordy-${n} $$; head -c 60000 /dev/zero | tr '\\0' x`,
  })),
  { name: 'guard', script: `note guard $$; deny 'not this'` },
];
const allEnded = async (scene: Scene): Promise<void> => {
  for (const { name } of wordy) {
    const pid = await scene.pid(name);
    await until(() => isReaped(pid), `the end of ${name}`);
  }
};

describe.concurrent('stdout and stderr', () => {
  it('get a large result whole to a reader that is slow', () =>
    withScene(async (scene) => {
      scene.configure(wordy);
      const run = inShell(scene, `"$@" | { await go; cat; }; exit "\${PIPESTATUS[0]}"`);
      await allEnded(scene);
      expect(run.stdout()).toBe('');
      scene.note('go');
      const ended = await run.ended;
      expect(ended.stdout.length).toBeGreaterThan(360_000);
      expect(documentIn(ended.stdout)).toMatchObject({ decision: 'deny', reason: 'not this' });
      expect(ended.code).toBe(2);
    }));

  it('may lose their reader: the exit code stays', () =>
    withScene(async (scene) => {
      scene.configure(wordy);
      const ended = await inShell(scene, `"$@" | head -c 1; exit "\${PIPESTATUS[0]}"`).ended;
      expect(ended).toMatchObject({ code: 2, stdout: '{' });
    }));

  for (const [what, line] of [
    ['stdout is closed', '"$@" >&-'],
    ['stderr is closed', '"$@" 2>&-'],
    ['both are closed', '"$@" >&- 2>&-'],
    ['stderr has no reader', '"$@" 2> >(:)'],
    ['stdout is full', '[ -e /dev/full ] || exit 2; "$@" > /dev/full'],
  ] as const)
    it(`keep the exit code when ${what}`, () =>
      withScene(async (scene) => {
        scene.configure(one(`deny 'not this'`));
        const ended = await inShell(scene, line).ended;
        if (!what.includes('stdout') && !what.includes('both')) expect(documentIn(ended.stdout).decision).toBe('deny');
        expect(ended.code).toBe(2);
      }));

  it('may be files', () =>
    withScene(async (scene) => {
      scene.configure(wordy);
      const ended = await inShell(scene, '"$@" > "$N/out" 2> "$N/err"').ended;
      expect(documentIn(scene.read('out')).decision).toBe('deny');
      expect(scene.read('err')).toContain('deny BeforeTool');
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: '' });
    }));

  const colourCode = '\u001b[';
  for (const [what, args, env, isColoured] of [
    ['a pipe', [], {}, false],
    ['--color', ['--color'], {}, true],
    ['--color and NO_COLOR', ['--color'], { NO_COLOR: '1' }, true],
    ['FORCE_COLOR', [], { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR and NO_COLOR', [], { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    ['FORCE_COLOR and --no-color', ['--no-color'], { FORCE_COLOR: '1' }, false],
  ] as const)
    it(`are ${isColoured ? '' : 'not '}coloured with ${what}`, () =>
      withScene(async (scene) => {
        scene.configure(one(`deny 'not this'`));
        const ended = await startHookrun(scene, args, { env }).ended;
        expect(ended.stderr).toContain('not this');
        expect(ended.stderr.includes(colourCode)).toBe(isColoured);
        expect(ended.stdout).not.toContain('\u001b');
      }));
});

/** A hook with a child, which stays until somebody ends it. */
const stays = (name: string, before = ''): { name: string; script: string } => ({
  name,
  script: `${before}(note ${name}-up; stay) & note ${name}-child $!; await ${name}-up; note ${name} $$; wait; stay`,
});
const expectGone = async (scene: Scene, name: string): Promise<void> => {
  const pids = [await scene.pid(name), await scene.pid(`${name}-child`)];
  expect(pids.map(isAlive)).toEqual([false, false]);
};

describe.concurrent('a signal', () => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const) {
    it(`${signal} ends all hooks and what they started`, () =>
      withScene(async (scene) => {
        scene.configure([stays('a'), stays('b')]);
        const run = startHookrun(scene);
        await Promise.all([scene.heard('a'), scene.heard('b')]);
        run.signal(signal);
        const ended = await run.ended;
        expect(documentIn(ended.stdout)).toMatchObject({ decision: null, error: { code: 'interrupted', exit: code } });
        expect(documentIn(ended.stdout).hooks?.map((hook) => hook.name)).toEqual(['a', 'b']);
        expect(ended).toMatchObject({ code, signal: null });
        await expectGone(scene, 'a');
        await expectGone(scene, 'b');
      }));

    it(`${signal} does not undo a denial of a neighbour`, () =>
      withScene(async (scene) => {
        scene.configure([stays('a'), { name: 'guard', script: `note guard $$; deny 'not this'` }]);
        const run = startHookrun(scene);
        const guard = await scene.pid('guard');
        await scene.heard('a');
        await until(() => isReaped(guard), 'the end of the hook that denies');
        run.signal(signal);
        const ended = await run.ended;
        expect(documentIn(ended.stdout)).toMatchObject({ decision: 'deny', reason: 'not this', decidedBy: ['guard'] });
        expect(ended.code).toBe(2);
        await expectGone(scene, 'a');
      }));
  }

  it('does not undo a denial that a hook has only just printed', () =>
    withScene(async (scene) => {
      scene.configure([stays('a'), stays('b', `deny 'not this'; `)]);
      const run = startHookrun(scene);
      await Promise.all([scene.heard('a'), scene.heard('b')]);
      run.signal('SIGTERM');
      const ended = await run.ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: 'deny', reason: 'not this', decidedBy: ['b'] });
      expect(ended.code).toBe(2);
      await expectGone(scene, 'a');
      await expectGone(scene, 'b');
    }));

  it('does not undo a denial to which the hook adds something on its way out', () =>
    withScene(async (scene) => {
      scene.configure([stays('a', `trap 'echo bye; exit 1' TERM; deny 'not this'; `)]);
      const run = startHookrun(scene);
      await scene.heard('a');
      run.signal('SIGTERM');
      const ended = await run.ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: 'deny', reason: 'not this' });
      expect(ended.code).toBe(2);
    }));

  it('before a denial that then never comes leaves none', () =>
    withScene(async (scene) => {
      scene.configure([stays('a'), { name: 'guard', script: `note guard $$; await go; deny 'not this'` }]);
      const run = startHookrun(scene);
      const guard = await scene.pid('guard');
      await scene.heard('a');
      run.signal('SIGTERM');
      const ended = await run.ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: null, error: { exit: 143 } });
      expect(isAlive(guard)).toBe(false);
      await expectGone(scene, 'a');
    }));

  it('does not start the rest of a chain', () =>
    withScene(async (scene) => {
      scene.configure([stays('a'), { name: 'b', script: 'note started' }], true);
      const run = startHookrun(scene);
      await scene.heard('a');
      run.signal('SIGTERM');
      const ended = await run.ended;
      expect(documentIn(ended.stdout).hooks?.map(({ exit }) => exit.kind)).toEqual(['signalled', 'not-started']);
      expect(scene.noted('started')).toBe(false);
      expect(ended.code).toBe(143);
    }));

  it('ends hooks that ignore SIGTERM, too', () =>
    withScene(async (scene) => {
      scene.configure([stays('a', `trap '' TERM; `)]);
      const run = startHookrun(scene);
      await scene.heard('a');
      run.signal('SIGINT');
      const ended = await run.ended;
      expect(documentIn(ended.stdout).hooks?.[0]?.exit).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
      expect(ended.code).toBe(130);
      await expectGone(scene, 'a');
    }));

  it('that comes a second time ends them at once', async () => {
    // Without the second one they have a second. A busy machine may be slow, but not each time.
    let fastest = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 4 && fastest > 800; attempt += 1)
      await withScene(async (scene) => {
        scene.configure([stays('a', `trap 'note told' TERM; `)]);
        const run = startHookrun(scene);
        await scene.heard('a');
        run.signal('SIGTERM');
        const began = Date.now();
        await scene.heard('told');
        run.signal('SIGTERM');
        const ended = await run.ended;
        fastest = Math.min(fastest, Date.now() - began);
        expect(documentIn(ended.stdout)).toMatchObject({ decision: null });
        expect(ended.code).toBe(143);
        await expectGone(scene, 'a');
      });
    expect(fastest).toBeLessThan(800);
  });

  it('is heard while hookrun waits for its stdin', () =>
    withScene(async (scene) => {
      const run = startHookrun(scene, [], { stdin: undefined });
      // More than a pipe holds: it is taken only by a hookrun that reads.
      await new Promise((resolve) => run.child.stdin.write(`{"a":"${'x'.repeat(2_000_000)}`, resolve));
      run.signal('SIGTERM');
      const ended = await run.ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: null, error: { exit: 143 } });
      expect(ended.code).toBe(143);
    }));

  it('that keeps coming ends hookrun even where nobody takes its result', () =>
    withScene(async (scene) => {
      scene.configure(wordy);
      const child = spawn(program[0]!, [...program.slice(1), '--format', 'gemini', '--trust'], {
        cwd: scene.project,
        env: environment(scene),
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      child.stdin.end(scene.payload);
      let isOver = false;
      child.once('exit', () => {
        isOver = true;
      });
      await allEnded(scene);
      await until(() => isOver || !child.kill('SIGTERM'), 'the end of hookrun');
      child.stdout.destroy();
    }));

  it('is an answer of the agent’s protocol where hookrun is a hook', () =>
    withScene(async (scene) => {
      scene.configure([stays('a')]);
      const run = startHookrun(scene, ['-o', 'hook']);
      await scene.heard('a');
      run.signal('SIGTERM');
      const ended = await run.ended;
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('SIGTERM');
      await expectGone(scene, 'a');
    }));

  it('denies under --on-failure block', () =>
    withScene(async (scene) => {
      scene.configure([stays('a')]);
      const run = startHookrun(scene, ['--on-failure', 'block']);
      await scene.heard('a');
      run.signal('SIGTERM');
      const ended = await run.ended;
      expect(documentIn(ended.stdout)).toMatchObject({ decision: 'deny', cause: 'hook_failure' });
      expect(ended.code).toBe(2);
    }));

  it('that comes when the denial has been printed leaves its code', () =>
    withScene(async (scene) => {
      scene.configure(one(`deny 'not this'`));
      for (let round = 0; round < 6; round += 1) {
        const run = startHookrun(scene, ['-q']);
        run.child.stdout.once('data', () => run.signal('SIGTERM'));
        const { code, signal, stdout } = await run.ended;
        expect({ code, signal, decision: documentIn(stdout).decision }).toEqual({
          code: 2,
          signal: null,
          decision: 'deny',
        });
      }
    }));

  it('SIGCHLD, ignored by whoever started hookrun, costs no denial', () =>
    withScene(async (scene) => {
      scene.configure(one('echo no >&2; exit 2'));
      const { code, stdout } = await inShell(scene, `trap '' CHLD; exec "$@"`, ['-q']).ended;
      expect(documentIn(stdout)).toMatchObject({ decision: 'deny', reason: 'no' });
      expect(code).toBe(2);
    }));

  it('comes too late for what has ended already', () =>
    withScene(async (scene) => {
      // A background process that holds the output keeps hookrun waiting for the drain, not the hook.
      scene.configure(one(`stay >/dev/null 2>&1 & note child $!; note guard $$`));
      const ended = await startHookrun(scene).ended;
      const child = await scene.pid('child');
      expect(isAlive(child)).toBe(true);
      process.kill(child, 'SIGKILL');
      expect(ended.code).toBe(0);
    }));
});

/** Gives its arguments, a program, a terminal. */
const onTerminal = `import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))`;

// python3 is the one program found almost everywhere that can make a terminal.
describe.skipIf(!has('python3')).concurrent('on a terminal', () => {
  const words = (args: readonly string[]): string[] => ['python3', '-c', onTerminal, ...program, ...args];

  it('a line tells after a second which hooks still run, and the result is indented', () =>
    withScene(async (scene) => {
      scene.configure([
        { name: 'quick', script: ':' },
        { name: 'slow', script: `await go; deny 'not this'` },
      ]);
      scene.note('payload', scene.payload);
      const args = ['--format', 'gemini', '--trust', '-p', join(scene.notes, 'payload')];
      const run = start(words(args), scene, { env: { TERM: 'xterm' } });
      await until(() => run.stdout().includes('1 still running'), 'the live line');
      scene.note('go');
      const ended = await run.ended;
      const live = ended.stdout.indexOf('still running');
      expect(ended.stdout.slice(live)).toMatch(/^still running after \d+ s: slow/);
      const cleared = ended.stdout.lastIndexOf('\r\u001b[2K');
      expect(ended.stdout.lastIndexOf('still running')).toBeLessThan(cleared);
      const text = ended.stdout.slice(ended.stdout.indexOf('{\r\n'));
      expect(text).toMatch(/^\{\r\n {2}"schemaVersion": 1,\r\n/);
      expect(JSON.parse(text)).toMatchObject({ decision: 'deny', reason: 'not this' });
      expect(ended.stdout).toContain('\u001b[31m');
      expect(ended.code).toBe(2);
    }));

  it('nothing to read is an error with an example, not a wait', () =>
    withScene(async (scene) => {
      const ended = await start(words([]), scene).ended;
      expect(ended.stdout).toContain('for example: hookrun');
      expect(ended.code).toBe(64);
    }));
});

describe.concurrent('a folder', () => {
  for (const [what, args] of [
    ['run', ['-q']],
    ['a stream', ['stream', '-q']],
  ] as const)
    it(`as the stdin of ${what} is an error`, () =>
      withScene(async (scene) => {
        const run = start(['bash', '-c', 'exec "$@" < .', 'bash', ...program, ...args], scene, { stdin: '' });
        const { code, stdout } = await run.ended;
        expect(documentIn(stdout)).toMatchObject({ decision: null, error: { code: 'file-unreadable', exit: 66 } });
        expect(code).toBe(66);
      }));

  // bun does not even start there.
  it.skipIf(program.length === 1)('that has been deleted under hookrun keeps nobody from being denied', () =>
    withScene(async (scene) => {
      scene.configure(one(`deny 'not this'`));
      const gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
      const run = start(['bash', '-c', gone, 'bash', ...program, '-q', '--trust'], scene, { stdin: scene.payload });
      const { code, stdout } = await run.ended;
      expect(documentIn(stdout)).toMatchObject({ decision: 'deny', reason: 'not this' });
      expect(code).toBe(2);
    }),
  );
});

describe.concurrent('a stream', () => {
  for (const jobs of ['1', '3'])
    it(`with --fail-fast and --jobs ${jobs} ends at a denial while its writer waits for the answer`, () =>
      withScene(async (scene) => {
        scene.configure(one(`deny 'not this'`));
        const run = start([...program, 'stream', '--trust', '-q', '--fail-fast', '--jobs', jobs], scene, {
          stdin: undefined,
        });
        run.child.stdin.write(`${scene.payload.replaceAll('\n', '')}\n`);
        const { code, stdout, stderr } = await run.ended;
        expect(JSON.parse(stdout)).toMatchObject({ id: 1, decision: 'deny' });
        expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
      }));
});
