/**
 * The text with `$VAR`, `${VAR}` and `${VAR:-default}` replaced by the environment's values, raw and whatever quotes
 * stand around them, as Gemini CLI does it with the strings of a settings file (Gemini rule 54). The default counts only
 * for a variable that is not set; one that is not set and has no default stays as written. What is inserted is not looked
 * at again. Takes time linear in the text.
 */
export function expandEnv(text: string, env: Readonly<Record<string, string | undefined>>): string {
  if (!text.includes('$')) return text;
  let expanded = '';
  let copied = 0;
  for (let dollar = text.indexOf('$'); dollar !== -1; dollar = text.indexOf('$', dollar + 1)) {
    const braced = text[dollar + 1] === '{';
    const end = braced ? text.indexOf('}', dollar) + 1 : wordEnd(text, dollar + 1);
    // No closing brace from here on: nothing braced can follow, and looking again for each `${` would be quadratic.
    if (end === 0) {
      const rest = text.slice(dollar + 1).replaceAll(/\$(\w+)/g, (whole, name: string) => lookUp(env, name) ?? whole);
      return expanded + text.slice(copied, dollar + 1) + rest;
    }
    if (end === dollar + 1) continue;
    const value = braced
      ? expandBraces(text.slice(dollar + 2, end - 1), env)
      : lookUp(env, text.slice(dollar + 1, end));
    if (value !== undefined) {
      expanded += text.slice(copied, dollar) + value;
      copied = end;
    }
    // The whole of `${…}` counts as looked at, even when it stays: a `$VAR` inside of it is not replaced.
    dollar = end - 1;
  }
  return expanded + text.slice(copied);
}

function wordEnd(text: string, start: number): number {
  const word = /\w*/y;
  word.lastIndex = start;
  word.test(text);
  return Math.max(word.lastIndex, start);
}

/** `inner` is what stands between the braces. A name has at least one character, so `:-` counts from the second on. */
function expandBraces(inner: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const separator = inner.indexOf(':-', 1);
  if (separator === -1) return lookUp(env, inner);
  return lookUp(env, inner.slice(0, separator)) ?? inner.slice(separator + 2);
}

function lookUp(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  // Own keys only: `$constructor` must not find what every object has.
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

type Container = unknown[] | Record<string, unknown>;

/**
 * A copy of a JSON value with `expand` applied to each of its strings, keys excepted (Gemini rules 54 and 55). `key` is
 * the property that the string belongs to, for an array's items that of the array, '' at the root. The value itself is
 * not changed; depth does not matter, and a `__proto__` key stays an ordinary key.
 */
export function expandStrings(value: unknown, expand: (text: string, key: string) => string): unknown {
  // Nearly every value, and a list of what is to do would take longer than all the rest.
  if (typeof value === 'string') return expand(value, '');
  if (!isContainer(value)) return value;
  const root: unknown[] = [];
  // A list of what is still to do in place of recursion: settings may be nested deeper than the stack.
  const open: { from: Container; to: Container; key: string }[] = [{ from: [value], to: root, key: '' }];
  for (let job = open.pop(); job !== undefined; job = open.pop()) {
    const { from, to, key: owner } = job;
    const isList = Array.isArray(from);
    for (const [name, item] of Object.entries(from)) {
      const key = isList ? owner : name;
      let copy: unknown = item;
      if (typeof item === 'string') copy = expand(item, key);
      else if (isContainer(item)) {
        copy = Array.isArray(item) ? [] : {};
        open.push({ from: item, to: copy as Container, key });
      }
      if (isList) (to as unknown[]).push(copy);
      else Object.defineProperty(to, name, { value: copy, writable: true, enumerable: true, configurable: true });
    }
  }
  return root[0];
}

function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
