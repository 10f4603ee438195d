/** Whatever stands in settings, in variables, in payloads and among the flags: one document, and one of the documented exit codes. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../src/options.ts';
import { checkSettings } from '../src/own-settings/check.ts';
import { settingRows, variableOf } from '../src/own-settings/keys.ts';
import { applyProjectSettings } from '../src/own-settings/project.ts';
import { type Place, type Ran, withPlace } from './helpers/settled-run.ts';

const documented = [0, 2, 3, 4, 64, 65, 66, 77, 78];
const keys = Object.keys(settingRows);

/** JSON values, with those among them that settings really have. */
const plausible = fc.oneof(
  fc.constantFrom<unknown>(
    true,
    false,
    'block',
    'allow',
    'native',
    '5s',
    '10ms',
    1,
    0,
    -1,
    1e9,
    'json',
    'hook',
    'gemini',
    'auto',
    ['a'],
    [],
    {},
    null,
    '~/x',
    '/dev/null',
    '/x/y',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const settings = fc.dictionary(
  fc.oneof(fc.constantFrom(...keys, '$import', '__proto__', 'trust', 'constructor'), fc.string({ maxLength: 5 })),
  plausible,
  { maxKeys: 5 },
);

function expectDocumented(ran: Ran, args: readonly string[]): void {
  expect(documented).toContain(ran.code);
  const isHook = args.includes('hook') || ran.stdout === '';
  if (isHook) return;
  const document = JSON.parse(ran.stdout) as { schemaVersion: number; error?: { code: string } };
  expect(document.schemaVersion).toBe(1);
  expect(document.error?.code).not.toBe('bug');
  expect(ran.stderr).not.toMatch(/\n {4}at |node:internal/);
}

const run = (place: Place, args: readonly string[], more: Parameters<Place['run']>[1] = {}) =>
  place.run(['-f', 'gemini', '--timeout', '2s', ...args], more);

describe('any', () => {
  it('settings of the user and of a project, as JSON, as YAML and as no data', () =>
    withPlace(async (place) => {
      const text = fc.oneof(
        { weight: 4, arbitrary: settings.map((one) => JSON.stringify(one)) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
      );
      const where = fc.constantFrom(
        'home/.config/hookrun/config.json',
        'home/.config/hookrun/config.yaml',
        'project/.hookrunrc',
        'project/.hookrunrc.yaml',
        'project/package.json',
      );
      await fc.assert(
        fc.asyncProperty(where, text, fc.boolean(), async (path, content, trusts) => {
          for (const file of ['home/.config/hookrun/config.json', 'home/.config/hookrun/config.yaml'])
            place.write(file, '');
          place.write(path, path.endsWith('package.json') ? `{"hookrun":${content}}` : content);
          expectDocumented(
            await run(place, trusts ? ['--trust', '-n'] : ['-n']),
            content.includes('hook') ? ['hook'] : [],
          );
          const blocked = await run(place, ['--trust', '--on-failure', 'block', '-o', 'json']);
          expect([0, 2]).toContain(blocked.code);
        }),
        { numRuns: 150 },
      );
    }));

  it('settings: what is taken is what the rows allow, and a project makes nothing laxer', () => {
    const base = {
      onFailure: 'block',
      requireMatch: true,
      timeoutMs: 50,
      tell: {},
      fixed: new Set(),
      env: 'sanitized',
      config: [],
    } as unknown as RunOptions;
    fc.assert(
      fc.property(settings, (values) => {
        const { settings: taken, faults } = checkSettings(values, ['gemini'], true);
        expect(Object.keys(taken).length + faults.length).toBeGreaterThanOrEqual(Object.keys(values).length);
        const { options, stricter } = applyProjectSettings(base, {
          path: '/p',
          settings: taken,
          faults: [],
          notes: [],
        });
        const { tell: _, ...rest } = options;
        const { tell: __, timeoutMs, ...before } = base;
        expect(rest).toMatchObject(before);
        expect(options.timeoutMs).toBe(timeoutMs);
        expect(options.projectTimeoutMs ?? 0).toBeLessThan(timeoutMs!);
        expect(stricter.length).toBe(options.projectTimeoutMs === undefined ? 0 : 1);
      }),
      { numRuns: 500 },
    );
  });

  it('variables', () =>
    withPlace(async (place) => {
      const names = Object.keys(settingRows)
        .filter((key) => key !== 'log')
        .map((key) => variableOf(key as keyof typeof settingRows));
      const value = fc.oneof(
        fc.constantFrom('1', '0', 'true', 'block', '5s', 'json', 'a,b', '', 'gemini'),
        fc.string({ maxLength: 8 }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(fc.constantFrom(...names, 'HOOKRUN', 'HOOKRUN_TRUST', 'HOOKRUN_DEPTH', 'HOOKRUN_SKIP'), value, {
            maxKeys: 3,
          }),
          async (env) => {
            expectDocumented(await run(place, [], { env }), env['HOOKRUN_OUTPUT'] === 'hook' ? ['hook'] : []);
          },
        ),
        { numRuns: 100 },
      );
    }));

  it('payloads', () =>
    withPlace(async (place) => {
      const field = fc.constantFrom(
        'hook_event_name',
        'tool_name',
        'tool_input',
        'session_id',
        'cwd',
        'timestamp',
        'event',
        'prompt',
        'mcp_context',
      );
      const value = fc.oneof(
        fc.constantFrom<unknown>('BeforeTool', 'PreToolUse', 'AfterModel', 'SessionStart', place.project, '/', ''),
        fc.jsonValue({ maxDepth: 2 }),
      );
      const payload = fc.oneof(
        { weight: 4, arbitrary: fc.dictionary(field, value, { maxKeys: 6 }).map((one) => JSON.stringify(one)) },
        { weight: 1, arbitrary: fc.oneof(fc.string({ unit: 'binary' }), fc.json()) },
      );
      await fc.assert(
        fc.asyncProperty(payload, fc.constantFrom('auto', 'gemini', 'goose', 'kimi'), async (text, format) => {
          expectDocumented(await run(place, ['-f', format], { payload: text }), []);
          expect([0, 2, 3, 4]).toContain(
            (await run(place, ['-f', format, '--on-failure', 'block'], { payload: text })).code,
          );
        }),
        { numRuns: 150 },
      );
    }));

  it('flags', () =>
    withPlace(async (place) => {
      const flag = fc.constantFrom(
        '--on-failure',
        '--timeout',
        '--deadline',
        '-j',
        '--format',
        '-f',
        '-c',
        '--project',
        '--scope',
        '--only',
        '--set',
        '-i',
        '--tool-response',
        '--prompt',
        '-o',
        '--env',
        '--stop-cap',
        '--derived',
        '--strict',
        '-q',
        '-v',
        '-n',
        '--no-color',
        '--color',
        '--require-match',
        '--parallel',
        '--sequential',
        '--nonsense',
        '--',
        '-',
        '--log-payload',
        '--skip',
        '-e',
        '-t',
        '--session-id',
        '--cwd',
        '-p',
      );
      const word = fc.oneof(
        flag,
        fc.constantFrom(
          'block',
          'allow',
          '5s',
          '10ms',
          '1',
          'gemini',
          'hook',
          'json',
          'BeforeTool',
          'a=b',
          'tool_input.x=1',
          '@/dev/zero',
          '/dev/zero',
          '{"a":1}',
        ),
        fc.string({ maxLength: 6 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (args) => {
          expectDocumented(
            await place.run(args),
            args.some((arg) => arg.includes('hook') || /^-\w*o/.test(arg)) ? ['hook'] : [],
          );
          const blocked = await place.run([...args.filter((arg) => arg !== '--'), '--on-failure', 'block']);
          expect([0, 2, 3, 4]).toContain(blocked.code);
        }),
        { numRuns: 150 },
      );
    }));
});
