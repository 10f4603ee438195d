/** hookrun's own settings: where they come from, who has a say about what, and what is made of those that are wrong. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Place, withPlace } from './helpers/settled-run.ts';

const user = 'home/.config/hookrun/config.json';
/** A hook that fails without a decision: what it counts as shows the policy. */
const failing = { broken: 'exit 1' };
/** A user's hook that lets everything through, so that a plan is not empty. */
const fine = { fine: 'true' };

describe.concurrent("the user's settings", () => {
  for (const [name, text] of [
    ['config.json', '{"onFailure":"block"}'],
    ['config.yaml', '# for all projects\nonFailure: block\n'],
  ] as const)
    it(`are read from ${name}`, () =>
      withPlace(async (place) => {
        place.hooks('home', failing);
        expect((await place.run()).code).toBe(0);
        place.write(`home/.config/hookrun/${name}`, text);
        expect(await place.run()).toMatchObject({ code: 2, decision: { cause: 'hook_failure' } });
      }));

  it('are those below XDG_CONFIG_HOME, unless it is relative', () =>
    withPlace(async (place) => {
      place.hooks('home', failing);
      place.write('xdg/hookrun/config.json', { onFailure: 'block' });
      const run = (base: string) => place.run([], { env: { XDG_CONFIG_HOME: base } });
      expect((await run(join(place.root, 'xdg'))).code).toBe(2);
      expect((await run('../xdg')).code).toBe(0);
    }));

  it('give way to the environment, and that to flags', () =>
    withPlace(async (place) => {
      place.hooks('home', failing);
      place.write(user, { onFailure: 'block' });
      const env = { HOOKRUN_ON_FAILURE: 'native' };
      expect((await place.run()).code).toBe(2);
      expect((await place.run([], { env })).code).toBe(0);
      expect((await place.run(['--on-failure', 'block'], { env })).code).toBe(2);
    }));

  it('reach everything that flags do', () =>
    withPlace(async (place) => {
      place.hooks('home', { slow: 'sleep 20', other: 'true' });
      place.write(user, {
        format: 'gemini',
        timeout: '50ms',
        only: ['slow'],
        sequential: true,
        verbose: true,
        color: true,
        output: 'json',
      });
      const { decision, stderr } = await place.run();
      expect(decision).toMatchObject({ mode: 'sequential', hooks: [{ name: 'slow', exit: { kind: 'timed-out' } }] });
      expect(decision.skipped).toMatchObject([{ name: 'other', why: 'not-selected' }]);
      expect(stderr).toContain('\u001b[');
    }));

  it('lose what a stronger layer contradicts', () =>
    withPlace(async (place) => {
      place.hooks('home', fine);
      place.write(user, { sequential: true, quiet: true });
      const { decision, stderr } = await place.run(['--parallel', '--verbose']);
      expect(decision.mode).toBe('parallel');
      expect(stderr).toContain('fine');
    }));

  const wrong: [what: string, settings: string, code: number, warned: string, says: RegExp][] = [
    [
      'a value of another kind',
      '{"onFailure":"maybe"}',
      2,
      'settings-value',
      /onFailure must be native, allow or block/,
    ],
    ['a bare number for a duration', '{"timeout":5}', 78, 'settings-value', /timeout must be a duration such as "5s"/],
    ['a duration without a unit', '{"deadline":"5"}', 78, 'settings-value', /deadline must be/],
    [
      'a key that is not known',
      '{"onfailure":"block","x":1}',
      2,
      'settings-unknown',
      /"onfailure" is no setting.*onFailure/,
    ],
    ['a key that only flags have', '{"trust":true}', 78, 'settings-unknown', /"trust"/],
    ['a project', '{"project":"/"}', 78, 'settings-unknown', /"project"/],
    [
      'an agent that is not known',
      '{"format":"cursor"}',
      78,
      'settings-value',
      /format must be auto, gemini, goose, kimi/,
    ],
    ['no JSON', '{"jobs": 4,}', 78, 'settings-no-data', /not valid JSON/],
    ['no JSON that may have said block', '{"onFailure": "block",}', 2, 'settings-no-data', /not valid JSON/],
    ['a list', '[]', 78, 'settings-no-data', /no object/],
    ['an $import', '{"$import":"./x.js"}', 78, 'settings-import', /\$import is not followed/],
    ['a relative log', '{"log":"log.jsonl"}', 78, 'settings-value', /log must be an absolute path/],
    ['both orders', '{"parallel":true,"sequential":true}', 78, 'settings-value', /sequential must be false/],
    ['the prototype', '{"__proto__":{"onFailure":"allow"}}', 78, 'settings-unknown', /"__proto__"/],
  ];
  for (const [what, settings, code, warned, says] of wrong)
    it(`keep everything from running when they hold ${what}`, () =>
      withPlace(async (place) => {
        place.hooks('home', { marker: 'touch ran' });
        const path = place.write(user, settings);
        const ran = await place.run([], { payload: {} });
        expect(ran.decision.error).toMatchObject({ code: warned, path });
        expect(ran.decision.error?.message).toMatch(says);
        expect(ran.code).toBe(code);
        expect(ran.decision.hooks).toBeUndefined();
      }));

  it('never quote what else stands in a file that is no data', () =>
    withPlace(async (place) => {
      place.write('home/.config/hookrun/config.yaml', 'password: hunter2-hunter2\n  x: [\n');
      const ran = await place.run();
      expect(ran.decision.error?.code).toBe('settings-no-data');
      expect(ran.stdout + ran.stderr).not.toContain('hunter2');
    }));

  const unreadable: [what: string, make: (path: string, place: Place) => void][] = [
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a device', (path) => symlinkSync('/dev/zero', path)],
    ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
    ['a link to itself', (path) => symlinkSync('config.json', path)],
    [
      'a sparse file of a gigabyte',
      (path, place) => {
        place.write(user, '');
        truncateSync(path, 1024 ** 3);
      },
    ],
  ];
  for (const [what, make] of unreadable)
    it(`are an error and no hang when the file is ${what}`, () =>
      withPlace(async (place) => {
        const folder = join(place.home, '.config/hookrun');
        mkdirSync(folder, { recursive: true });
        make(join(folder, 'config.json'), place);
        const ran = await place.run();
        expect(ran).toMatchObject({ code: 66, decision: { decision: null, error: { code: 'settings-unreadable' } } });
        expect((await place.run(['--on-failure', 'block'])).code).toBe(2);
      }));

  it.skipIf(process.getuid?.() === 0)('are an error when they may not be read', () =>
    withPlace(async (place) => {
      chmodSync(place.write(user, { onFailure: 'block' }), 0);
      expect((await place.run()).code).toBe(66);
    }),
  );

  it('do not keep help from being printed', () =>
    withPlace(async (place) => {
      place.write(user, '{');
      expect(await place.run(['--help'])).toMatchObject({ code: 0, stderr: '' });
    }));
});

