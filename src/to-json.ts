/**
 * `JSON.stringify` for plain data of any depth: the built-in one overflows the stack some thousand levels down, and neither a hook
 * nor a configuration that is nested that deeply may keep a decision from being printed. `indent` counts only where it works.
 */
export function toJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepJson(value);
  }
}

/**
 * The same, written without recursion.
 *
 * @param leaf the text of what is no object.
 * @param order of the keys of an object; their own without it.
 */
export function deepJson(
  root: unknown,
  leaf: (value: unknown) => string | undefined = JSON.stringify,
  order?: (a: readonly [string, unknown], b: readonly [string, unknown]) => number,
): string {
  const parts: string[] = [];
  // What is still to be written, last first: pieces of text and, boxed, values.
  const open: (string | { readonly value: unknown })[] = [{ value: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    const { value } = next;
    if (typeof value !== 'object' || value === null) {
      parts.push(leaf(value) ?? 'null');
      continue;
    }
    const isList = Array.isArray(value);
    const fields = Object.entries(value).filter((field) => isList || field[1] !== undefined);
    if (order !== undefined && !isList) fields.sort(order);
    open.push(isList ? ']' : '}');
    for (const [index, [key, inner]] of [...fields.entries()].reverse())
      open.push({ value: inner }, `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(key)}:`}`);
    open.push(isList ? '[' : '{');
  }
  return parts.join('');
}
