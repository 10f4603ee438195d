import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { payloadShape as geminiShape } from '../../src/formats/gemini/payload.ts';
import { gemini as geminiEntry, kimi as kimiEntry } from '../../src/formats/index.ts';
import { payloadShape as kimiShape, partShape } from '../../src/formats/kimi/shapes.ts';
import { misfitError, schemaOf } from '../../src/misfit.ts';
import { fieldOf, fits, Misfit, type Shape } from '../../src/shape.ts';

const parts = [{ type: 'text' }, { type: 'image_url' }, { type: 'x' }, null].map(partShape);
const shapes: readonly Shape[] = [
  ...geminiEntry.events.map(geminiShape),
  ...kimiEntry.events.map(kimiShape),
  ...parts,
  'any',
  { list: { either: ['number', { fields: { 'a?': 'string', b: 'object' } }] } },
];

/** Any JSON, with the odd number that only JSON.parse brings about. */
const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(JSON.parse('1e999')), fc.constant([]));

/** Values that are nearly of a shape: each part is now and then another, or missing. */
function nearly(shape: Shape): fc.Arbitrary<unknown> {
  const right = (): fc.Arbitrary<unknown> => {
    if (shape === 'string') return fc.string();
    if (shape === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
    if (shape === 'boolean') return fc.boolean();
    if (shape === 'object') return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }));
    if (shape === 'any') return anything;
    if ('list' in shape) return fc.array(nearly(shape.list), { maxLength: 3 });
    if ('either' in shape) return fc.oneof(...shape.either.map(nearly));
    const fields = Object.entries(shape.fields).map(([key, field]) => [fieldOf(key).name, nearly(field)] as const);
    const isRequired = Object.keys(shape.fields).filter((key) => !fieldOf(key).isOptional);
    return fc.oneof(
      { weight: 8, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: isRequired }) },
      { weight: 1, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) },
    );
  };
  return fc.oneof({ weight: 30, arbitrary: right() }, { weight: 1, arbitrary: anything });
}

describe('the shape of a payload', () => {
  it('is had by just the values that zod takes', () => {
    const seen = { fits: 0, misfits: 0 };
    for (const shape of shapes) {
      const schema = schemaOf(shape);
      fc.assert(
        fc.property(nearly(shape), (value) => {
          const isFit = fits(shape, value);
          seen[isFit ? 'fits' : 'misfits'] += 1;
          expect(isFit).toBe(z.safeParse(schema, value).success);
          // Whatever does not fit, there is a sentence for.
          if (!isFit) expect(misfitError(new Misfit(shape, value, [])).message).toMatch(/must be .+, but it is/);
        }),
        { numRuns: 150 },
      );
    }
    expect(seen.fits).toBeGreaterThan(1000);
    expect(seen.misfits).toBeGreaterThan(300);
  });
});