describe.concurrent('variables', () => {
  for (const [name, value, code, exit] of [
    ['HOOKRUN_TIMEOUT', '5', 'settings-variable', 64],
    ['HOOKRUN_JOBS', '0', 'settings-variable', 64],
    ['HOOKRUN_REQUIRE_MATCH', 'yes', 'settings-variable', 64],
    ['HOOKRUN_FORMAT', 'cursor', 'settings-variable', 64],
    // Somebody wanted a policy: nothing passes until it is known which.
    ['HOOKRUN_ON_FAILURE', 'Block', 'settings-variable', 2],
  ] as const)
    it(`${name}=${value} is an error`, () =>
      withPlace(async (place) => {
        const ran = await place.run([], { env: { [name]: value } });
        expect(ran.decision.error).toMatchObject({ code, key: name });
        expect(ran.code).toBe(exit);
      }));

  for (const [name, value, check] of [
    ['HOOKRUN_REQUIRE_MATCH', '1', { code: 2, decision: { cause: 'no_match' } }],
    ['HOOKRUN_REQUIRE_MATCH', 'false', { code: 0 }],
    ['HOOKRUN_REQUIRE_MATCH', '', { code: 0 }],
    ['HOOKRUN_SCOPE', 'user, system', { code: 0 }],
    ['HOOKRUN_SCOPE', 'nowhere', { code: 64 }],
    ['HOOKRUN_PROJECT', '/nowhere', { code: 66 }],
    ['HOOKRUN_PARALLEL', 'true', { decision: { mode: 'parallel' } }],
    ['HOOKRUN_DEADLINE', '1m', { code: 0 }],
  ] as const)
    it(`${name}=${value} counts`, () =>
      withPlace(async (place) => expect(await place.run([], { env: { [name]: value } })).toMatchObject(check)));

  it('say how hookrun speaks, when it fails too', () =>
    withPlace(async (place) => {
      const ran = await place.run(['--nonsense', '--', 'hook'], { env: { HOOKRUN_OUTPUT: 'hook' } });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain('--nonsense');
    }));
});

