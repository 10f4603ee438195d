/** One line a run in the log: what it says, who can read it, and that it stays whole whatever happens. */

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendToFile } from '../src/append-file.ts';
import { program, start } from './helpers/executable.ts';
import { until, withScene } from './helpers/live-hooks.ts';
import { type Place, withPlace } from './helpers/settled-run.ts';
import { temporaryFolder } from './helpers/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked into by tests alone.
type Line = any;

const linesOf = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
const logOf = (place: Place): string => join(place.root, 'log.jsonl');
const token = `ghp_${'a1'.repeat(20)}`;

describe.concurrent('the log', () => {
  it('says what was decided, by whom and why', () =>
    withPlace(async (place) => {
      place.hooks('home', { fine: 'printf héllo', guard: 'echo not this >&2; exit 2' });
      await place.run(['--skip', 'none', '--log', logOf(place)]);
      const [line, ...more] = linesOf(logOf(place));
      expect(more).toEqual([]);
      expect(line).toMatchObject({
        time: '2026-01-02T03:04:05.678Z',
        project: place.project,
        session: 's',
        event: { format: 'gemini', name: 'BeforeTool', target: 'write_file', canBlock: true },
        decision: 'deny',
        cause: 'policy_denial',
        reason: 'not this',
        decidedBy: ['guard'],
        exit: 2,
        hooks: [
          {
            name: 'fine',
            scope: 'user',
            verdict: 'allow',
            exit: { kind: 'exited', code: 0 },
            stdoutBytes: 6,
            stderrBytes: 0,
          },
          { name: 'guard', verdict: 'deny', exit: { code: 2 }, stdoutBytes: 0, stderrBytes: 9 },
        ],
        skipped: [],
        warnings: ['glob-unused'],
      });
      expect(line.hooks[0].durationMs).toBeGreaterThan(0);
      expect(line.durationMs).toBeGreaterThan(0);
    }));

  it('is a file for its owner alone when hookrun makes it, and keeps the mode that it has', () =>
    withPlace(async (place) => {
      await place.run(['--log', logOf(place)]);
      expect(statSync(logOf(place)).mode & 0o777).toBe(0o600);
      chmodSync(logOf(place), 0o640);
      await place.run(['--log', logOf(place)]);
      expect(statSync(logOf(place)).mode & 0o777).toBe(0o640);
      expect(linesOf(logOf(place))).toHaveLength(2);
    }));

  it('is named by a flag, a variable or the settings, and a relative one is below the current folder', () =>
    withPlace(async (place) => {
      await place.run(['--log', 'a.jsonl']);
      await place.run([], { env: { HOOKRUN_LOG: 'a.jsonl' } });
      place.write('home/.config/hookrun/config.yaml', 'log: ~/b.jsonl\n');
      await place.run();
      await place.run(['--log', 'a.jsonl']);
      expect(linesOf(join(place.project, 'a.jsonl'))).toHaveLength(3);
      expect(linesOf(join(place.home, 'b.jsonl'))).toHaveLength(1);
    }));

  const failures: [what: string, args: string[], payload: string | object, record: object][] = [
    ['a mistyped flag', ['--nonsense'], {}, { decision: null, exit: 64, error: { code: 'usage-invalid' } }],
    ['no payload', [], '', { decision: null, exit: 65, error: { code: 'payload-empty' } }],
    ['a broken payload, where failures block', ['--on-failure', 'block'], '{', { decision: 'deny', exit: 2 }],
    [
      'a folder that is not trusted',
      [],
      {},
      { decision: 'deny', cause: 'untrusted', exit: 77, skipped: [{ name: 'theirs', why: 'untrusted' }] },
    ],
    ['a dry run', ['-n', '--trust'], {}, { decision: null, dryRun: true, exit: 0 }],
    [
      'a failure of one hook of the agent',
      ['-o', 'hook', '--strict'],
      '[]',
      { exit: 2, error: { code: 'payload-not-object' } },
    ],
    ['a warning', ['--trust', '--project', '/nowhere'], {}, { exit: 66 }],
  ];
  for (const [what, args, payload, record] of failures)
    it(`has a line about ${what}`, () =>
      withPlace(async (place) => {
        place.hooks('project', { theirs: 'true' });
        const ran = await place.run(['--log', logOf(place), ...args], { payload });
        expect(linesOf(logOf(place))).toMatchObject([record]);
        expect(linesOf(logOf(place))[0].exit).toBe(ran.code);
      }));

  it('has the exit code of one hook of the agent, where hookrun speaks as that', () =>
    withPlace(async (place) => {
      place.hooks('home', { guard: 'echo no >&2; exit 2' });
      const ran = await place.run(['-o', 'hook', '--log', logOf(place)]);
      expect(linesOf(logOf(place))).toMatchObject([{ decision: 'deny', exit: ran.code }]);
    }));

  it('has a line about a run that was told to end', () =>
    withScene(async (scene) => {
      scene.configure([{ name: 'slow', script: 'note up; stay' }]);
      const log = join(scene.notes, 'log.jsonl');
      const run = start([...program, '-f', 'gemini', '--trust', '--log', log], scene, { stdin: scene.payload });
      await scene.heard('up');
      run.signal('SIGTERM');
      expect((await run.ended).code).toBe(143);
      expect(linesOf(log)).toMatchObject([
        { decision: null, exit: 143, hooks: [{ name: 'slow', verdict: 'no-decision' }] },
      ]);
    }));

  it('has payload and output only where they are asked for', () =>
    withPlace(async (place) => {
      place.hooks('home', { talker: 'echo from-the-hook' });
      const payload = { tool_input: { content: 'from-the-payload' } };
      await place.run(['--log', logOf(place)], { payload });
      expect(readFileSync(logOf(place), 'utf8')).not.toMatch(/from-the/);
      await place.run(['--log', logOf(place), '--log-payload'], { payload });
      expect(linesOf(logOf(place))[1]).toMatchObject({
        payload: { tool_name: 'write_file', tool_input: { content: 'from-the-payload' } },
        hooks: [{ stdout: 'from-the-hook\n', stderr: '', command: 'echo from-the-hook' }],
      });
    }));

  it('leaves out a payload of more than a mebibyte', () =>
    withPlace(async (place) => {
      await place.run(['--log', logOf(place), '--log-payload'], {
        payload: { tool_input: { content: 'x'.repeat(1024 * 1024) } },
      });
      expect(linesOf(logOf(place))[0].payload).toMatch(/larger than 1 MiB/);
    }));

  it('masks secrets by their form and by their value, escaped ones too', () =>
    withPlace(async (place) => {
      const value = 'päss"wörd\\42';
      place.hooks('home', {
        [`say-${token}`]: `printf %s "$DB_PASSWORD" >&2; printf '{"decision":"deny","reason":"${token}"}'`,
      });
      const payload = {
        tool_input: { content: `x ${token} y`, nested: JSON.stringify({ inner: value }), [token]: value },
      };
      await place.run(['--log', logOf(place), '--log-payload', '--env', 'inherit'], {
        payload,
        env: { DB_PASSWORD: value },
      });
      const text = readFileSync(logOf(place), 'utf8');
      expect(text).not.toContain(token);
      expect(text).not.toMatch(/wörd|w\\u00f6rd/);
      expect(linesOf(logOf(place))[0]).toMatchObject({
        reason: '[secret]',
        hooks: [{ name: 'say-[secret]', stderr: '[secret]' }],
        payload: { tool_input: { content: 'x [secret] y', '[secret]': '[secret]' } },
      });
    }));

  it('takes a payload that is nested deeper than the stack', () =>
    withPlace(async (place) => {
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      const payload = `{"hook_event_name":"BeforeTool","session_id":"s","tool_name":"x","tool_input":{"a":${deep}}}`;
      expect((await place.run(['-f', 'gemini', '--log', logOf(place), '--log-payload'], { payload })).code).toBe(0);
      expect(linesOf(logOf(place))[0].exit).toBe(0);
    }));

  const unusable: [what: string, make: (path: string, place: Place) => void][] = [
    ['a FIFO that nobody reads', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a device', (path) => symlinkSync('/dev/null', path)],
    ['a link to the shell profile', (path, place) => symlinkSync(place.write('home/.profile', '# mine\n'), path)],
    ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
    ['in a folder that is not there', () => {}],
  ];
  for (const [what, make] of unusable)
    it(`is a warning and changes nothing when it is ${what}`, () =>
      withPlace(async (place) => {
        place.hooks('home', { guard: 'echo no >&2; exit 2' });
        const path = what.startsWith('in a') ? join(place.root, 'missing/log') : logOf(place);
        make(path, place);
        const ran = await place.run(['--log', path]);
        expect(ran).toMatchObject({ code: 2, decision: { decision: 'deny', reason: 'no' }, codes: ['log-unwritable'] });
        expect(ran.stderr).toContain('[log-unwritable]');
        if (existsSync(join(place.home, '.profile')))
          expect(readFileSync(join(place.home, '.profile'), 'utf8')).toBe('# mine\n');
        expect(existsSync(join(place.root, 'nowhere'))).toBe(false);
        const failed = await place.run(['--log', path, '--nonsense']);
        expect(failed).toMatchObject({ code: 64, codes: ['log-unwritable'] });
      }));

  it('that can not be written never changes a decision, whatever goes wrong', () =>
    withPlace(async (place) => {
      place.hooks('home', { fine: 'true' });
      const world = {
        appendFile: () => {
          throw new Error('no space left on device');
        },
      };
      expect(await place.run(['--log', 'x'], { world })).toMatchObject({
        code: 0,
        decision: { decision: 'allow' },
        codes: ['log-unwritable'],
      });
      const asHook = await place.run(['--log', 'x', '-o', 'hook'], { world });
      expect(asHook).toMatchObject({ code: 0 });
      expect(asHook.stderr).toContain('no space left on device');
    }));

  it('begins a new line after one that was torn', () => {
    const scratch = temporaryFolder();
    try {
      const path = join(scratch.path, 'log');
      writeFileSync(path, '{"torn":');
      appendToFile(path, '{"whole":1}\n');
      appendToFile(path, '{"whole":2}\n');
      expect(readFileSync(path, 'utf8')).toBe('{"torn":\n{"whole":1}\n{"whole":2}\n');
    } finally {
      scratch.remove();
    }
  });
});

describe('many runs at once', () => {
  it(
    '50 of them leave 50 whole lines',
    () =>
      withScene(async (scene) => {
        scene.configure([{ name: 'fine', script: 'head -c 20000 /dev/zero | tr "\\0" x' }]);
        const log = join(scene.notes, 'log.jsonl');
        // All of them wait for one word, so that they write as much at the same time as the machine can do.
        const line = `for n in $(seq 50); do { await go; "$@" --session-id "s-$n" < "$N/payload" > "$N/out-$n"; } & done; note go; wait`;
        scene.note('payload', scene.payload);
        const words = [...program, '-f', 'gemini', '--trust', '--quiet', '--log-payload', '--log', log];
        const run = start(['bash', '-c', scene.bash(line), 'bash', ...words], scene, { stdin: '' });
        expect((await run.ended).code).toBe(0);
        const lines = linesOf(log);
        expect(new Set(lines.map((one) => one.session)).size).toBe(50);
        expect(lines).toHaveLength(50);
        expect(lines.every((one) => one.hooks[0].stdout.length === 20_000)).toBe(true);
      }),
    60_000,
  );

  it(
    'killed 200 times while they write, they damage no line but the one they were at',
    () =>
      withScene(async (scene) => {
        const log = join(scene.notes, 'log.jsonl');
        const writer = join(scene.notes, 'writer.mjs');
        // What hookrun does at the end of a run, again and again, so that a kill nearly always meets a write.
        const module = join(import.meta.dirname, '../src/append-file.ts');
        scene.note(
          'append.mjs',
          (await import('esbuild')).buildSync({
            entryPoints: [module],
            bundle: true,
            platform: 'node',
            format: 'esm',
            write: false,
          }).outputFiles[0]!.text,
        );
        writeFileSync(
          writer,
          `import { appendToFile } from './append.mjs';
         const text = 'x'.repeat(300_000);
         for (let n = 0; ; n += 1) { appendToFile(${JSON.stringify(log)}, JSON.stringify({ n, text }) + '\\n'); if (n === 0) console.log('up'); }`,
        );
        const killOne = async (): Promise<void> => {
          const run = start([process.execPath, writer], scene, { stdin: '' });
          await until(() => run.stdout() !== '', 'the first line of a writer');
          run.signal('SIGKILL');
          await run.ended;
        };
        for (let round = 0; round < 20; round += 1) {
          await Promise.all(Array.from({ length: 10 }, killOne));
          const lines = readFileSync(log, 'utf8')
            .split('\n')
            .filter((one) => one !== '');
          const whole = lines.filter(isWhole);
          // Each has told that its first line was out; of what was killed in the middle of a line, only that line is lost, and at worst the
          // one that another process had just begun to put behind it.
          const firsts = whole.filter((line) => line.startsWith('{"n":0,')).length;
          expect(firsts + lines.length - whole.length).toBeGreaterThanOrEqual(10);
          expect(lines.length - whole.length).toBeLessThanOrEqual(10);
          writeFileSync(log, '');
        }
      }),
    60_000,
  );
});

function isWhole(line: string): boolean {
  try {
    const { text } = JSON.parse(line) as { text: string };
    return text.length === 300_000 && /^x+$/.test(text);
  } catch {
    return false;
  }
}
