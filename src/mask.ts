import type { ReadOnlyFs } from './file-system.ts';
import { maskValues, secretNames } from './secrets.ts';
import { toJson } from './to-json.ts';
import type { Env } from './types.ts';

/** Masks secrets in anything that is shown: what looks like one, and the values of variables whose names say that they are. */
export interface Mask {
  text(text: string): string;
  /** Every string in JSON data, keys too. What holds no secret comes back as it is. */
  data<T>(value: T): T;
  /** The same for JSON text, at any depth. */
  json(text: string): string;
  /** With the secrets of another environment too: that of a hook has what its configuration put there. */
  with(env: Env): Mask;
}

/** @returns a mask that knows the secrets of an environment. Nothing is looked at before something is masked. */
export function createMask(envs: readonly Env[], fs: Pick<ReadOnlyFs, 'info'>): Mask {
  let values: string[] | undefined;
  const text = (shown: string): string => {
    if (shown === '') return shown;
    values ??= envs.flatMap((env) => secretsOf(env, fs));
    return maskValues(shown, values);
  };
  const json = (shown: string): string => {
    // Most texts hold no secret, and then this one look is all; string by string it would take a hundred times as long.
    if (text(shown) === shown) return shown;
    return shown.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => {
      // Without an escape the literal is the string itself.
      const string = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
      const masked = text(string);
      return masked === string ? literal : JSON.stringify(masked);
    });
  };
  return {
    text,
    json,
    data(value) {
      if (value === undefined) return value;
      const before = toJson(value);
      const after = json(before);
      return after === before ? value : JSON.parse(after);
    },
    with: (env) => createMask([...envs, env], fs),
  };
}

/** Masks what looks like a secret by its form, and knows no values. */
export const formMask: Mask = createMask([], { info: () => undefined });

/** The values of an environment that are secret, as they are, as they stand inside JSON, and inside JSON that stands in JSON. */
function secretsOf(env: Env, fs: Pick<ReadOnlyFs, 'info'>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value.length < 6 || !secretNames(name)) return [];
    // XAUTHORITY, SSH_AUTH_SOCK: the path of something that is there is no secret, and masking it would hide where things are.
    if (value.startsWith('/') && fs.info(value) !== undefined) return [];
    const inJson = JSON.stringify(value).slice(1, -1);
    const ascii = inJson.replace(
      /[\u007f-\uffff]/g,
      (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return [value.trim(), value, inJson, ascii, inJson.replaceAll('/', '\\/'), JSON.stringify(inJson).slice(1, -1)];
  });
}