describe.concurrent("a project's settings", () => {
  for (const [name, content] of [
    ['.hookrunrc', '{"onFailure":"block"}'],
    ['.hookrunrc', 'onFailure: block'],
    ['.hookrunrc.json', '{"onFailure":"block"}'],
    ['.hookrunrc.yaml', 'onFailure: block'],
    ['package.json', '{"name":"x","hookrun":{"onFailure":"block"}}'],
  ] as const)
    it(`count where it is trusted: ${name} with ${content}`, () =>
      withPlace(async (place) => {
        place.hooks('home', failing);
        place.write(`project/${name}`, content);
        expect((await place.run(['--trust'])).code).toBe(2);
      }));

  it('may make a run stricter', () =>
    withPlace(async (place) => {
      place.write('project/.hookrunrc', { requireMatch: true });
      expect(await place.run(['--trust'])).toMatchObject({ code: 2, decision: { cause: 'no_match' } });
    }));

  it("may not take the time from the user's hooks", () =>
    withPlace(async (place) => {
      place.hooks('home', { guard: 'sleep 0.3; exit 2' });
      place.write('project/.hookrunrc', { timeout: '50ms' });
      const made = await place.run(['--trust']);
      expect(made).toMatchObject({ code: 2, decision: { decidedBy: ['guard'] } });
    }));

  it('may lower the timeout of its own hooks, and not raise it', () =>
    withPlace(async (place) => {
      place.hooks('project', { slow: 'sleep 20' });
      place.write('project/.hookrunrc', { timeout: '60ms' });
      const low = await place.run(['--trust']);
      expect(low.decision.hooks).toMatchObject([{ exit: { kind: 'timed-out', why: 'timeout of 60 ms' } }]);
      place.write(user, { timeout: '50ms' });
      const both = await place.run(['--trust']);
      expect(both.decision.hooks).toMatchObject([{ exit: { kind: 'timed-out', why: 'timeout of 50 ms' } }]);
    }));

  it('may choose colour and verbosity', () =>
    withPlace(async (place) => {
      place.hooks('home', fine);
      place.write('project/.hookrunrc', { color: true, verbose: true });
      const { stderr } = await place.run(['--trust']);
      expect(stderr).toContain('\u001b[');
      expect(stderr).toContain('.gemini/settings.json');
      expect((await place.run(['--trust', '--no-color', '-q'])).stderr).toBe('');
      const undecided = await place.run();
      expect(undecided.code).toBe(0);
      expect(undecided.stderr).not.toContain('\u001b[');
    }));

  it('give way to flags and to the environment', () =>
    withPlace(async (place) => {
      place.hooks('home', failing);
      place.write('project/.hookrunrc', { onFailure: 'block' });
      expect((await place.run(['--trust', '--on-failure', 'allow'])).code).toBe(0);
      expect((await place.run(['--trust'], { env: { HOOKRUN_ON_FAILURE: 'native' } })).code).toBe(0);
    }));

  for (const [key, value] of Object.entries({
    onFailure: 'allow',
    requireMatch: false,
    env: 'inherit',
    skip: ['guard'],
    only: ['x'],
    scope: ['project'],
    format: 'kimi',
    output: 'hook',
    jobs: 1,
    deadline: '1ms',
    log: '/tmp/x',
    stopCap: 1,
    parallel: true,
    strict: true,
    logPayload: true,
    derived: true,
    project: '/',
  }))
    it(`have no say about ${key}: ${JSON.stringify(value)}`, () =>
      withPlace(async (place) => {
        place.hooks('home', { guard: `echo no >&2; exit 2` });
        const path = place.write('project/.hookrunrc.json', { [key]: value });
        const ran = await place.run(['--trust']);
        expect(ran).toMatchObject({ code: 2, decision: { decidedBy: ['guard'] } });
        expect(ran.decision.warnings).toMatchObject([{ code: 'settings-project', path, key }]);
      }));

  it('that are wrong are a warning, and a failure where failures block', () =>
    withPlace(async (place) => {
      place.hooks('home', fine);
      for (const [text, code] of [
        ['{"onFailure":"perhaps"}', 'settings-value'],
        ['{"trust":true}', 'settings-unknown'],
        ['{"$import":"./x.js"}', 'settings-import'],
        ['{{{', 'settings-no-data'],
      ] as const) {
        place.write('project/.hookrunrc', text);
        expect(await place.run(['--trust'])).toMatchObject({ code: 0, codes: [code] });
        expect(await place.run(['--trust', '--on-failure', 'block'])).toMatchObject({
          code: 2,
          decision: { error: { code } },
        });
        expect((await place.run(['--trust', '--strict'])).code).toBe(78);
      }
    }));

  it('are not read through a link that leads out of it', () =>
    withPlace(async (place) => {
      const outside = place.write('outside.json', { requireMatch: true });
      symlinkSync(outside, join(place.project, '.hookrunrc.json'));
      expect(await place.run(['--trust'])).toMatchObject({ code: 0, codes: ['settings-unreadable'] });
      symlinkSync('inside.json', join(place.project, '.hookrunrc'));
      place.write('project/inside.json', { requireMatch: true });
      expect((await place.run(['--trust'])).code).toBe(2);
    }));

  it('are bounded, and no FIFO', () =>
    withPlace(async (place) => {
      execFileSync('mkfifo', [join(place.project, '.hookrunrc'), join(place.project, 'package.json')]);
      place.write('project/.hookrunrc.json', '');
      truncateSync(join(place.project, '.hookrunrc.json'), 1024 ** 3);
      const { code, codes } = await place.run(['--trust']);
      expect({ code, codes: new Set(codes) }).toEqual({ code: 0, codes: new Set(['settings-unreadable']) });
    }));

  it('are a reason to refuse in a folder that nobody has decided about, if they make a run stricter', () =>
    withPlace(async (place) => {
      place.hooks('home', fine);
      place.write('project/.hookrunrc', { color: false, env: 'inherit', onFailure: 'allow' });
      expect((await place.run()).code).toBe(0);
      place.write('project/.hookrunrc', { onFailure: 'block' });
      const refused = await place.run();
      expect(refused).toMatchObject({ code: 77, decision: { decision: 'deny', cause: 'untrusted', hooks: [] } });
      expect(refused.decision.reason).toContain('onFailure: block');
      expect(await place.run(['--dry-run'])).toMatchObject({ code: 0, codes: ['untrusted'] });
      // What the user wants anyway is nothing that the project changes.
      expect((await place.run(['--on-failure', 'block'])).code).toBe(0);
    }));

  it('are not looked at where it is decided against', () =>
    withPlace(async (place) => {
      place.hooks('home', failing);
      place.write('project/.hookrunrc', { onFailure: 'block', requireMatch: true });
      const env = { GEMINI_CLI_TRUST_WORKSPACE: 'false' };
      expect(await place.run([], { env })).toMatchObject({ code: 0, codes: [] });
    }));

  it('are part of what is trusted', () =>
    withPlace(async (place) => {
      place.hooks('home', failing);
      place.write('project/.hookrunrc', { onFailure: 'block', color: false });
      expect((await place.run(['trust', '--format', 'gemini', place.project])).code).toBe(0);
      expect((await place.run()).code).toBe(2);
      place.write('project/.hookrunrc', { onFailure: 'block', color: true });
      expect((await place.run()).code).toBe(2);
      place.write('project/.hookrunrc', { onFailure: 'block', requireMatch: true });
      expect((await place.run()).code).toBe(77);
      // What was trusted to make things stricter is gone: that is a change like any other.
      place.write('project/.hookrunrc', {});
      expect((await place.run()).code).toBe(77);
      expect((await place.run(['untrust', place.project])).code).toBe(0);
      expect((await place.run()).code).toBe(0);
    }));

  it('are not trusted, with the reason, when the record of trusted folders is damaged', () =>
    withPlace(async (place) => {
      place.hooks('home', fine);
      place.write('project/.hookrunrc', { requireMatch: true });
      place.write('home/.local/state/hookrun/trust.json', '{');
      const ran = await place.run();
      expect(ran).toMatchObject({ code: 77, codes: ['trust-store'] });
    }));

  it('are asked about for an agent too that reads no hooks from a project', () =>
    withPlace(async (place) => {
      place.write('project/.hookrunrc', { requireMatch: true });
      const payload = {
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: place.project,
        tool_name: 'Bash',
        tool_input: {},
      };
      const run = (args: string[]) => place.run(['-f', 'kimi', ...args], { payload: JSON.stringify(payload) });
      expect((await run([])).code).toBe(77);
      expect((await run(['--trust'])).code).toBe(2);
    }));

  it('are nothing that --config leaves room for', () =>
    withPlace(async (place) => {
      const config = place.write('mine.json', { hooks: {} });
      place.write('project/.hookrunrc', { requireMatch: true });
      expect((await place.run(['--config', config])).code).toBe(0);
    }));
});
