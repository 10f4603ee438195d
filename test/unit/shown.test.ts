import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsGlob } from '../../src/glob.ts';
import { createRegexBudget } from '../../src/regex.ts';
import { cut, plain, shownBytes, showOutput } from '../../src/shown.ts';
import { wantsColor } from '../../src/tell.ts';
import { toJson } from '../../src/to-json.ts';
import type { Env } from '../../src/types.ts';
import { testWorld } from '../helpers/world.ts';

describe('fitsGlob', () => {
  it.each<[glob: string, name: string, fits: boolean]>([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'any/thing at.all', true],
    ['abc', 'abc', true],
    ['abc', 'abcd', false],
    ['abc', 'ABC', false],
    ['a*', 'a', true],
    ['*c', 'abc', true],
    ['*c', 'abcd', false],
    ['a*c', 'abbbc', true],
    ['a*b*c', 'aXbXbXc', true],
    ['a*b*c', 'aXcXb', false],
    ['**a**', 'bab', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['?', '', false],
    ['*?', '', false],
    ['*ab*ab', 'ababab', true],
    ['lint:*', 'lint:js', true],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['a.c', 'abc', false],
    ['$(x)', '$(x)', true],
    ['demo:*#1.?', 'demo:PreToolUse#1.2', true],
  ])('%j and %j: %s', (glob, name, fits) => {
    expect(fitsGlob(glob, name)).toBe(fits);
  });

  it('is what its pattern would be', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (glob, name) => {
        const pattern = [...glob].map((one) =>
          one === '*' ? '.*' : one === '?' ? '.' : `\\u{${one.codePointAt(0)!.toString(16)}}`,
        );
        expect(fitsGlob(glob, name)).toBe(new RegExp(`^${pattern.join('')}$`, 'su').test(name));
      }),
      { numRuns: 500 },
    );
  });

  it('takes no longer than both lengths times each other', () => {
    const began = performance.now();
    expect(fitsGlob(`${'a*'.repeat(2_000)}b`, 'a'.repeat(20_000))).toBe(false);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('matchers of nothing but names', () => {
  it('are answered as a RegExp would', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '|', '^', '$', '', '_');
    const pattern = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', '_', '\n'), maxLength: 5 }),
        (matcher, target) => {
          const kind = new RegExp(matcher).test(target) ? 'match' : 'no match';
          expect(createRegexBudget().test(matcher, target)).toEqual({ kind });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are all answered, however many there are', () => {
    const budget = createRegexBudget(0);
    for (let index = 0; index < 100_000; index += 1)
      if (budget.test(`^tool_${index}$|other`, 'tool_99999').kind !== (index === 99_999 ? 'match' : 'no match'))
        expect.fail(`matcher ${index}`);
  });
});

describe('plain', () => {
  it.each<[what: string, text: string, shown: string]>([
    ['ordinary text', 'Nothing to see, über 1 €', 'Nothing to see, über 1 €'],
    ['a colour', '\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['a title', '\u001b]0;owned\u0007', '\\x1b]0;owned\\x07'],
    ['the C1 set', '\u009b31m\u0085', '\\x9b31m\\x85'],
    ['a return that overwrites', 'deny\rallow', 'deny\\x0dallow'],
    ['backspaces', 'ab\b\bcd', 'ab\\x08\\x08cd'],
    ['NUL and DEL', 'a\u0000b\u007f', 'a\\x00b\\x7f'],
    ['lines', 'one\ntwo\r\n  three', 'one / two / three'],
    ['lines and blanks at the ends', '\n\n one \n', 'one'],
    ['tabs', 'a\tb', 'a b'],
    ['marks that turn the direction', 'a\u202Eb\u2066c\u200Fd', 'a\\u202eb\\u2066c\\u200fd'],
    ['separators of lines', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['a byte order mark', 'a\uFEFFb', 'a\\ufeffb'],
    ['surrogates, paired and not', '\u{1F600} \uD83D', '\u{1F600} \uD83D'],
  ])('%s', (_, text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  it('leaves nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plain(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});

describe('cut', () => {
  it.each<[text: string, width: number, shown: string]>([
    ['', 5, ''],
    ['12345', 5, '12345'],
    ['123456', 5, '1234…'],
    ['12\u{1F600}45', 4, '12…'],
    ['12\u{1F600}45', 5, '12\u{1F600}…'],
    ['\u{1F600}45', 2, '…'],
  ])('%j to %d', (text, width, shown) => {
    expect(cut(text, width)).toBe(shown);
  });
});

describe('showOutput', () => {
  const long = (head: string, tail: string): Buffer =>
    Buffer.from('x'.repeat(shownBytes - Buffer.byteLength(head)) + head + tail);
  it.each<[what: string, bytes: Buffer, end: string, length: number]>([
    ['up to the limit', long('end', ''), 'end', shownBytes],
    ['a byte more', long('end', '!'), 'end', shownBytes],
    ['a cut after two bytes', long('ab', 'é'), 'ab', shownBytes],
    ['a cut inside two bytes', Buffer.from(`${'x'.repeat(shownBytes - 1)}é`), 'x', shownBytes - 1],
    ['a cut inside three bytes', Buffer.from(`${'x'.repeat(shownBytes - 2)}€`), 'x', shownBytes - 2],
    ['a cut inside four bytes', Buffer.from(`${'x'.repeat(shownBytes - 3)}\u{1F600}`), 'x', shownBytes - 3],
    ['a cut behind four bytes', Buffer.from(`${'x'.repeat(shownBytes - 4)}\u{1F600}y`), '\u{1F600}', shownBytes],
  ])('%s', (_, bytes, end, length) => {
    const { text, truncated } = showOutput(bytes);
    expect(truncated).toBe(bytes.length > shownBytes);
    expect(Buffer.byteLength(text)).toBe(length);
    expect(text.endsWith(end)).toBe(true);
    expect(text).not.toContain('\uFFFD');
  });

  it('shows bytes that are no text, too', () => {
    const { text, truncated } = showOutput(Buffer.alloc(shownBytes + 1, 0x80));
    expect(truncated).toBe(true);
    expect(text.length).toBeGreaterThan(shownBytes / 3 - 2);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(shownBytes);
  });

  const token = `ghp_${'a'.repeat(36)}`;
  it.each<[what: string, bytes: Buffer]>([
    ['in a short text', Buffer.from(`token ${token}`)],
    ['before the cut', Buffer.from(`${token}${'x '.repeat(shownBytes)}`)],
    ['across the cut', Buffer.from(`${' '.repeat(shownBytes - 20)}${token} ${'x'.repeat(100)}`)],
  ])('masks a secret %s', (_, bytes) => {
    const { text } = showOutput(bytes);
    expect(text).not.toContain('ghp_');
    expect(text).toContain('[secret]');
  });
});

describe('wantsColor', () => {
  it.each<[color: boolean | undefined, isTTY: boolean, env: Env, wanted: boolean]>([
    [undefined, true, {}, true],
    [undefined, false, {}, false],
    [undefined, true, { TERM: 'dumb' }, false],
    [undefined, true, { NO_COLOR: '1' }, false],
    [undefined, true, { NO_COLOR: '0' }, false],
    [undefined, true, { NO_COLOR: '' }, true],
    [undefined, false, { FORCE_COLOR: '1' }, true],
    [undefined, false, { FORCE_COLOR: '' }, true],
    [undefined, true, { FORCE_COLOR: '0' }, false],
    [undefined, true, { FORCE_COLOR: 'false' }, false],
    [undefined, true, { FORCE_COLOR: '1', TERM: 'dumb' }, true],
    [undefined, false, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [true, false, { NO_COLOR: '1' }, true],
    [false, true, { FORCE_COLOR: '1' }, false],
  ])('--color %j on a terminal %j with %j: %s', (color, tty, env, wanted) => {
    const { world } = testWorld({ cwd: '/', home: '/', env, tty });
    expect(wantsColor({ quiet: false, verbose: false, color }, world)).toBe(wanted);
  });
});

describe('toJson', () => {
  it('is JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        expect(toJson(value, indent)).toBe(JSON.stringify(value, undefined, indent));
      }),
    );
  });

  it.each<[what: string, wrap: (text: string) => string]>([
    ['objects', (text) => `{"a":1,"b":${text},"__proto__":[]}`],
    ['lists', (text) => `[null,${text},"x"]`],
  ])('writes %s of any depth', (_, wrap) => {
    let text = '"\u{1F600}\\n"';
    for (let level = 0; level < 20_000; level += 1) text = wrap(text);
    expect(toJson(JSON.parse(text)) === text).toBe(true);
  });

  it('leaves out what JSON.stringify leaves out, at any depth', () => {
    let deep: unknown = { a: undefined, b: [undefined], c: Number.NaN, d: 1 };
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(toJson(deep).replaceAll(/^\[+|\]+$/g, '')).toBe('{"b":[null],"c":null,"d":1}');
  });
});
