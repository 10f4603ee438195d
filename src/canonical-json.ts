/**
 * JSON with the keys of every object in the order of their code units, so that equal data has equal text. For plain data of any depth:
 * no recursion, since a configuration may be nested deeper than the stack.
 */
export function canonicalJson(root: unknown): string {
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
      // JSON has no word for infinity, though 1e999 in a file is read as that; `null` would make it equal to a null.
      const isOdd = typeof value === 'number' && !Number.isFinite(value);
      parts.push(isOdd ? String(value) : (JSON.stringify(value) ?? 'null'));
      continue;
    }
    const isList = Array.isArray(value);
    const fields = Object.entries(value).filter((field) => isList || field[1] !== undefined);
    if (!isList) fields.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    open.push(isList ? ']' : '}');
    for (const [index, [key, inner]] of [...fields.entries()].reverse())
      open.push({ value: inner }, `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(key)}:`}`);
    open.push(isList ? '[' : '{');
  }
  return parts.join('');
}
