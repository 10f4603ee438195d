/** The shape of a JSON value, as data: what is checked at the door, and what zod says is wrong where that fails. */

export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'object'
  | 'any'
  | { readonly list: Shape }
  | { readonly either: readonly Shape[] }
  /** An object; fields beyond these may be there. */
  | { readonly fields: Fields };

/** A field whose name ends with `?` may be missing. */
export type Fields = Readonly<Record<string, Shape>>;

/** `tool_name?` is `tool_name`, and may be missing. */
export const fieldOf = (name: string): { readonly name: string; readonly isOptional: boolean } =>
  name.endsWith('?') ? { name: name.slice(0, -1), isOptional: true } : { name, isOptional: false };

/**
 * Whether a value out of `JSON.parse` has a shape. This is what nearly every payload needs and takes no library; a property holds it to what zod
 * makes of the same shape.
 */
export function fits(shape: Shape, value: unknown): boolean {
  if (typeof shape === 'string') {
    if (shape === 'any') return true;
    if (shape === 'object') return isObject(value);
    // A number over the range of a double is none: JSON.parse makes Infinity of it.
    return typeof value === shape && (shape !== 'number' || Number.isFinite(value));
  }
  if ('list' in shape) return Array.isArray(value) && value.every((item) => fits(shape.list, item));
  if ('either' in shape) return shape.either.some((one) => fits(one, value));
  if (!isObject(value)) return false;
  for (const key in shape.fields) {
    const { name, isOptional } = fieldOf(key);
    const found = value[name];
    if (found === undefined ? !isOptional : !fits(shape.fields[key]!, found)) return false;
  }
  return true;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that has not the shape that it should have. What is wrong with it, `faultIn` says. */
export class Misfit extends Error {
  readonly shape: Shape;
  readonly value: unknown;
  /** Where the value stands in the payload. */
  readonly at: readonly PropertyKey[];

  constructor(shape: Shape, value: unknown, at: readonly PropertyKey[]) {
    super('the payload has not the shape of its event');
    this.shape = shape;
    this.value = value;
    this.at = at;
  }
}

/** Throws `Misfit`. */
export function mustFit(shape: Shape, value: unknown, at: readonly PropertyKey[] = []): void {
  if (!fits(shape, value)) throw new Misfit(shape, value, at);
}
