/** The real pipes that goose's hooks get, and what stands in for them; with real processes. */

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSpawner } from '../../src/spawn.ts';
import type { HookRun, Start } from '../../src/types.ts';
import { startChild } from '../helpers/start-child.ts';
import { temporaryFolder } from '../helpers/world.ts';

interface Wish {
  readonly stdin?: string;
  readonly timeoutMs?: number;
  readonly stdio?: Start['stdio'];
  readonly tmp?: string;
  readonly cwd?: string;
  readonly limit?: number;
}

const newSpawner = (folder: string) => createSpawner(startChild, { folder, name: () => `.hookrun-${randomUUID()}` });

const startOf = (command: string, wish: Wish): Start => ({
  file: 'sh',
  args: ['-c', command],
  shown: command,
  env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  cwd: wish.cwd ?? tmpdir(),
  stdio: wish.stdio ?? 'pipes',
  graceMs: 200,
  removedEnv: [],
  problems: [],
});

const run = (command: string, wish: Wish = {}): Promise<HookRun> =>
  newSpawner(wish.tmp ?? tmpdir()).run(startOf(command, wish), wish.stdin ?? '{}', {
    timeoutMs: wish.timeoutMs ?? 20_000,
    boundBy: 'timeout',
    outputBytes: wish.limit ?? 1024 * 1024 * 16,
  });

const texts = ({ stdout, stderr }: HookRun): [string, string] => [stdout.toString(), stderr.toString()];

const both = describe.concurrent.each([['pipes'], ['files']] as const);

both('%s', (stdio) => {
  it('give the payload and take what is written', async () => {
    const ended = await run('cat; echo why >&2; exit 3', { stdin: '{"a":"é"}', stdio });
    expect(texts(ended)).toEqual(['{"a":"é"}', 'why\n']);
    expect(ended).toMatchObject({ exit: { kind: 'exited', code: 3 }, held: false, unread: 0 });
    expect(ended.early).toBeUndefined();
  });

  it('can be opened by name', async () => {
    const ended = await run('cat /dev/stdin; echo why > /dev/stderr; echo more > /dev/stdout', { stdin: 'x', stdio });
    expect(ended.exit).toEqual({ kind: 'exited', code: 0 });
    expect(ended.stdout.toString()).toContain('more');
    expect(ended.stderr.toString()).toBe('why\n');
  });

  it.each([
    ['nothing', 'exit 0', 200_000],
    ['some', 'head -c 1000 > /dev/null', undefined],
    ['stdin closed', 'exec <&-; exit 0', 200_000],
    ['all', 'cat > /dev/null', 0],
  ])('count what was left unread: %s read', async (_, command, unread) => {
    const ended = await run(command, { stdin: 'a'.repeat(200_000), stdio });
    if (unread === undefined) {
      expect(ended.unread).toBeGreaterThan(0);
      expect(ended.unread).toBeLessThan(200_000);
    } else expect(ended.unread).toBe(unread);
  });

  it('serve a large payload and a large output at once', async () => {
    const stdin = 'a'.repeat(3_000_000);
    const ended = await run('head -c 2000000 /dev/zero; cat', { stdin, stdio });
    expect(ended.stdout.length).toBe(5_000_000);
    expect(ended.unread).toBe(0);
  });

  it('do not wait for a background process that holds them', async () => {
    const began = Date.now();
    const ended = await run('echo block; sleep 5 &', { stdio });
    expect(Date.now() - began).toBeLessThan(4000);
    expect(ended).toMatchObject({ exit: { kind: 'exited', code: 0 }, held: true });
    expect(ended.stdout.toString()).toBe('block\n');
  });

  it('tell what came after the end from what stood there before', async () => {
    // Once the hook is reaped, what it printed is taken in; how long the rest takes to come is a matter of milliseconds.
    const late = '(while kill -0 $$ 2>/dev/null; do sleep 0.01; done; echo late)';
    let ended = await run(`echo block; ${late} & exit 0`, { stdio });
    for (let attempt = 0; attempt < 5 && ended.early === undefined; attempt += 1)
      ended = await run(`echo block; ${late} & exit 0`, { stdio });
    expect(ended.stdout.toString()).toBe('block\nlate\n');
    expect(ended.early).toEqual({ stdout: 6, stderr: 0 });
  });

  it('keep what was printed before a timeout', async () => {
    const ended = await run('echo block; sleep 10', { timeoutMs: 300, stdio });
    expect(ended.exit).toMatchObject({ kind: 'timed-out', afterMs: 300 });
    expect(ended.stdout.toString()).toBe('block\n');
  });

  it('end a hook that writes without an end', async () => {
    const ended = await run('cat /dev/zero', { limit: 100_000, stdio });
    expect(ended.exit.kind).toBe('output-limit');
    expect(ended.stdout.length).toBe(100_000);
  });

  it('leave no descriptors and no files behind', async () => {
    const folder = temporaryFolder();
    try {
      await run('cat', { tmp: folder.path, stdio });
      expect(readdirSync(folder.path)).toEqual([]);
    } finally {
      folder.remove();
    }
  });

  it('a command that can not be passed is no start', async () => {
    expect((await run('a\0b', { stdio })).exit.kind).toBe('not-started');
    expect((await run('true', { cwd: '/nowhere', stdio })).exit).toMatchObject({
      kind: 'not-started',
      why: expect.stringContaining('/nowhere'),
    });
  });
});

