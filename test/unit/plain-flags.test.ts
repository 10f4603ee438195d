import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Call, formatNames, parseCall } from '../../src/cli.ts';
import { parseWithCommander } from '../../src/cli-commander.ts';
import * as formats from '../../src/formats/index.ts';
import { noSettings } from '../../src/own-settings/own.ts';
import { plainFlags } from '../../src/plain-flags.ts';
import { runRows, streamRows } from '../../src/run-flags.ts';
import { testWorld } from '../helpers/world.ts';

const { world } = testWorld({ cwd: '/', home: '/', stdin: '' });
const names = formatNames({ formats: Object.values(formats) });
const rows = { run: runRows(names), stream: streamRows(names) };

const flagsOf = (command: 'run' | 'stream'): string[] =>
  rows[command].flatMap(([, flags]) => flags.split(/,? /).filter((word) => word.startsWith('-')));
const values = [
  'gemini',
  'auto',
  'x',
  '-',
  '',
  '5s',
  '0',
  '3',
  '12345678',
  'native',
  'block',
  'json',
  'hook',
  'engine',
];
const odd = [
  'a=b',
  '{"a":1}',
  '@x',
  'a,b',
  '-q',
  '--',
  '--format=kimi',
  '-qn',
  '-n1',
  '--no-such',
  '--qui',
  'run',
  'trust',
];

/** Arguments that are often plain, and often just not. */
const argvOf = (command: 'run' | 'stream'): fc.Arbitrary<string[]> => {
  const flag = fc.constantFrom(...flagsOf(command));
  const word = fc.constantFrom(...values, ...odd);
  const part = fc.oneof(
    { weight: 4, arbitrary: flag.map((name) => [name]) },
    { weight: 4, arbitrary: fc.tuple(flag, word) },
    { weight: 1, arbitrary: word.map((text) => [text]) },
  );
  return fc.array(part, { maxLength: 5 }).map((parts) => parts.flat());
};

const outcome = async (work: () => Call | Promise<Call>): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return { error: (error as Error).message };
  }
};

describe('flags that are read without commander', () => {
  for (const command of ['run', 'stream'] as const)
    it(`come to the same as with it: ${command}`, async () => {
      let plain = 0;
      await fc.assert(
        fc.asyncProperty(argvOf(command), async (argv) => {
          if (plainFlags(argv, rows[command]) === undefined) return;
          plain += 1;
          const whole = command === 'run' ? argv : [command, ...argv];
          const read = await outcome(() => parseCall(whole, world));
          expect(read).toEqual(await outcome(() => parseWithCommander(whole, world, noSettings)));
        }),
        { numRuns: 3000 },
      );
      expect(plain).toBeGreaterThan(300);
    });

  it.each([
    ['none at all', [], {}],
    ['one without a value, short', ['-q'], { quiet: true }],
    ['one with a value', ['--tool', 'x'], { tool: 'x' }],
    ['a dash as the value', ['-p', '-'], { payload: '-' }],
    ['a name of two words', ['--tool-input', '{}'], { toolInput: '{}' }],
    ['a value that is made something of', ['--timeout', '2s'], { timeout: 2000 }],
    [
      'several values',
      ['--set', 'a=1', '--set', 'b=2'],
      {
        set: [
          ['a', '1'],
          ['b', '2'],
        ],
      },
    ],
    ['the last of two', ['-f', 'goose', '-f', 'kimi'], { format: 'kimi' }],
  ])('%s', (_name, argv, flags) => {
    expect(plainFlags(argv, rows.run)).toEqual(flags);
  });

  it.each([
    ['another word', ['x']],
    ['a value with =', ['--format=kimi']],
    ['several in one word', ['-qn']],
    ['no value where one belongs', ['--tool']],
    ['a flag where a value belongs', ['--tool', '-q']],
    ['a value that is none of the choices', ['--format', 'x']],
    ['a value that can be made nothing of', ['--timeout', 'x']],
    ['an optional value', ['--stop-cap']],
    ['one that takes another back', ['--no-color']],
    ['two that exclude each other', ['--parallel', '--sequential']],
    ['a flag of the other command', ['--unordered']],
    ['the end of flags', ['--']],
    ['help', ['--help']],
  ])('are left to commander: %s', (_name, argv) => {
    expect(plainFlags(argv, rows.run)).toBeUndefined();
  });
});
