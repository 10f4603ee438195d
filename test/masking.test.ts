/** No secret in what people read, in the shown output, in errors; and nothing there that a terminal would obey. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMask } from '../src/mask.ts';
import { toJson } from '../src/to-json.ts';
import { withPlace } from './helpers/settled-run.ts';

const token = `ghp_${'a1'.repeat(20)}`;
const value = 'hunter2"\\ünter';
const env = { API_KEY: value };
const files = { info: () => undefined };

describe('a mask', () => {
  const mask = createMask(
    [env, { GITHUB_TOKEN: 'abcdef', SHORT_KEY: 'abc', HOME: '/home/dev', MULTI_SECRET: 'line-1\nline-2' }],
    files,
  );
  for (const [what, text, expected] of [
    ['a value of a variable that names a secret', `x ${value} y`, 'x [secret] y'],
    ['a value inside JSON', JSON.stringify({ a: value }), '{"a":"[secret]"}'],
    ['a value inside JSON without letters beyond ASCII', '{"a":"hunter2\\"\\\\\\u00fcnter"}', '{"a":"[secret]"}'],
    ['a value inside JSON inside JSON', JSON.stringify(JSON.stringify({ a: value })), '"{\\"a\\":\\"[secret]\\"}"'],
    ['a value of several lines', 'line-1\nline-2', '[secret]'],
    ['what looks like a secret', token, '[secret]'],
    ['no short value', 'abc', 'abc'],
    ['no other value', '/home/dev', '/home/dev'],
  ] as const)
    it(`masks ${what}`, () => expect(mask.text(text)).toBe(expected));

  it('masks strings in data at any depth, keys too, and hands back what holds none', () => {
    const clean = { a: [1, 'b'] };
    expect(mask.data(clean)).toBe(clean);
    expect(mask.data({ [value]: [{ deep: `${value}!` }] })).toEqual({ '[secret]': [{ deep: '[secret]!' }] });
    let deep: unknown = value;
    for (let n = 0; n < 5_000; n += 1) deep = [deep];
    expect(toJson(mask.data({ deep: 1, more: deep }))).not.toContain('hunter2');
  });

  it('leaves the path of something that is there', () => {
    const paths = { SSH_AUTH_SOCK: '/run/agent.sock', OTHER_KEY: '/AbC+notApath' };
    const here = createMask([paths], {
      info: (path) => (path === '/run/agent.sock' ? { kind: 'other', size: 0, uid: 0, mode: 0 } : undefined),
    });
    expect(here.text('/run/agent.sock /AbC+notApath')).toBe('/run/agent.sock [secret]');
  });

  it('takes time in step with the text', () => {
    const began = performance.now();
    createMask([{ A_KEY: 'aaaaaa', B_KEY: 'aaaaab' }], files).json(JSON.stringify({ text: 'a'.repeat(2_000_000) }));
    expect(performance.now() - began).toBeLessThan(4_000);
  });
});

describe.concurrent('hookrun shows no secret', () => {
  it('of its environment, whatever a hook prints', () =>
    withPlace(async (place) => {
      place.hooks('home', { leak: `printf '%s\\n' "$API_KEY"; printf '%s' "$API_KEY" >&2; exit 3` });
      const { stderr, decision } = await place.run(['-v', '--env', 'inherit'], { env });
      expect(decision.hooks).toMatchObject([{ stdout: '[secret]\n', stderr: '[secret]' }]);
      expect(stderr).not.toContain('hunter2');
      expect(stderr).toContain('stdout: [secret]');
      // What the agent is to be told stays as it is: it is what hookrun is for.
      expect(decision.reason).toBe(value);
    }));

  it("of a hook's own configuration", () =>
    withPlace(async (place) => {
      const hook = {
        type: 'command',
        name: 'leak',
        command: 'echo "$MY_TOKEN"',
        env: { MY_TOKEN: 'from-the-settings' },
      };
      place.write('home/.gemini/settings.json', { hooks: { BeforeTool: [{ hooks: [hook] }] } });
      const { decision, stderr } = await place.run(['-v']);
      expect(decision.hooks).toMatchObject([{ stdout: '[secret]\n' }]);
      expect(stderr).not.toContain('from-the-settings');
    }));

  it('in the parsed output', () =>
    withPlace(async (place) => {
      place.hooks('home', { leak: `printf '{"systemMessage":"x","extra":"${token}"}'` });
      expect((await place.run()).decision.hooks).toMatchObject([{ output: { extra: '[secret]' } }]);
    }));

  it('on stderr, in a reason, a name or a command; not cut in half either', () =>
    withPlace(async (place) => {
      // A reason is cut after 300 characters, in the middle of the token.
      const reason = `${'x'.repeat(290)} ${token}`;
      place.hooks('home', { [`guard-${token}`]: `: ${token}; printf '{"decision":"deny","reason":"${reason}"}'` });
      const { stderr } = await place.run(['-v']);
      expect(stderr).toContain('deny');
      expect(stderr).not.toContain('ghp_');
      expect((await place.run(['-n'])).stderr).not.toContain('ghp_');
    }));

  it('in an error that quotes the payload or a flag', () =>
    withPlace(async (place) => {
      for (const [args, payload] of [
        [['--format', 'gemini'], { session_id: 1, hook_event_name: 'BeforeTool', tool_name: token, tool_input: token }],
        [['--format', 'gemini', '-i', `${'x'.repeat(50)}${token}`], {}],
        [[`--${token}`], {}],
        [['--scope', value], {}],
      ] as const) {
        const ran = await place.run(args, { payload, env });
        expect(ran.code).toBeGreaterThan(63);
        expect(ran.stderr + ran.stdout).not.toMatch(/ghp_|hunter2/);
      }
    }));

  it('as one hook of the agent, when it could not decide', () =>
    withPlace(async (place) => {
      const ran = await place.run(['-o', 'hook', '--scope', token]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).not.toContain('ghp_');
    }));
});

describe.concurrent('a terminal gets nothing to obey', () => {
  // An escape sequence in seven and in eight bits, one that sets the title, and a mark that turns the writing direction.
  const evil = '\u001b[2J\u009b31m\u001b]0;x\u0007\r\u202e';
  const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

  it('from hooks: name, command, matcher, reason, output', () =>
    withPlace(async (place) => {
      const out = join(place.root, 'out');
      place.write('out', `${evil}\n${evil}`);
      const entry = {
        type: 'command',
        name: `n${evil}`,
        command: `: '${evil}'; cat '${out}'; cat '${out}' >&2; exit 2`,
      };
      place.write('home/.gemini/settings.json', {
        hooks: { BeforeTool: [{ hooks: [entry] }, { matcher: `x${evil}`, hooks: [entry] }] },
      });
      for (const args of [['-v'], ['-n'], ['-o', 'hook']]) {
        const { stdout, stderr } = await place.run([...args, '--no-color'], { tty: true });
        expect(stdout + stderr).not.toMatch(obeyed);
      }
    }));

  it('from the payload, flags and file names', () =>
    withPlace(
      async (place) => {
        place.hooks('home', { guard: 'exit 2' });
        const payload = { tool_name: `t${evil}`, session_id: evil, tool_input: { a: evil } };
        for (const args of [
          ['-v'],
          ['--project', evil],
          ['--format', evil],
          [evil],
          ['--config', evil],
          ['-p', evil],
          ['--log', evil],
        ]) {
          const { stdout, stderr } = await place.run([...args, '--no-color'], { payload, tty: true });
          expect(stdout + stderr).not.toMatch(obeyed);
        }
      },
      `project${evil.replace('\u001b]0;x\u0007', '')}`,
    ));

  it('from settings', () =>
    withPlace(async (place) => {
      place.write('home/.config/hookrun/config.json', JSON.stringify({ [`k${evil}`]: evil }));
      const { stdout, stderr } = await place.run(['--no-color'], { tty: true });
      expect(stdout + stderr).not.toMatch(obeyed);
    }));

  it('and the document is the same data', () =>
    withPlace(async (place) => {
      const ran = await place.run(['-t', `t${evil}`, '--no-color'], { tty: true });
      expect(JSON.parse(ran.stdout)).toMatchObject({ event: { target: `t${evil}` } });
    }));
});
