/** `block`, wherever it was said: no failure lets an event through, one of hookrun's own neither, and stdout still has a decision. */

import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskFs } from '../src/file-system.ts';
import { gemini } from '../src/formats/gemini/entry.ts';
import type { World } from '../src/world.ts';
import { beforeTool } from './helpers/gemini-project.ts';
import { type Place, type RunHere, withPlace } from './helpers/settled-run.ts';

/** The ways to say it, as what they add to a run. */
const sources: Record<string, (place: Place) => { args?: string[]; env?: Record<string, string> }> = {
  'the flag': () => ({ args: ['--on-failure', 'block'] }),
  'the flag, said last': () => ({ args: ['--on-failure', 'allow', '--on-failure=block'] }),
  HOOKRUN_ON_FAILURE: () => ({ env: { HOOKRUN_ON_FAILURE: 'block' } }),
  "the user's settings": (place) => {
    place.write('home/.config/hookrun/config.json', { onFailure: 'block' });
    return {};
  },
  "the project's settings": (place) => {
    place.write('project/.hookrunrc.json', { onFailure: 'block' });
    return {};
  },
};

interface Way {
  readonly hooks?: Readonly<Record<string, string>>;
  readonly prepare?: (place: Place) => void;
  readonly args?: readonly string[];
  readonly run?: (place: Place) => RunHere;
  /** It fails before anybody could know that the project is to be asked. */
  readonly early?: true;
}

const bug = (): never => {
  throw new TypeError('a bug');
};

const settings = 'project/.gemini/settings.json';
const hookEntry = (more: object): object => ({
  hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: 'true', ...more }] }] },
});

const ways: Record<string, Way> = {
  'a hook that exits 1': { hooks: { h: 'exit 1' } },
  'a hook that exits 127': { hooks: { h: 'no-such-command-anywhere' } },
  'a hook that is killed': { hooks: { h: 'kill -9 $$' } },
  'a hook that takes too long': { hooks: { h: 'sleep 20' }, args: ['--timeout', '50ms'] },
  'a run that takes too long': { hooks: { h: 'sleep 20' }, args: ['--deadline', '50ms'] },
  'a hook that prints broken JSON': { hooks: { h: 'echo "{"' } },
  'a hook that prints around its JSON': { hooks: { h: `echo note; echo '{"decision":"allow"}'` } },
  'an entry that is not valid': { prepare: (place) => place.write(settings, hookEntry({ type: 'plugin' })) },
  'a config that does not parse': { prepare: (place) => place.write(settings, '{"hooks":') },
  'a config that is a folder': {
    prepare: (place) => mkdirSync(join(place.root, settings), { recursive: true }),
    early: true,
  },
  'a config that is not there': { args: ['--config', '/nowhere'], early: true },
  'a warning, with --strict': {
    prepare: (place) => place.write(settings, hookEntry({ type: 'plugin' })),
    args: ['--strict'],
  },
  'a folder that nobody decided about': { hooks: { h: 'true' }, args: ['untrusted'] },
  'a flag that is not known': { args: ['--nonsense'], early: true },
  'a flag with a wrong value': { args: ['--timeout', '5'], early: true },
  'a format that is not known': { args: ['--format', 'cursor'], early: true },
  'a scope that is not known': { args: ['--scope', 'nowhere'], early: true },
  'a project that is not there': { args: ['--project', '/nowhere'], early: true },
  'no payload': { run: () => ({ payload: '' }), early: true },
  'a payload that is not JSON': { run: () => ({ payload: '{"a":' }), early: true },
  'a payload that is no object': { run: () => ({ payload: '[]' }), early: true },
  'a payload that is not UTF-8': { run: () => ({ stdin: Buffer.from([0x7b, 0xff, 0x7d]) }), early: true },
  'a payload with a wrong type': { run: () => ({ payload: { tool_name: 1 } }), early: true },
  'a payload without an event': { run: () => ({ payload: { hook_event_name: undefined } }), early: true },
  'a payload that is too large': { run: () => ({ stdin: Buffer.alloc(64 * 1024 * 1024 + 1, 0x20) }), early: true },
  'a payload of more values than memory may hold': {
    run: () => ({ payload: `{"hook_event_name":"BeforeTool","tool_input":[${'[],'.repeat(2_000_001)}1]}` }),
    early: true,
  },
  'a payload file that is not there': { args: ['-p', '/nowhere'], early: true },
  'a payload file that never ends': { args: ['-p', '/dev/zero'], early: true },
  'a variable with a wrong value': { run: () => ({ env: { HOOKRUN_TIMEOUT: '5' } }), early: true },
  "settings of the project's that are no data": { prepare: (place) => place.write('project/.hookrunrc', '{{{') },
  'a bug in loading an agent': {
    hooks: { h: 'true' },
    run: () => ({ formats: [{ ...gemini, load: () => Promise.reject(new TypeError('a bug')) }] }),
    early: true,
  },
  'a bug in reading a config': {
    run: (place) => ({
      fs: {
        ...diskFs,
        read: (path, limit) =>
          path.startsWith(place.project) && path.includes('.gemini') ? bug() : diskFs.read(path, limit),
      },
    }),
    prepare: (place) => place.write(settings, '{}'),
  },
  'a bug in reading stdin': {
    run: () => ({
      world: {
        stdin: {
          isTTY: false,
          read: () => Promise.reject(new TypeError('a bug')),
          close() {},
        } as unknown as World['stdin'],
      },
    }),
    early: true,
  },
};

