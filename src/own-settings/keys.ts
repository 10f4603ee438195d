import type { OnFailure } from '../types.ts';

/** hookrun's own settings, checked and in their final types. Each has the name of its flag. */
export interface OwnSettings {
  readonly format?: string;
  readonly project?: string;
  readonly scope?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly parallel?: boolean;
  readonly sequential?: boolean;
  readonly jobs?: number;
  /** In ms, like `deadline`. */
  readonly timeout?: number;
  readonly deadline?: number;
  readonly onFailure?: OnFailure;
  readonly requireMatch?: boolean;
  readonly env?: 'engine' | 'sanitized' | 'inherit';
  readonly stopCap?: number | true;
  readonly derived?: boolean;
  readonly output?: 'json' | 'hook';
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: boolean;
  readonly strict?: boolean;
  readonly log?: string;
  readonly logPayload?: boolean;
}

export type SettingKey = keyof OwnSettings;

/** How the text of an environment variable becomes the value that a file would hold. */
export type Raw = 'text' | 'list' | 'switch' | 'number';

/** Where a setting may stand, what its text is in the environment, and what is expected of it, for messages and the README. */
export interface SettingRow {
  readonly raw: Raw;
  /** `file`: the user's file and the environment. `environment`: only there, since it is about one call. */
  readonly where: 'file' | 'environment';
  /** Not HOOKRUN_SKIP, which was there before and switches hooks off instead. */
  readonly noVariable?: true;
  readonly expected: string;
  /** What a project may set it to. */
  readonly project?: string;
}

export const settingRows: Readonly<Record<SettingKey, SettingRow>> = {
  format: { raw: 'text', where: 'file', expected: 'auto or the name of a format' },
  project: { raw: 'text', where: 'environment', expected: 'a folder' },
  scope: { raw: 'list', where: 'file', expected: 'a list of config scopes' },
  only: { raw: 'list', where: 'file', expected: 'a list of hook names (globs)' },
  skip: { raw: 'list', where: 'file', noVariable: true, expected: 'a list of hook names (globs)' },
  parallel: { raw: 'switch', where: 'file', expected: 'true or false' },
  sequential: { raw: 'switch', where: 'file', expected: 'true or false' },
  jobs: { raw: 'number', where: 'file', expected: 'a whole number from 1 to 99999' },
  timeout: { raw: 'text', where: 'file', expected: 'a duration such as "5s"', project: 'a lower one' },
  deadline: { raw: 'text', where: 'file', expected: 'a duration such as "1m"' },
  onFailure: { raw: 'text', where: 'file', expected: 'native, allow or block', project: '`block`' },
  requireMatch: { raw: 'switch', where: 'file', expected: 'true or false', project: '`true`' },
  env: { raw: 'text', where: 'file', expected: 'engine, sanitized or inherit' },
  stopCap: { raw: 'number', where: 'file', expected: 'a whole number, or true for the usual one' },
  derived: { raw: 'switch', where: 'file', expected: 'true or false' },
  output: { raw: 'text', where: 'file', expected: 'json or hook' },
  quiet: { raw: 'switch', where: 'file', expected: 'true or false', project: 'yes' },
  verbose: { raw: 'switch', where: 'file', expected: 'true or false', project: 'yes' },
  color: { raw: 'switch', where: 'file', expected: 'true or false', project: 'yes' },
  strict: { raw: 'switch', where: 'file', expected: 'true or false' },
  log: { raw: 'text', where: 'file', expected: 'an absolute path, or one that begins with ~/' },
  logPayload: { raw: 'switch', where: 'file', expected: 'true or false' },
};

export const isSettingKey = (name: string): name is SettingKey => Object.hasOwn(settingRows, name);

/** HOOKRUN_ON_FAILURE for `onFailure`. */
export const variableOf = (key: SettingKey): string =>
  `HOOKRUN_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
