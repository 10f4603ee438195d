/** Rust's idea of white space, which is Unicode's: U+0085 is in it and U+FEFF is not, the other way round than in JavaScript's trim (goose corner 38). */
const space = '[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${space}+`);
const isSpace = new RegExp(space);

/** As Rust's `str::trim`. Takes time linear in what it cuts off. */
export function trim(text: string): string {
  const rest = text.replace(leading, '');
  let end = rest.length;
  while (end > 0 && isSpace.test(rest[end - 1]!)) end -= 1;
  return rest.slice(0, end);
}
