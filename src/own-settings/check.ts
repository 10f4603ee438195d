/** What hookrun's own settings may hold. Loaded only where there are some. */

import * as z from 'zod/mini';
import { durationMs } from '../duration.ts';
import { isSettingKey, type OwnSettings, type SettingKey, settingRows } from './keys.ts';

const duration = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const ms = durationMs(text);
    if (ms === undefined) context.issues.push({ code: 'custom', input: text, message: 'no duration' });
    return ms ?? 0;
  }),
);
const names = z.array(z.string().check(z.minLength(1)));

const fields: Readonly<Record<SettingKey, z.ZodMiniType>> = {
  format: z.string(),
  project: z.string().check(z.minLength(1)),
  scope: names,
  only: names,
  skip: names,
  parallel: z.boolean(),
  sequential: z.boolean(),
  jobs: z.int().check(z.minimum(1), z.maximum(99_999)),
  timeout: duration,
  deadline: duration,
  onFailure: z.enum(['native', 'allow', 'block']),
  requireMatch: z.boolean(),
  env: z.enum(['engine', 'sanitized', 'inherit']),
  stopCap: z.union([z.int().check(z.minimum(0), z.maximum(999_999_999)), z.literal(true)]),
  derived: z.boolean(),
  output: z.enum(['json', 'hook']),
  quiet: z.boolean(),
  verbose: z.boolean(),
  color: z.boolean(),
  strict: z.boolean(),
  log: z.string().check(z.minLength(1)),
  logPayload: z.boolean(),
};

/** A key that can't count: why, in the terms of the sentences about settings. */
export type Fault =
  | { readonly kind: 'import'; readonly key: string }
  | { readonly kind: 'unknown'; readonly key: string; readonly near: string | undefined }
  | { readonly kind: 'value'; readonly key: string; readonly expected: string };

export interface Checked {
  /** Only what is right. */
  readonly settings: OwnSettings;
  readonly faults: readonly Fault[];
}

/** Checks every key by itself, so that one that is wrong costs no other. `formats`: the names that `format` may have beside auto; none: any. */
export function checkSettings(
  values: Readonly<Record<string, unknown>>,
  formats: readonly string[],
  isUserFile: boolean,
): Checked {
  const settings: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (key === '$import') faults.push({ kind: 'import', key });
    else if (!isSettingKey(key) || (isUserFile && settingRows[key].where === 'environment'))
      faults.push({ kind: 'unknown', key, near: nearest(key) });
    else {
      const found = fields[key].safeParse(value);
      const fits =
        found.success &&
        (key !== 'format' || value === 'auto' || formats.length === 0 || formats.includes(value as string));
      // A path that means another file in every folder would scatter the log, and write where a project wants it to.
      const stays = key !== 'log' || !isUserFile || /^(?:\/|~\/)/.test(value as string);
      if (fits && stays) settings[key] = found.data;
      else faults.push({ kind: 'value', key, expected: expectedOf(key, formats) });
    }
  }
  if (settings['parallel'] === true && settings['sequential'] === true) {
    faults.push({ kind: 'value', key: 'sequential', expected: 'false, since parallel is true' });
    delete settings['parallel'];
  }
  return { settings: settings as OwnSettings, faults };
}

const expectedOf = (key: SettingKey, formats: readonly string[]): string =>
  key === 'format' ? `auto, ${formats.join(', ')}` : settingRows[key].expected;

/** A key that differs only in its case and in dashes: `on-failure`, `requirematch`. */
function nearest(key: string): string | undefined {
  const bare = (text: string): string => text.replace(/[-_]/g, '').toLowerCase();
  return Object.keys(settingRows).find((known) => bare(known) === bare(key));
}
