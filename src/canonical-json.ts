import { deepJson } from './to-json.ts';

/**
 * JSON with the keys of every object in the order of their code units, so that equal data has equal text. For plain data of any depth:
 * no recursion, since a configuration may be nested deeper than the stack.
 */
export function canonicalJson(root: unknown): string {
  return deepJson(root, leafOf, byKey);
}

// JSON has no word for infinity, though 1e999 in a file is read as that; `null` would make it equal to a null.
const leafOf = (value: unknown): string | undefined =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : JSON.stringify(value);

const byKey = ([a]: Field, [b]: Field): number => (a < b ? -1 : a > b ? 1 : 0);

type Field = readonly [key: string, value: unknown];
