import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compact, getText, linesOf, positionAt, setAt } from '../../src/json-text.ts';

/** Any JSON value, lone surrogates and `__proto__` keys included. */
const anyJson = fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value));
const anyKey = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', '', '0', 'a"b', 'a\\b', '\ud800', 'é'),
  fc.string({ unit: 'binary' }),
);

describe('compact', () => {
  test.each([
    ['{}', '{}'],
    ['\ufeff{ }', '{}'],
    ['\ufeff{}', '{}'],
    [' \t\r\n[1 , 2]\n', '[1,2]'],
    ['{"a b" : " x\\" y \\\\" , "c":"\\\\\\" "}', '{"a b":" x\\" y \\\\","c":"\\\\\\" "}'],
    ['[ 1e400, 12345678901234567890, -0, 1.0, 1E+2 ]', '[1e400,12345678901234567890,-0,1.0,1E+2]'],
    ['{ "\\u0061": "\\/\\ud800 \ud800" }', '{"\\u0061":"\\/\\ud800 \ud800"}'],
    ['{ "a": 1, "a": 2, "__proto__": 3 }', '{"a":1,"a":2,"__proto__":3}'],
    // Only JSON's own white space goes: a no-break space is inside a string, or the text is not JSON.
    ['["\u00a0" ]', '["\u00a0"]'],
    [' 1 ', '1'],
  ])('%j', (text, expected) => expect(compact(text)).toBe(expected));

  test('undoes indentation, whatever the value', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(1, 2, '\t', ' \r\n'), (json, indent) => {
        expect(compact(JSON.stringify(JSON.parse(json), null, indent))).toBe(json);
        expect(compact(json)).toBe(json);
      }),
    );
  });

  test('long runs and many short ones keep their order', () => {
    const value = Array.from({ length: 5000 }, (_, n) => (n % 7 === 0 ? 'x y'.repeat(n) : n));
    expect(compact(JSON.stringify(value, null, 2))).toBe(JSON.stringify(value));
  });
});

