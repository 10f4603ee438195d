/** One value that stands for everything in a project that decides what runs, and its parts, so that a change can be named. */

import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import { HookrunError } from './errors.ts';
import { ReadError, type ReadOnlyFs } from './file-system.ts';
import type { ProjectClaims, ProjectHook } from './formats/format.ts';
import { type NamedFile, type Naming, scriptFiles } from './script-files.ts';
import { say } from './words.ts';

/** Changes whenever the same project would get another fingerprint from this version of hookrun on. */
const scheme = 2;

/** Bounds on the files that commands name: bytes of one, bytes of all, and how many. */
export const fileLimit = 64 * 1024 * 1024;
const allFilesLimit = 256 * 1024 * 1024;
const mostFiles = 2000;

export interface HookPart {
  readonly event: string;
  readonly name: string;
  readonly sha256: string;
}

/** A named file: its content, or why it has none (a FIFO, no permission), and where it leads if it is a link. */
export interface FilePart {
  readonly path: string;
  readonly sha256?: string;
  readonly unreadable?: string;
  /** Somebody may execute it: without that a shell does not start it, and ends with 126 instead. */
  readonly executable?: true;
  readonly link?: string;
}

export interface NamedPart {
  readonly name: string;
  readonly sha256: string;
}

/** All that goes into a fingerprint; hooks in their order within an event, everything else in the order of its names. */
export interface FingerprintParts {
  readonly scheme: number;
  readonly format: string;
  readonly hooks: readonly HookPart[];
  readonly switches: readonly NamedPart[];
  readonly files: readonly FilePart[];
  /** hookrun's own settings of the project. */
  readonly settings: readonly NamedPart[];
}

export interface Fingerprint {
  /** SHA-256 of the parts, in hex. */
  readonly hash: string;
  readonly parts: FingerprintParts;
  /** The paths of the files that each hook names, by `placeKey`; files that are named but not there yet under `missing`. */
  readonly named: ReadonlyMap<string, { readonly files: readonly string[]; readonly missing: readonly string[] }>;
}

/** What tells hooks of one configuration apart. */
export const placeKey = ({ path, key }: { readonly path: string; readonly key: string }): string => `${path}\0${key}`;

/** Where a project is and how it is read. */
export interface ProjectPlace {
  readonly project: string;
  readonly fs: ReadOnlyFs;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What of a hook is searched for files. */
export const namingOf = (hook: ProjectHook): Naming => ({
  texts: [hook.command, ...Object.values(hook.env ?? {})],
  folders: hook.folders,
  cwd: hook.cwd,
});

/**
 * The fingerprint of what a project brought along. It depends on the project's own content alone: not on where it lies, on the user's
 * configuration, on the environment or on a payload.
 *
 * @param more hookrun's own settings of the project, by name.
 * @throws `HookrunError` (config) where the commands name more, or larger, files than can be vouched for.
 */
export function fingerprintOf(
  claims: ProjectClaims,
  format: string,
  place: ProjectPlace,
  more: Readonly<Record<string, unknown>>,
): Fingerprint {
  const hooks = claims.hooks.map(({ event, name, command, matcher, content }) => ({
    event,
    name,
    sha256: sha256(canonicalJson({ event, name, command, matcher, content })),
  }));
  const { files, named } = filesOf(claims.hooks, place);
  const parts: FingerprintParts = {
    scheme,
    format,
    // The order of the events in the file decides nothing; the order of the hooks of an event does.
    hooks: hooks.sort((a, b) => byText(a.event, b.event)),
    switches: namedParts(claims.switches.map(({ name, value }) => [name, value])),
    files,
    settings: namedParts(Object.entries(more)),
  };
  return { hash: sha256(canonicalJson(parts)), parts, named };
}

const namedParts = (values: readonly (readonly [name: string, value: unknown])[]): NamedPart[] =>
  values
    .map(([name, value]) => ({ name, sha256: sha256(canonicalJson(value)) }))
    .sort((a, b) => byText(a.name, b.name));

function filesOf(
  hooks: readonly ProjectHook[],
  { project, fs }: ProjectPlace,
): { files: FilePart[]; named: Fingerprint['named'] } {
  const all = new Map<string, NamedFile>();
  const named = new Map<string, { files: string[]; missing: readonly string[] }>();
  for (const hook of hooks) {
    const { files, missing, tooMany } = scriptFiles(namingOf(hook), project, fs);
    for (const file of files) all.set(file.path, file);
    named.set(placeKey(hook), { files: files.map((file) => file.path), missing });
    if (tooMany || all.size > mostFiles) throw tooMuch(hook, 'its command names more files than can be vouched for');
  }
  let bytes = 0;
  const parts = [...all.values()].map((file) => {
    bytes += file.isFile ? (fs.info(file.at)?.size ?? 0) : 0;
    if (bytes > allFilesLimit)
      throw new HookrunError(
        'config',
        say(
          'trust-too-much',
          { path: file.at },
          `the files that commands name hold more than ${mebibytes(allFilesLimit)}`,
        ),
      );
    return filePart(file, fs);
  });
  return { files: parts.sort((a, b) => byText(a.path, b.path)), named };
}

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

const tooMuch = (hook: ProjectHook, why: string): HookrunError =>
  new HookrunError('config', say('trust-too-much', { path: hook.path, key: hook.key }, why));

/** A file as it is now. Throws `HookrunError` (config) for one that is too large to be read. */
export function filePart(file: NamedFile, fs: ReadOnlyFs): FilePart {
  const info = fs.info(file.at);
  const more: Pick<FilePart, 'executable' | 'link'> = {
    // Any of the three bits, as git keeps it: a checkout with another umask has the same fingerprint.
    ...(info?.kind === 'file' && (info.mode & 0o111) !== 0 ? { executable: true } : {}),
    ...(file.link === undefined ? {} : { link: file.link }),
  };
  try {
    return { path: file.path, sha256: sha256(fs.read(file.at, fileLimit)), ...more };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    if (error.kind !== 'too-large') return { path: file.path, unreadable: error.kind, ...more };
    const why = `a command names this file, and it is larger than ${mebibytes(fileLimit)}`;
    throw new HookrunError('config', say('trust-too-much', { path: file.at }, why));
  }
}