describe.concurrent('there is no way past', () => {
  for (const [what, way] of Object.entries(ways))
    for (const [source, say] of Object.entries(sources)) {
      if (source.startsWith('the project') && (way.early || what.includes('project'))) continue;
      it(`${what}, blocked by ${source}`, () =>
        withPlace(async (place) => {
          if (way.hooks !== undefined) place.hooks('project', way.hooks);
          way.prepare?.(place);
          const { args = [], env = {} } = say(place);
          const more = way.run?.(place) ?? {};
          const isUntrusted = way.args?.includes('untrusted') === true;
          const all = ['-f', 'gemini', ...(isUntrusted ? [] : ['--trust', ...(way.args ?? [])]), ...args];
          const ran = await place.run(all, { ...more, env: { ...env, ...more.env } });
          expect(ran.decision.decision, ran.stdout).toBe('deny');
          // An undecided project can't say that being undecided about it is a denial; 77 is none to pass either.
          expect(ran.code).toBe(isUntrusted && source.startsWith('the project') ? 77 : 2);
        }));
    }

  it('what is found out while the result is made ready', () =>
    withPlace(async (place) => {
      place.hooks('project', { h: 'true' });
      let calls = 0;
      const now = (): Date => {
        calls += 1;
        throw new TypeError('a bug');
      };
      const ran = await place.run(['--trust', '--on-failure', 'block', '--log', 'x'], { now });
      // The clock is only asked for the log, and that must not cost a decision.
      expect(calls).toBeGreaterThan(0);
      expect(ran).toMatchObject({ code: 0, codes: ['log-unwritable'] });
    }));

  it.skipIf(process.getuid?.() === 0)('settings that may not be read', () =>
    withPlace(async (place) => {
      chmodSync(place.write('home/.config/hookrun/config.json', { onFailure: 'block' }), 0);
      expect((await place.run(['--on-failure', 'block'])).code).toBe(2);
    }),
  );
});

describe.concurrent('--require-match', () => {
  const payload = { ...beforeTool, tool_name: 'other' };
  for (const [source, args, env, file] of [
    ['the flag', ['--require-match'], {}, undefined],
    ['the variable', [], { HOOKRUN_REQUIRE_MATCH: '1' }, undefined],
    ["the user's settings", [], {}, 'home/.config/hookrun/config.json'],
    ["the project's settings", ['--trust'], {}, 'project/.hookrunrc'],
  ] as const)
    it(`from ${source} denies when nothing matched, and lets pass what did`, () =>
      withPlace(async (place) => {
        place.write('home/.gemini/settings.json', {
          hooks: { BeforeTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command: 'true' }] }] },
        });
        if (file !== undefined) place.write(file, { requireMatch: true });
        expect((await place.run(args, { env })).code).toBe(0);
        expect(await place.run(args, { env, payload })).toMatchObject({
          code: 2,
          decision: { decision: 'deny', cause: 'no_match' },
        });
        // Switched off is not matched either.
        expect((await place.run(args, { env: { ...env, HOOKRUN: '0' } })).code).toBe(2);
      }));
});
