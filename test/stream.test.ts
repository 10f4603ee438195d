/** `hookrun stream`: one payload a line in, one decision a line out. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../src/decision-schema.ts';
import { type Line, linesIn } from '../src/lines.ts';
import { main } from '../src/main.ts';
import { hook } from './helpers/gemini-project.ts';
import { temporaryFolder, testWorld } from './helpers/world.ts';

interface Scene {
  readonly project: string;
  readonly home: string;
  configure(hooks: unknown): void;
  event(tool: string, more?: object): string;
}

async function inProject(work: (scene: Scene) => Promise<void>): Promise<void> {
  const scratch = temporaryFolder('hookrun-stream-');
  try {
    const home = join(scratch.path, 'home');
    const project = join(scratch.path, 'project');
    mkdirSync(home);
    mkdirSync(join(project, '.gemini'), { recursive: true });
    await work({
      project,
      home,
      configure: (hooks) =>
        writeFileSync(join(project, '.gemini', 'settings.json'), JSON.stringify({ hooks: { BeforeTool: hooks } })),
      event: (tool, more = {}) =>
        JSON.stringify({ hook_event_name: 'BeforeTool', transcript_path: '', cwd: project, tool_name: tool, ...more }),
    });
  } finally {
    scratch.remove();
  }
}

/** Denies what is called deny, and is slow to allow what is called slow. */
const byName = [
  { matcher: '^deny$', hooks: [hook('no', 'echo no >&2; exit 2')] },
  { matcher: '^ask$', hooks: [hook('ask', 'echo \'{"decision":"ask"}\'')] },
  { matcher: '^stop$', hooks: [hook('stop', 'echo \'{"continue":false,"stopReason":"s"}\'')] },
];

async function stream(scene: Scene, lines: readonly string[], args: readonly string[] = []) {
  const { world, stdout, stderr } = testWorld({ cwd: scene.project, home: scene.home, stdin: lines.join('\n') });
  const code = await main(['stream', '--trust', ...args], world);
  const decisions = stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Decision);
  return { code, decisions, stderr: stderr() };
}