describe('setAt', () => {
  test.each<[string, string[], string, string]>([
    ['{}', ['a'], '1', '{"a":1}'],
    ['{ }', ['a'], '1', '{"a":1 }'],
    ['{"a":1}', ['b'], '2', '{"a":1,"b":2}'],
    ['{"a":1,"b":2}', ['a'], '{"x":[]}', '{"a":{"x":[]},"b":2}'],
    ['{"a":1e400,"b":12345678901234567890}', ['c'], '1e999', '{"a":1e400,"b":12345678901234567890,"c":1e999}'],
    ['{"\\u0061":1}', ['a'], '2', '{"\\u0061":2}'],
    ['{"a\\\\":1}', ['a\\\\'], '2', '{"a\\\\":1,"a\\\\\\\\":2}'],
    ['{"a":1,"b":0,"a":2}', ['a'], '3', '{"a":3,"b":0,"a":3}'],
    ['{"a":{"x":1},"a":{}}', ['a', 'x'], '2', '{"a":{"x":2},"a":{"x":2}}'],
    ['{"a":{"x":1},"a":null}', ['a', 'x'], '2', '{"a":{"x":2},"a":{"x":2}}'],
    ['{}', ['a', 'b', 'c'], 'true', '{"a":{"b":{"c":true}}}'],
    ['{"a":"{}"}', ['a', 'b'], '1', '{"a":{"b":1}}'],
    ['{"a":[1]}', ['a', 'b'], '1', '{"a":{"b":1}}'],
    ['{"a":[1,2]}', ['a', '0'], '9', '{"a":[9,2]}'],
    ['{"a":[1,2]}', ['a', '2'], '9', '{"a":[1,2,9]}'],
    ['{"a":[]}', ['a', '0', 'b'], '9', '{"a":[{"b":9}]}'],
    ['{"a":[1]}', ['a', '00'], '9', '{"a":{"00":9}}'],
    ['{"a":{}}', ['a', '0'], '9', '{"a":{"0":9}}'],
    ['{"a":[],"a":[1,2]}', ['a', '2'], '3', '{"a":[],"a":[1,2,3]}'],
    ['{"__proto__":1}', ['__proto__', 'x'], '2', '{"__proto__":{"x":2}}'],
    ['{"s":"}\\"]"}', ['t'], '1', '{"s":"}\\"]","t":1}'],
    ['{"a":1}', ['a'], ' [ 1 ]\n', '{"a":[1]}'],
    ['{"a":1}', [], '[]', '[]'],
    ['[1]', ['a'], '2', '{"a":2}'],
    ['\ufeff{ "a" : 1 , "b" : 2 }', ['b'], '3', '\ufeff{ "a" : 1 , "b" : 3 }'],
    ['{ "a" : 1 }', ['b'], '3', '{ "a" : 1,"b":3 }'],
    ['{}', ['\ud800"'], '1', '{"\\ud800\\"":1}'],
  ])('%j %j = %j', (text, path, value, expected) => expect(setAt(text, path, value)).toBe(expected));

  test.each([
    ['{"a":[]}', ['a', '1']],
    ['{"a":[1,2]}', ['a', '3']],
    ['{"a":[1,2]}', ['a', '99999999999999999999']],
    ['{"a":[1,2,3],"a":[]}', ['a', '1']],
  ])('%j %j is beyond the array', (text, path) => expect(() => setAt(text, path, '0')).toThrow(RangeError));

  test('sets what JSON.parse then reads, and nothing else', () => {
    const anyObject = fc.array(fc.tuple(anyKey, anyJson), { maxLength: 5 });
    fc.assert(
      fc.property(anyObject, anyKey, anyJson, (fields, key, value) => {
        const text = `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
        const result = setAt(text, [key], value);
        const expected = new Map(Object.entries(JSON.parse(text)));
        expected.set(key, JSON.parse(value));
        expect(new Map(Object.entries(JSON.parse(result)))).toEqual(expected);
        expect(result).toBe(compact(result));
        expect(getText(result, [key])).toBe(value);
      }),
    );
  });

  test('a path of any length', () => {
    const path = Array.from({ length: 50_000 }, () => 'a');
    expect(getText(setAt('{}', path, '1'), path.slice(0, 2))).toHaveLength(49_998 * 6 + 1);
  });
});

describe('getText', () => {
  test.each<[string, string[], string | undefined]>([
    ['{"a": [1, {"b": 1e400 }]}', ['a', '1', 'b'], '1e400'],
    ['{"a": [1, 2]}', ['a', '2'], undefined],
    ['{"a": [1, 2]}', ['a', 'length'], undefined],
    ['{"a":1,"\\u0061": "x y"}', ['a'], '"x y"'],
    ['{"a":{"b":1},"a":{}}', ['a', 'b'], undefined],
    ['{}', ['__proto__'], undefined],
    ['{"a":"b"}', ['a', '0'], undefined],
    [' \ufeff{ } ', [], '{ }'],
    ['{"a":{ "b" : [ ] }}', ['a'], '{ "b" : [ ] }'],
  ])('%j %j', (text, path, expected) => expect(getText(text, path)).toBe(expected));
});

describe('linesOf', () => {
  const text = `// a comment with "quotes" {
{
  "a": [1,
    /* [ */ { "b": "x", // }
      "c": 2 },
  ],
  "d":
    { "e": 1 },
  "d": { },
  "\\u0066": 7,
}
`;
  test.each<[(string | number)[], number | undefined]>([
    [[], 2],
    [['a'], 3],
    [['a', 0], 3],
    [['a', 1], 4],
    [['a', 1, 'b'], 4],
    [['a', 1, 'c'], 5],
    [['a', 2], undefined],
    [['a', '1'], undefined],
    [['d'], 9],
    [['d', 'e'], undefined],
    [['f'], 10],
    [['g'], undefined],
    [['a', 1, 'b', 'x'], undefined],
  ])('%j stands on line %j', (path, line) => expect(linesOf(text, [path])).toEqual([line]));

  test('CR LF and CR end lines too', () => {
    expect(linesOf('{\r\n"a":1,\r"b":2,\n"c":3}', [['a'], ['b'], ['c']])).toEqual([2, 3, 4]);
  });

  test('a hundred thousand paths', () => {
    const value = Array.from({ length: 100_000 }, (_, n) => ({ n }));
    const paths = value.map((_, n) => [n, 'n']);
    expect(linesOf(JSON.stringify(value, null, 1), paths)).toEqual(value.map((_, n) => 3 * n + 3));
  });

  test('a key that stands a hundred thousand times', () => {
    const paths = Array.from({ length: 100_000 }, (_, n) => ['a', `k${n}`]);
    const again = '"a":{},\n'.repeat(100_000);
    expect(linesOf(`{${again}"a":{"k5":1}}`, paths)[5]).toBe(100_001);
  });

  test('deep nesting does not overflow', () => {
    const depth = 200_000;
    const deep = '[\n'.repeat(depth) + ']'.repeat(depth);
    const path = Array.from({ length: depth - 1 }, () => 0);
    expect(linesOf(deep, [path, [0, 1]])).toEqual([depth, undefined]);
    expect(setAt(deep, ['0', '0'], '1')).toBe('[\n[\n1]]');
  });

  test('text that is not JSON ends, whatever it is', () => {
    const anyText = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '/', '*', '\\', 'a', '\n', ' '),
    });
    fc.assert(
      fc.property(anyText, (junk) => {
        linesOf(junk, [[], ['a'], ['a', 0], [0, 'a']]);
        getText(junk, ['a', '0']);
        compact(junk);
      }),
    );
  });
});

describe('positionAt', () => {
  test.each([
    ['', 0, 1, 1],
    ['ab\ncd', 0, 1, 1],
    ['ab\ncd', 2, 1, 3],
    ['ab\ncd', 3, 2, 1],
    ['ab\r\ncd', 3, 1, 4],
    ['ab\r\ncd', 4, 2, 1],
    ['ab\rcd', 3, 2, 1],
    ['a', 9, 1, 2],
    ['a', -1, 1, 1],
  ])('%j at %d', (text, offset, line, column) => expect(positionAt(text, offset)).toEqual({ line, column }));
});
