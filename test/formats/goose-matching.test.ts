/** Matchers of goose: Rust's own answers, and the short way for plain patterns held against Rust's engine. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GooseHook } from '../../src/formats/goose/detail.ts';
import { isValidMatcher, matches } from '../../src/formats/goose/match.ts';
import { matchesPlain, parsePlain } from '../../src/formats/goose/plain-pattern.ts';
import { testRust } from '../../src/formats/goose/rust-regex.ts';
import { createRegexBudget } from '../../src/regex.ts';
import type { HookEvent } from '../../src/types.ts';
import { caseFolder } from '../helpers/goose-case.ts';

const plenty = () => ({ compiling: 60_000, searching: 60_000 });

const hookWith = (matcher: string | undefined): GooseHook => ({
  name: 'p:PreToolUse#1.1',
  event: 'PreToolUse',
  command: 'true',
  matcher,
  timeoutMs: 1000,
  source: { scope: 'user', path: '/hooks.json', key: 'hooks.PreToolUse[0].hooks[0]' },
  detail: { plugin: 'p', root: '/p', onFailure: 'allow', first: true },
});

const eventOn = (target: string | null): HookEvent => ({
  name: 'PreToolUse',
  target,
  canBlock: true,
  payload: {},
  text: '{}',
  cwd: undefined,
  sessionId: 's',
});

const answer = (matcher: string | undefined, target: string | null) =>
  matches(hookWith(matcher), eventOn(target), createRegexBudget());

describe('matchers as Rust answers them', () => {
  const recorded: { pattern: string; target: string; result: string }[] = JSON.parse(
    readFileSync(join(caseFolder, 'matchers.json'), 'utf8'),
  );

  it.each(recorded)('$pattern on $target: $result', ({ pattern, target, result }) => {
    expect(testRust(pattern, target, plenty()).kind).toBe(result);
    expect(isValidMatcher(pattern)).toBe(result !== 'invalid');
    const kind = answer(pattern, target).kind;
    expect(kind).toBe(result === 'invalid' ? 'off' : result);
  });
});

describe('a hook and its matcher', () => {
  it('without one it is for every event, with one and no target for what matches nothing', () => {
    expect(answer(undefined, null).kind).toBe('match');
    expect(answer('shell', null).kind).toBe('no match');
    expect(answer('^$', null).kind).toBe('match');
  });

  it('is off with a bare star, with the advice that helps', () => {
    const star = answer('*', 'shell');
    expect(star).toMatchObject({ kind: 'off', off: { why: 'invalid' }, problems: [{ code: 'goose-matcher-star' }] });
  });

  it('is off with a pattern that Rust refuses, and says why', () => {
    const ahead = answer('(?=x)', 'x');
    expect(ahead).toMatchObject({ kind: 'off', problems: [{ code: 'goose-matcher-invalid' }] });
    expect(ahead.problems?.[0]?.message).toContain('look-around');
  });

  it('says it once a rule', () => {
    const second = { ...hookWith('*'), detail: { ...hookWith('*').detail, first: false } };
    expect(matches(second, eventOn('x'), createRegexBudget()).problems).toEqual([]);
  });

  it('gives up on a pattern or a text that is out of all proportion', () => {
    expect(answer(`[a]${'a'.repeat(20_000)}`, 'a')).toMatchObject({
      kind: 'off',
      problems: [{ code: 'matcher-too-slow' }],
    });
    expect(testRust('\\w', 'é'.repeat(5 * 1024 * 1024), plenty()).kind).toBe('too-slow');
  });

  it('interrupts a search that takes too long, and goes on with a fresh engine', () => {
    const left = { compiling: 60_000, searching: 20 };
    expect(testRust('\\w{100}x', 'ab cd '.repeat(600_000), left).kind).toBe('too-slow');
    expect(testRust('\\bcd\\b', 'ab cd', plenty()).kind).toBe('match');
  });

  describe('beside slow ones', () => {
    const text = 'ab cd '.repeat(600_000);
    const slow = (index: number) => hookWith(`\\w{100}x{${index + 1}}`);

    it('is answered after one that takes too long to search', () => {
      const regexes = createRegexBudget();
      expect(matches(slow(0), eventOn(text), regexes).kind).toBe('off');
      expect(matches(hookWith('\\w{3}ll'), eventOn('shell'), regexes).kind).toBe('match');
    });

    it('is answered from a reserve when the time for all is used up', () => {
      const regexes = createRegexBudget();
      for (let index = 0; index < 7; index += 1) matches(slow(index), eventOn(text), regexes);
      for (let index = 0; index < 20; index += 1)
        expect(matches(hookWith(`\\w{3}l{1,${index + 2}}$`), eventOn('shell'), regexes).kind).toBe('match');
    });

    it('is answered after many that take long to compile', () => {
      const regexes = createRegexBudget();
      for (let index = 0; index < 12; index += 1)
        matches(hookWith(`(?:\\w{${90 + index}}){9}`), eventOn('shell'), regexes);
      expect(matches(hookWith('\\bshell\\b'), eventOn('shell'), regexes).kind).toBe('match');
    });

    it('is answered only if it is plain when the reserve is gone too, and all of it takes some seconds at most', () => {
      const regexes = createRegexBudget();
      const began = performance.now();
      for (let index = 0; index < 500; index += 1) matches(slow(index), eventOn(text), regexes);
      expect(performance.now() - began).toBeLessThan(5000);
      expect(matches(hookWith('\\bshell\\b'), eventOn('shell'), regexes).kind).toBe('off');
      expect(matches(hookWith('^shell$'), eventOn('shell'), regexes).kind).toBe('match');
    });
  });
});

describe('plain patterns', () => {
  it.each([
    'shell',
    '^(shell|edit)$',
    '\\.(ts|js)$',
    '.*',
    '',
    'a.*b.*c',
    '^(?:cargo test|pnpm test)',
    'a|',
    '(a|b)(c|d)',
    'run-it',
    'x/y:z',
  ])('%j is one', (pattern) => expect(parsePlain(pattern)).toBeDefined());

  it.each([
    '*',
    'a+',
    'a?',
    '.',
    'a.b',
    '.*?',
    '(a',
    'a)',
    '[a]',
    '\\d',
    '\\b',
    '(?i)a',
    'a{2}',
    '.*+',
    'a^',
    '$a',
    'é',
    '(a)*',
    '\\<',
    '(?P<n>a)',
    'a\\',
  ])('%j is none', (pattern) => expect(parsePlain(pattern)).toBeUndefined());

  const piece = fc.constantFrom(
    'a',
    'b',
    'ab',
    '.*',
    '\\.',
    '/',
    ' ',
    '-',
    '_',
    '^',
    '$',
    '|',
    '(a|b)',
    '(?:b|)',
    '(',
    ')',
    '\\/',
    'A',
    '#',
    '(.*a|^b$)',
  );
  const pattern = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''));
  const target = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        'ab',
        '.',
        '/',
        ' ',
        '-',
        '_',
        '\n',
        '\r',
        '\u2028',
        '\u0085',
        'é',
        '💥',
        'A',
        '#',
        '|',
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join(''));

  it('answer like the engine itself', () => {
    let plain = 0;
    fc.assert(
      fc.property(pattern, target, (one, text) => {
        const parsed = parsePlain(one);
        if (parsed === undefined) return;
        plain += 1;
        expect(testRust(one, text, plenty()).kind).toBe(matchesPlain(parsed, text) ? 'match' : 'no match');
      }),
      { numRuns: 3000 },
    );
    expect(plain).toBeGreaterThan(500);
  });

  it('answer like the engine itself on any characters', () => {
    const literal = fc.string({ maxLength: 6, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(literal, fc.string({ maxLength: 6, unit: 'binary' }), literal, (one, middle, text) => {
        const parsed = parsePlain(one);
        if (parsed === undefined) return;
        for (const subject of [text, middle + text, `${text}${one}`, one])
          expect(testRust(one, subject, plenty()).kind).toBe(matchesPlain(parsed, subject) ? 'match' : 'no match');
      }),
      { numRuns: 2000 },
    );
  });

  it('are answered without trouble on long texts', () => {
    const text = 'ab'.repeat(1_000_000);
    expect(matchesPlain(parsePlain('a.*a.*a.*a.*a.*c')!, text)).toBe(false);
    expect(matchesPlain(parsePlain('^a.*b$')!, text)).toBe(true);
  });
});