describe.concurrent('a stream', () => {
  it('answers every line in order, whatever takes how long, and ends with the worst code', async () => {
    await inProject(async (scene) => {
      // The first can only end when the second has run, so that both are under way at once and the second is done first.
      scene.configure([
        { matcher: '^first$', hooks: [hook('wait', 'while [ ! -e go ]; do sleep 0.01; done')] },
        { matcher: '^second$', hooks: [hook('go', 'touch go')] },
        ...byName,
      ]);
      const lines = ['first', 'second', 'deny', 'ask'].map((tool) => scene.event(tool));
      const { code, decisions, stderr } = await stream(scene, lines, ['-j', '3']);
      expect(decisions.map(({ id, decision }) => [id, decision])).toEqual([
        [1, 'allow'],
        [2, 'allow'],
        [3, 'deny'],
        [4, 'ask'],
      ]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^4 events: 2 allowed, 1 asked, 1 denied \(/);
    });
  });

  it('--unordered answers as it goes', async () => {
    await inProject(async (scene) => {
      scene.configure([{ matcher: '^first$', hooks: [hook('wait', 'while [ ! -e go ]; do sleep 0.01; done')] }]);
      const stdin = [scene.event('first'), scene.event('second')].join('\n');
      const { world, stdout } = testWorld({ cwd: scene.project, home: scene.home, stdin });
      // The first can only end once an answer to the second has been given.
      const write = async (text: string): Promise<void> => {
        await world.stdout.write(text);
        if (JSON.parse(text).id === 2) writeFileSync(join(scene.project, 'go'), '');
      };
      await main(['stream', '--trust', '-j', '2', '--unordered'], { ...world, stdout: { ...world.stdout, write } });
      const ids = stdout()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id);
      expect(ids).toEqual([2, 1]);
    });
  });

  it('a line that is no payload is answered by an error, and the stream goes on', async () => {
    await inProject(async (scene) => {
      scene.configure(byName);
      const { code, decisions } = await stream(scene, [
        'nope',
        '',
        '  ',
        '[]',
        scene.event('x'),
        '{"hook_event_name":"No"}',
      ]);
      expect(decisions.map(({ id, error, decision }) => [id, error?.code ?? decision])).toEqual([
        [1, 'payload-not-json'],
        [4, 'payload-not-object'],
        [5, 'allow'],
        [6, 'format-unclear'],
      ]);
      expect(decisions[0]?.error).toMatchObject({ exit: 65, path: 'line 1' });
      expect(code).toBe(65);
    });
  });

  it.each([
    [['x'], 0],
    [['x', 'ask'], 3],
    [['ask', 'deny', 'x'], 2],
    [['deny', 'stop', 'ask'], 4],
  ])('%j ends with %i', async (tools, expected) => {
    await inProject(async (scene) => {
      scene.configure(byName);
      expect(
        (
          await stream(
            scene,
            tools.map((tool) => scene.event(tool)),
          )
        ).code,
      ).toBe(expected);
    });
  });

  it('--fail-fast ends after the first event that is not allowed', async () => {
    await inProject(async (scene) => {
      scene.configure([...byName, { hooks: [hook('count', 'echo x >> ran')] }]);
      const lines = ['a', 'deny', 'b', 'c'].map((tool) => scene.event(tool));
      const { code, decisions } = await stream(scene, lines, ['--fail-fast']);
      expect(decisions.map(({ decision }) => decision)).toEqual(['allow', 'deny']);
      expect(code).toBe(2);
      expect(readFileSync(join(scene.project, 'ran'), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(3);
    });
  });

  it('a broken line counts as the failure policy has it', async () => {
    await inProject(async (scene) => {
      const { code, decisions } = await stream(scene, ['nope'], ['--on-failure', 'block']);
      expect(code).toBe(2);
      expect(decisions).toMatchObject([{ decision: 'deny', cause: 'hook_failure' }]);
    });
  });

  it('a config that changes is read again, one that does not is not', async () => {
    await inProject(async (scene) => {
      scene.configure([]);
      let answers = 0;
      const wait = async (count: number): Promise<void> => {
        while (answers < count) await new Promise((resolve) => setImmediate(resolve));
      };
      let reads = 0;
      const { world, stdout } = testWorld({
        cwd: scene.project,
        home: scene.home,
        chunks: async function* () {
          yield Buffer.from(`${scene.event('deny')}\n${scene.event('deny')}\n`);
          await wait(2);
          scene.configure(byName);
          yield Buffer.from(`${scene.event('deny')}\n${scene.event('deny')}\n`);
        },
      });
      const counting = {
        ...world,
        fs: {
          ...world.fs,
          read: (path: string, limit: number) => {
            if (path.endsWith('settings.json')) reads += 1;
            return world.fs.read(path, limit);
          },
        },
        stdout: {
          ...world.stdout,
          write: async (text: string) => {
            await world.stdout.write(text);
            answers += 1;
          },
        },
      };
      await main(['stream', '--trust'], counting);
      const decisions = stdout()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).decision);
      expect(decisions).toEqual(['allow', 'allow', 'deny', 'deny']);
      // The user's file that is not there, and the project's, each twice.
      expect(reads).toBeLessThanOrEqual(8);
    });
  });

  it('reads no further than it can answer', async () => {
    await inProject(async (scene) => {
      scene.configure([]);
      let given = 0;
      let open = (): void => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const { world } = testWorld({
        cwd: scene.project,
        home: scene.home,
        chunks: async function* () {
          for (; given < 200; given += 1) yield Buffer.from(`${scene.event('x')}\n`);
        },
      });
      const slow = { ...world, stdout: { ...world.stdout, write: () => gate } };
      const ended = main(['stream', '--trust', '-q'], slow);
      for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(given).toBeLessThan(10);
      open();
      expect(await ended).toBe(0);
      expect(given).toBe(200);
    });
  });

  it('told to end, it ends the hooks and prints what they had stated', async () => {
    await inProject(async (scene) => {
      scene.configure([
        { hooks: [hook('deny', 'echo \'{"decision":"deny","reason":"no"}\'; touch said; exec sleep 60')] },
      ]);
      const { world, stdout, signal } = testWorld({
        cwd: scene.project,
        home: scene.home,
        chunks: async function* () {
          yield Buffer.from(`${scene.event('x')}\n`);
          while (!world.fs.info(join(scene.project, 'said'))) await new Promise((resolve) => setTimeout(resolve, 5));
          signal('SIGTERM');
          await new Promise(() => {});
        },
      });
      expect(await main(['stream', '--trust', '-j', '2'], world)).toBe(2);
      expect(JSON.parse(stdout())).toMatchObject({ id: 1, decision: 'deny', reason: 'no' });
    });
  });

  it('leaves a record of each event in the log', async () => {
    await inProject(async (scene) => {
      scene.configure(byName);
      await stream(scene, [scene.event('x'), 'nope', scene.event('deny')], ['--log', 'log.jsonl']);
      const records = readFileSync(join(scene.project, 'log.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(records.map(({ exit }) => exit)).toEqual([0, 65, 2]);
    });
  });

  it('a terminal is no stream', async () => {
    const { world, stdout } = testWorld({ cwd: '/', home: '/none' });
    expect(await main(['stream'], world)).toBe(64);
    expect(JSON.parse(stdout())).toMatchObject({ error: { code: 'stream-terminal' } });
  });
});

describe('lines', () => {
  const cut = async (pieces: readonly string[], limit: number): Promise<(string | boolean)[]> => {
    const found: (string | boolean)[] = [];
    async function* chunks() {
      for (const piece of pieces) yield Buffer.from(piece);
    }
    const show = (line: Line): string | boolean => ('tooLong' in line ? true : line.bytes.toString());
    for await (const line of linesIn(chunks(), limit)) found.push(show(line));
    return found;
  };

  it.each([
    [['a\nb\n'], ['a', 'b']],
    [
      ['a\n', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'b\nc', '\n\n', 'd'],
      ['ab', 'c', '', 'd'],
    ],
    [[''], []],
    [['123456789\nok\n'], [true, 'ok']],
    [
      ['12345', '6789', '0\nok'],
      [true, 'ok'],
    ],
    [['123456789'], [true]],
  ])('%j', async (pieces, expected) => {
    expect(await cut(pieces, 8)).toEqual(expected);
  });
});
