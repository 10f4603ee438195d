/** hookrun's own record of folders that were decided about: reading, checking and changing its text. Pure but for `fs`. */

import { dirname } from 'node:path';
import { HookrunError } from './errors.ts';
import { ReadError, type ReadOnlyFs } from './file-system.ts';
import type { FingerprintParts } from './fingerprint.ts';
import { say } from './words.ts';
import type { TrustFile } from './world.ts';

/** A decision about one folder and one agent. A parent's says nothing about its children. */
export interface TrustRecord {
  /** The folder's real path. */
  readonly path: string;
  readonly format: string;
  readonly decision: 'trusted' | 'denied';
  /** What was trusted; absent on a denial. */
  readonly fingerprint?: string;
  readonly parts?: FingerprintParts;
  /** ISO time. */
  readonly date: string;
  /** The version of hookrun that wrote it. */
  readonly hookrun: string;
}

const version = 1;
const storeLimit = 16 * 1024 * 1024;

/**
 * All records. Throws `HookrunError` (input-file) for a file that can't be believed: damaged, somebody else's, writable by others, no regular
 * file, too large, or inside the project that it is asked about.
 */
export function readTrustStore(file: TrustFile, fs: ReadOnlyFs, project?: string, home?: string): TrustRecord[] {
  const unfit = (why: string): HookrunError =>
    new HookrunError('input-file', say('trust-store', { path: file.path }, why));
  const info = fs.info(file.path);
  if (info === undefined && fs.linkInfo(file.path) === undefined) return [];
  if (info === undefined) throw unfit('it is a link that leads nowhere, or it may not be looked at');
  for (const [what, path] of [
    ['it', file.path],
    ['its folder', dirname(file.path)],
  ] as const) {
    const { uid, mode } = fs.info(path) ?? info;
    if (file.uid !== undefined && uid !== file.uid && uid !== 0) throw unfit(`${what} belongs to somebody else`);
    if ((mode & 0o022) !== 0) throw unfit(`${what} can be written by others (chmod go-w)`);
  }
  if (project !== undefined && isInside(fs.real(file.path), project) && !isInside(home && fs.real(home), project))
    throw unfit("it lies inside the project, which can't speak for itself");
  let text: string;
  try {
    text = fs.read(file.path, storeLimit).toString('utf8');
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw unfit(error.message);
  }
  const read = parse(text);
  if (typeof read === 'string') throw unfit(`${read}; remove it, and trust your folders again`);
  return read;
}

const isInside = (path: string | undefined, folder: string): boolean =>
  path !== undefined && (path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`));

/** The records of a text, or what is wrong with it. One bad record spoils all: nobody knows what else was changed. */
function parse(text: string): TrustRecord[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not valid JSON';
  }
  if (!isObject(value)) return 'it is no object';
  if (value['version'] !== version) return `it has the version ${JSON.stringify(value['version'])}, not ${version}`;
  const { folders } = value;
  if (!Array.isArray(folders)) return 'it has no list of folders';
  const bad = folders.findIndex((one) => !isRecord(one));
  if (bad >= 0) return `folders[${bad}] is no record`;
  const keys = new Set(folders.map(({ path, format }: TrustRecord) => JSON.stringify([path, format])));
  return keys.size === folders.length ? folders : 'it has two records for one folder';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areTexts = (...values: readonly unknown[]): boolean => values.every((one) => typeof one === 'string');
const isList = (value: unknown, keys: readonly string[]): boolean =>
  Array.isArray(value) && value.every((one) => isObject(one) && areTexts(...keys.map((key) => one[key])));

function isRecord(value: unknown): value is TrustRecord {
  if (!isObject(value)) return false;
  const { path, format, decision, fingerprint, parts, date, hookrun } = value;
  if (!areTexts(path, format, date, hookrun)) return false;
  if (decision === 'denied') return true;
  return (
    decision === 'trusted' && typeof fingerprint === 'string' && /^[0-9a-f]{64}$/.test(fingerprint) && isParts(parts)
  );
}

const isParts = (value: unknown): boolean =>
  isObject(value) &&
  isList(value['hooks'], ['event', 'name', 'sha256']) &&
  isList(value['switches'], ['name', 'sha256']) &&
  isList(value['files'], ['path']) &&
  isList(value['settings'], ['name', 'sha256']);

/** The text of a store with these records, in the order of their folders, so that equal stores are equal texts. */
export function storeText(records: readonly TrustRecord[]): string {
  const key = ({ path, format }: TrustRecord): string => `${path}\0${format}`;
  const folders = [...records].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return `${JSON.stringify({ version, folders }, undefined, 1)}\n`;
}

/**
 * Puts records in the place of those about the same folder and format, and takes out those that are given up. Throws `HookrunError`
 * (input-file) for a store that can't be believed or can't be written: nothing is changed then.
 */
export async function changeTrustStore(
  file: TrustFile,
  fs: ReadOnlyFs,
  add: readonly TrustRecord[],
  remove: readonly Pick<TrustRecord, 'path' | 'format'>[] = [],
): Promise<void> {
  const isAbout = (one: Pick<TrustRecord, 'path' | 'format'>, other: Pick<TrustRecord, 'path' | 'format'>): boolean =>
    one.path === other.path && one.format === other.format;
  try {
    await file.replace(() => {
      const kept = readTrustStore(file, fs).filter((one) => ![...add, ...remove].some((other) => isAbout(one, other)));
      const text = storeText([...kept, ...add]);
      if (Buffer.byteLength(text) > storeLimit) throw new Error('it would be too large; hookrun untrust makes room');
      return text;
    });
  } catch (error) {
    if (error instanceof HookrunError) throw error;
    throw new HookrunError('input-file', say('trust-store-unwritable', { path: file.path }, (error as Error).message));
  }
}
