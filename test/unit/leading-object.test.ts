import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leadingObject } from '../../src/leading-object.ts';

describe('the object that a text begins with', () => {
  it.each<[text: string, object: string | undefined]>([
    ['{}', '{}'],
    ['{"a":1}x\nx\n', '{"a":1}'],
    [' \n\t{"a":{"b":[{}]}}{"c":1}', '{"a":{"b":[{}]}}'],
    ['{"a":"}"} rest', '{"a":"}"}'],
    ['{"a":"\\"}"} rest', '{"a":"\\"}"}'],
    ['{"a":"\\\\"} "}', '{"a":"\\\\"}'],
    ['{"a":["]","["]}]', '{"a":["]","["]}'],
    ['', undefined],
    ['   ', undefined],
    ['x{"a":1}', undefined],
    ['[{"a":1}]', undefined],
    ['"{}"', undefined],
    ['{"a":1', undefined],
    ['{"a":"}', undefined],
    ['{"a":"\\', undefined],
    ['{[}', undefined],
  ])('%j: %j', (text, object) => expect(leadingObject(text)).toBe(object));

  it('is any JSON object, whatever follows', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, rest) => {
        const text = JSON.stringify(object);
        expect(leadingObject(text + rest)).toBe(text);
      }),
    );
  });

  it('is looked for within the first mebibyte only', () => {
    const long = (length: number): string => `{"a":"${'x'.repeat(length)}"}`;
    expect(leadingObject(long(1024 * 1024 - 8))).toHaveLength(1024 * 1024);
    expect(leadingObject(long(1024 * 1024 - 7))).toBeUndefined();
  });

  it('is found in linear time', () => {
    const began = performance.now();
    for (const text of [
      '{'.repeat(5_000_000),
      '{"'.repeat(5_000_000),
      `{"${'\\'.repeat(5_000_000)}`,
      ' '.repeat(5_000_000),
    ])
      expect(leadingObject(text)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