const onLinux = describe.runIf(process.platform === 'linux');

onLinux('real pipes', () => {
  it('are pipes', async () => {
    const ended = await run('for i in 0 1 2; do test -p /dev/fd/$i && echo $i; done');
    expect(ended.stdout.toString()).toBe('0\n1\n2\n');
  });

  it('lose nothing when they are opened again and again', async () => {
    const block = `printf '{"decision":"block",' > /dev/stdout; printf '"reason":"x"}' > /dev/stdout`;
    const ended = await run(`echo one > /dev/stderr; echo two > /dev/stderr; echo three | tee /dev/stderr; ${block}`);
    expect(texts(ended)).toEqual(['three\n{"decision":"block","reason":"x"}', 'one\ntwo\nthree\n']);
  });

  it('cost the hook nothing of its surroundings', async () => {
    const ended = await run('echo $0 $#; ls /proc/self/fd | wc -l; tr "\\0" "\\n" < /proc/$$/cmdline | head -1');
    const [shell, open, own] = ended.stdout.toString().split('\n');
    const { stdout } = await run('ls /proc/self/fd | wc -l', { stdio: 'sockets' });
    expect([shell, own]).toEqual(['sh 0', 'sh']);
    expect(open).toBe(stdout.toString().trim());
  });

  it.runIf(existsSync('/bin/bash'))('come from bash just as well, and its level does not rise', async () => {
    const folder = temporaryFolder();
    try {
      symlinkSync('/bin/bash', join(folder.path, 'sh'));
      const env = { PATH: `${folder.path}:${process.env['PATH']}`, SHLVL: '3' };
      const command = 'for i in 0 1 2; do test -p /dev/fd/$i && echo $i; done; echo $0 $# $SHLVL ${BASH_VERSION:+bash}';
      const start = { ...startOf(command, {}), env };
      const ended = await newSpawner('/nowhere').run(start, '{}', {
        timeoutMs: 20_000,
        boundBy: 'timeout',
        outputBytes: 1000,
      });
      expect(ended.stdout.toString()).toBe('0\n1\n2\nsh 0 4 bash\n');
    } finally {
      folder.remove();
    }
  });

  it('SIGPIPE has its default action', async () => {
    const ended = await run(
      'sh -c "yes | head -1 > /dev/null; exit 0"; exec > /dev/null; yes | head -1; echo done >&2',
    );
    expect(ended.exit).toEqual({ kind: 'exited', code: 0 });
  });

  it('a hook that is told to end before it began never begins', async () => {
    const folder = temporaryFolder();
    try {
      const spawner = newSpawner(folder.path);
      const running = spawner.run(startOf('touch began', { cwd: folder.path }), '{}', {
        timeoutMs: 5000,
        boundBy: 'timeout',
        outputBytes: 1000,
      });
      spawner.interrupt(100);
      expect((await running).exit.kind).toBe('not-started');
      expect(existsSync(join(folder.path, 'began'))).toBe(false);
    } finally {
      folder.remove();
    }
  });

  it("many at once do not get in each other's way", async () => {
    const words = Array.from({ length: 24 }, (_, index) => `word ${index}`);
    const ended = await Promise.all(words.map((stdin) => run('cat', { stdin })));
    expect(ended.map(({ stdout }) => stdout.toString())).toEqual(words);
  });

  it('need no folder for temporary files', async () => {
    expect((await run('cat', { stdin: 'x', tmp: '/nowhere' })).stdout.toString()).toBe('x');
  });
});

describe('without a time or a place', () => {
  it('a hook with no time at all is not started', async () => {
    const folder = temporaryFolder();
    try {
      const ended = await run('touch began', { timeoutMs: 0, cwd: folder.path });
      expect(ended.exit).toEqual({ kind: 'timed-out', afterMs: 0, by: 'timeout' });
      expect(readdirSync(folder.path)).toEqual([]);
    } finally {
      folder.remove();
    }
  });

  it('a folder for temporary files that can not be written is named', async () => {
    const { exit } = await run('true', { stdio: 'files', tmp: '/nowhere' });
    expect(exit).toMatchObject({ kind: 'not-started', why: expect.stringMatching(/private files.*\/nowhere.*TMPDIR/) });
  });

  it('keeps what was seen of a file that is emptied', async () => {
    const folder = temporaryFolder();
    try {
      const command = 'echo first; sleep 0.3; echo second > /dev/stdout';
      const ended = await run(command, { stdio: 'files', cwd: folder.path });
      expect(ended.stdout.toString()).toBe('first\nsecond\n');
    } finally {
      folder.remove();
    }
  });
});
