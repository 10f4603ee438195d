import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRegexBudget, isPlain } from '../../src/regex.ts';

/** The answer of a fresh budget, in one word. */
function answer(pattern: string, target: string): string {
  const result = createRegexBudget(5000).test(pattern, target);
  return 'newer' in result ? `${result.kind}, newer` : result.kind;
}

function native(pattern: string, target: string): string {
  try {
    return new RegExp(pattern).test(target) ? 'match' : 'no match';
  } catch {
    return 'invalid';
  }
}

describe('isPlain', () => {
  test.each([
    '',
    'write_file',
    'a|b',
    '^a$',
    '^mcp__.*__write.*$',
    'a\\.b',
    '\\(x\\)',
    '\\[\\*\\]',
    'a-b c/d',
    '||',
    '\\\\',
  ])('%j is', (pattern) => expect(isPlain(pattern)).toBe(true));
  test.each([
    '.',
    'a.b',
    '.*.*.*',
    '.**',
    '.*?',
    'a*',
    'a+',
    'a?',
    '(a)',
    '[a]',
    'a]',
    '{',
    'é',
    '\\d',
    '\\<',
    'a\\',
    '\n',
    '\\é',
  ])('%j is not', (pattern) => expect(isPlain(pattern)).toBe(false));
});

describe('what JavaScript has always taken', () => {
  test.each([
    ['write', 'my_write_file', 'match'],
    ['^write$', 'write_file', 'no match'],
    ['', '', 'match'],
    ['Write', 'write', 'no match'],
    ['^(?!write).*$', 'write_file', 'no match'],
    ['(?<=my_)write', 'my_write', 'match'],
    ['(?<a>x)\\k<a>', 'xx', 'match'],
    ['(a)|\\1b', 'b', 'match'],
    ['^(?:(a)|b)*\\1$', 'ab', 'match'],
    ['(?=(a+))a*b\\1', 'baaabac', 'match'],
    ['^(z)((a+)?(b+)?(c))*\\4$', 'zaacbbbcac', 'match'],
    ['(?<=([ab]+)([bc]+))$', 'abc', 'match'],
    ['^.$', '😀', 'no match'],
    ['a{,2}', 'a{,2}', 'match'],
    ['\\cA[\\c_]\\c', '\x01\x1f\\c', 'match'],
    ['[\\w-a]', '-', 'match'],
    ['(?=a)*b', 'b', 'match'],
    ['\\u{2}', 'uu', 'match'],
    ['*', 'x', 'invalid'],
    ['Bash(', 'x', 'invalid'],
    ['[', 'x', 'invalid'],
    ['(?i)x', 'x', 'invalid'],
    ['(?<=a)*', 'x', 'invalid'],
    ['a**', 'x', 'invalid'],
    ['a{2,1}', 'x', 'invalid'],
    ['[b-a]', 'x', 'invalid'],
    ['{1}', 'x', 'invalid'],
    ['\\', 'x', 'invalid'],
    ['(?<a>x)\\k<b>', 'x', 'invalid'],
    ['(?<1>x)', 'x', 'invalid'],
  ])('%j on %j: %s', (pattern, target, expected) => {
    expect(answer(pattern, target)).toBe(expected);
    expect(native(pattern, target)).toBe(expected);
  });

  test('an invalid pattern says why', () => {
    expect(createRegexBudget().test('Bash(', 'x')).toEqual({ kind: 'invalid', why: 'unterminated group' });
  });

  test('every pattern is answered as the engine answers it', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        'k',
        'A',
        '.',
        '^',
        '$',
        '|',
        '(',
        '(',
        '(?:',
        '(?=',
        '(?!',
        '(?<=',
        '(?<!',
        ')',
        ')',
        ')',
        ')',
        '*',
        '+',
        '?',
      ],
      ...[
        '{2}',
        '{0,1}',
        '{1,}',
        '*?',
        '{',
        '}',
        '[ab]',
        '[^a]',
        '[]',
        '[^]',
        '[',
        ']',
        '-',
        ',',
        '1',
        '\\1',
        '\\2',
        '\\b',
        '\\B',
      ],
      ...[
        '\\d',
        '\\W',
        '\\s',
        '\\cA',
        '\\c',
        '\\x61',
        '\\u0062',
        '\\0',
        '\\08',
        '\\141',
        '\\k',
        '\\',
        '\n',
        'é',
        '(?<n>',
        '\\k<n>',
      ],
    );
    const pattern = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const target = fc.string({ unit: fc.constantFrom('a', 'b', 'k', 'A', '1', '-', '\n', '\\', 'é'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, target, (p, t) => {
        const ours = answer(p, t);
        if (!ours.endsWith('newer')) expect(ours).toBe(native(p, t));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('what JavaScript takes since ECMAScript 2025, in every build', () => {
  test.each([
    ['(?i:write)_file', 'WRITE_file', 'match, newer'],
    ['(?i:write)_file', 'write_FILE', 'no match, newer'],
    ['(?i:a(?-i:b))', 'Ab', 'match, newer'],
    ['(?i:a(?-i:b))', 'AB', 'no match, newer'],
    ['(?-i:x)', 'x', 'match, newer'],
    ['(?i-:x)', 'X', 'match, newer'],
    ['(?i:[^a-c])', 'B', 'no match, newer'],
    ['(?i:\\x61\\u00e9)', 'AÉ', 'match, newer'],
    ['(?i:(a)\\1)', 'aA', 'match, newer'],
    ['(a)(?i:\\1)', 'aA', 'match, newer'],
    ['(?i:(a))\\1', 'aA', 'no match, newer'],
    // The Kelvin sign and the long s are k and s only with the u flag.
    ['(?i:k)', '\u212a', 'no match, newer'],
    ['(?i:s)', '\u017f', 'no match, newer'],
    ['(?i:ß)', 'SS', 'no match, newer'],
    ['(?i:σ)', 'ς', 'match, newer'],
    ['a(?s:.)b', 'a\nb', 'match, newer'],
    ['a(?s:(?-s:.))b', 'a\nb', 'no match, newer'],
    ['(?m:^b$)', 'a\u2028b\nc', 'match, newer'],
    ['(?m:^)b$', 'a\nb\nc', 'no match, newer'],
    ['(?ims-:x)', 'X', 'match, newer'],
    ['(?s-m:x)', 'x', 'match, newer'],
    ['(?-:x)', 'x', 'invalid'],
    ['(?ii:x)', 'x', 'invalid'],
    ['(?i-i:x)', 'x', 'invalid'],
    ['(?-ii:x)', 'x', 'invalid'],
    ['(?g:x)', 'x', 'invalid'],
    ['(?i', 'x', 'invalid'],
    ['(?m:^*)', 'x', 'invalid'],
    ['(?m:$*)', 'x', 'invalid'],
    ['(?<a>x)|(?<a>y)', 'y', 'match, newer'],
    ['^(?:(?<a>x)|(?<a>y))\\k<a>$', 'yy', 'match, newer'],
    ['^(?:(?<a>x)|(?<a>y))\\k<a>$', 'yx', 'no match, newer'],
    ['^(?:(?<a>x)|(?<a>y)|z)\\k<a>$', 'z', 'match, newer'],
    ['^(?:(?:(?<a>x)|(?<a>y))\\k<a>)+$', 'xxyy', 'match, newer'],
    ['(?<a>x)|(?<\\u0061>y)', 'y', 'match, newer'],
    ['(?<a>x)(?<a>y)', 'xy', 'invalid'],
    ['(?<a>x(?<a>y))', 'xy', 'invalid'],
    ['(?:(?<a>x)|b)(?<a>y)', 'xy', 'invalid'],
    ['(?:(?<a>x)|(?<b>y))(?:(?<b>x)|c)', 'xy', 'invalid'],
  ])('%j on %j: %s', (pattern, target, expected) => expect(answer(pattern, target)).toBe(expected));

  test('the i modifier folds case as the i flag does', () => {
    const unit = fc.constantFrom(
      'a',
      'K',
      'é',
      'É',
      'ß',
      'ſ',
      '\u212a',
      'µ',
      'μ',
      'Μ',
      'σ',
      'ς',
      'ÿ',
      'Ÿ',
      'ı',
      'İ',
      'ǆ',
      'ǅ',
      '1',
    );
    const body = fc.array(
      fc.oneof(
        unit,
        fc.tuple(unit, unit).map(([a, b]) => `[^${a}${b}]`),
        fc.constantFrom('\\w', '[\\W]', '.'),
      ),
    );
    fc.assert(
      fc.property(body, fc.string({ unit, maxLength: 5 }), (parts, target) => {
        const pattern = parts.join('');
        const folded = new RegExp(pattern, 'i').test(target) ? 'match, newer' : 'no match, newer';
        expect(answer(`(?i:${pattern})`, target)).toBe(folded);
      }),
    );
  });
});

describe('the budget', () => {
  test.each([
    ['^(a+)+$', `${'a'.repeat(40)}!`],
    ['(a|aa)'.repeat(60).concat('$'), `${'a'.repeat(100)}b`],
    ['.*.*.*.*.*x', 'a'.repeat(1000)],
    ['.*.*x', 'a'.repeat(10_000)],
    ['(?=(a+)+$)b', 'a'.repeat(40).concat('!')],
    ['(?<=b(a+)+)c', 'a'.repeat(40).concat('c')],
    ['((a{1,1000}){1,1000}){1,1000}b', 'a'.repeat(60)],
    ['(?i:(a+)+)$', 'A'.repeat(40).concat('!')],
  ])('%j is too slow, within a second', (pattern, target) => {
    const start = performance.now();
    expect(createRegexBudget().test(pattern, target)).toEqual({ kind: 'too-slow' });
    expect(performance.now() - start).toBeLessThan(3000);
  });

  /** Catastrophic, and each of them another pattern. */
  const hostile = (index: number): string => `^(a+)+${'b?'.repeat(index % 100)}[${index}c]$`;
  const long = `${'a'.repeat(40)}!`;

  test('a slow pattern leaves time for the ones after it', () => {
    const budget = createRegexBudget();
    const start = performance.now();
    expect(budget.test(hostile(0), long)).toEqual({ kind: 'too-slow' });
    expect(performance.now() - start).toBeLessThan(2000);
    expect(budget.test('^(?:a+)!$', long)).toEqual({ kind: 'match' });
  });

  test('when it is spent, cheap patterns are answered from a reserve', () => {
    // By a clock of its own, for the reserve's slices are short and a busy machine is not.
    let time = 0;
    const budget = createRegexBudget(250, () => (time += 0.5));
    for (let index = 0; index < 10; index++) expect(budget.test(hostile(index), long)).toEqual({ kind: 'too-slow' });
    for (let index = 0; index < 100; index++)
      expect(budget.test(`^(?:a+)!{1,${index + 1}}$`, long)).toEqual({ kind: 'match' });
  });

  test('however many are slow, all of them end within a second; then only plain patterns are answered', () => {
    const budget = createRegexBudget();
    const start = performance.now();
    for (let index = 0; index < 10_000; index++)
      if (budget.test(hostile(index), long).kind !== 'too-slow') expect.fail(hostile(index));
    expect(performance.now() - start).toBeLessThan(5000);
    expect(budget.test('[a]', 'a')).toEqual({ kind: 'too-slow' });
    expect(budget.test('^write_.*', 'write_file')).toEqual({ kind: 'match' });
  });

  test('goes by the clock it was given', () => {
    let time = 0;
    const budget = createRegexBudget(250, () => (time += 25));
    const kinds = (set: string[]) => set.map((one) => budget.test(`[${one}]`, 'a').kind);
    // Three looks at the clock each: 50 ms, so five are within the budget. The reserve's slices are shorter than a tick of this clock.
    expect(kinds(['a', 'ab', 'ac', 'ad', 'b'])).toEqual(['match', 'match', 'match', 'match', 'no match']);
    expect(kinds(['ae', 'af'])).toEqual(['too-slow', 'too-slow']);
    // What was answered before is still known.
    expect(kinds(['a'])).toEqual(['match']);
  });

  test.each([
    ['(?:a|b)*c', 'ab'.repeat(2_000_000)],
    ['x'.repeat(100_000).concat('+'), 'x'],
    ['xy'.repeat(32_000), 'x'],
    ['xy'.repeat(8000).concat('+'), 'x'],
    ['('.repeat(60_000), ''],
    ['(?:'.repeat(900).concat('a', ')*'.repeat(900)), 'a'.repeat(100)],
  ])('nothing overflows', (pattern, target) => {
    expect(createRegexBudget().test(pattern, target).kind).toMatch(/^(?:invalid|too-slow|match|no match)$/);
  });

  test('a plain pattern gets one answer, run directly or searched', () => {
    const piece = fc.constantFrom('a', 'b', '|', '^', '$', '.*', '\\.', '-', '\\\\');
    const pattern = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const target = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-', '\\', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(pattern.filter(isPlain), target, (p, t) => {
        // A group is not plain, and changes nothing.
        expect(answer(`(?:${p})`, t)).toBe(answer(p, t));
      }),
    );
  });
});
