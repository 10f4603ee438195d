import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsTooMuch } from '../../src/payload-bounds.ts';

/** The values in JSON data, and one for every pair of brackets that holds none. */
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((sum: number, one) => sum + valuesIn(one), 0)
    : 1;

describe('holdsTooMuch', () => {
  it('counts separators outside of strings, whatever stands in those', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('",', '\\"[', '\\\\', '{,[', '"'));
    const data = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), tie('list'), tie('fields')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      fields: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    })).value;
    fc.assert(
      fc.property(data, fc.integer({ min: 0, max: 12 }), (value, most) => {
        const json = JSON.stringify(value);
        const real = valuesIn(value);
        // A list of n has n - 1 commas and one bracket, and an empty one has the bracket alone.
        if (holdsTooMuch(json, most)) expect(2 * real).toBeGreaterThan(most);
        else expect(real).toBeLessThanOrEqual(2 * most + 1);
      }),
      { numRuns: 500 },
    );
  });

  it('takes a long text that is one string', () => {
    expect(holdsTooMuch(JSON.stringify({ content: '",[{'.repeat(3_000_000) }))).toBe(false);
    expect(holdsTooMuch(`{"a":"${'\\\\'.repeat(3_000_000)}"}`)).toBe(false);
  });

  it('is quick about strings that never end, and about all backslashes', () => {
    const began = performance.now();
    for (const text of ['"\\'.repeat(4_000_000), '\\"'.repeat(4_000_000), '"'.repeat(8_000_000)]) holdsTooMuch(text);
    expect(performance.now() - began).toBeLessThan(6_000);
  });
});
