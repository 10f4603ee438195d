/** What is wrong with a payload, in zod's judgement. Loaded only where something is. */

import * as z from 'zod/mini';
import type { HookrunError } from './errors.ts';
import { describe, payloadError } from './payload.ts';
import { fieldOf, type Misfit, type Shape } from './shape.ts';

// One value a run: a parser that is compiled for it costs more than it saves.
z.config({ jitless: true });

const plain = {
  string: () => z.string(),
  number: () => z.number(),
  boolean: () => z.boolean(),
  object: () => z.looseObject({}),
  any: () => z.unknown(),
};

/** The zod schema of a shape. */
export function schemaOf(shape: Shape): z.core.$ZodType {
  if (typeof shape === 'string') return plain[shape]();
  if ('list' in shape) return z.array(schemaOf(shape.list));
  if ('either' in shape) return z.union(shape.either.map(schemaOf) as [z.core.$ZodType]);
  return z.looseObject(
    Object.fromEntries(
      Object.entries(shape.fields).map(([key, field]) => {
        const { name, isOptional } = fieldOf(key);
        return [name, isOptional ? z.optional(schemaOf(field)) : schemaOf(field)];
      }),
    ),
  );
}

const expectedWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** The error for the first thing in a payload that is not as it should be: where, what was expected, and what stands there. */
export function misfitError({ shape, value, at }: Misfit): HookrunError {
  const issue = z.safeParse(schemaOf(shape), value).error!.issues[0]!;
  const found = issue.path.reduce<unknown>(
    (inner, key) => (inner as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key],
    value,
  );
  const path = [...at, ...issue.path]
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
  const expected =
    issue.code === 'invalid_type' ? (expectedWords[issue.expected] ?? issue.expected) : 'text or a list of parts';
  return payloadError({ at: path, expected, found: describe(found) });
}
