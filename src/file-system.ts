import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

export interface FileInfo {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  readonly uid: number;
  readonly mode: number;
}

/** The file system as the stages see it: reading only, so that a test can hand in another. Synchronous, since all of it is a few small files. */
export interface ReadOnlyFs {
  /** Follows links. Undefined where there is nothing. */
  info(path: string): FileInfo | undefined;
  /** Does not follow a link at the end of the path. */
  linkInfo(path: string): FileInfo | undefined;
  /** Surely nothing is there, not even a link that leads nowhere; false where that can't be found out. Most files that are looked for are missing. */
  isMissing(path: string): boolean;
  /** Names in a folder, in the order of their UTF-16 code units; throws as node does. Names that are not UTF-8 are left out. */
  list(path: string): string[];
  /** The real path, or undefined where there is nothing. */
  real(path: string): string | undefined;
  /** The bytes of a regular file of at most `limit` bytes. Throws `ReadError`. */
  read(path: string, limit: number): Buffer;
  /** A text that changes when the file, the link or the folder at the path does; empty where there is nothing. */
  stamp(path: string): string;
  /** Where a link points, as written; undefined where it is none. */
  linkTarget(path: string): string | undefined;
}

export type ReadErrorKind = 'missing' | 'folder' | 'not-a-file' | 'denied' | 'too-large' | 'failed';

/** Why a file could not be read. */
export class ReadError extends Error {
  readonly kind: ReadErrorKind;
  readonly path: string;
  constructor(kind: ReadErrorKind, path: string, message: string) {
    super(message);
    this.kind = kind;
    this.path = path;
  }
}

const infoOf = (stats: import('node:fs').Stats): FileInfo => ({
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other',
  size: stats.size,
  uid: stats.uid,
  mode: stats.mode,
});

const ifThere = (stats: import('node:fs').Stats | undefined): FileInfo | undefined =>
  stats === undefined ? undefined : infoOf(stats);

/** Both times, since a file may be given back its old time of change, but not that of its inode. */
const stampOf = ({ mtimeMs, ctimeMs, size, ino, mode }: import('node:fs').Stats): string =>
  `${mtimeMs}:${ctimeMs}:${size}:${ino}:${mode};`;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? '';

/** Nothing there, as opposed to something that can't be looked at. */
const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(codeOf(error));

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'ELOOP' || codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}

/**
 * The regular file at `path`, whole. It is opened without blocking and looked at through the open descriptor, so that
 * neither a FIFO nor a file that is swapped in between can hang or fill memory.
 */
function readRegularFile(path: string, limit: number): Buffer {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    const code = codeOf(error);
    if (isMissing(error)) throw new ReadError('missing', path, 'no such file');
    if (code === 'EACCES' || code === 'EPERM') throw new ReadError('denied', path, 'permission denied');
    // ENXIO: a socket, or a device without a driver.
    if (code === 'ENXIO') throw new ReadError('not-a-file', path, 'not a regular file');
    throw new ReadError('failed', path, (error as Error).message);
  }
  try {
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw new ReadError('folder', path, 'it is a folder');
    if (!stats.isFile()) throw new ReadError('not-a-file', path, 'not a regular file');
    if (stats.size > limit) throw tooLarge(path, limit);
    // Files of /proc say 0 and hold something; everything else is read in one go.
    if (stats.size === 0) return readUpTo(fd, path, limit);
    const bytes = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(fd, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

function readUpTo(fd: number, path: string, limit: number): Buffer {
  const bytes = readFileSync(fd);
  if (bytes.length > limit) throw tooLarge(path, limit);
  return bytes;
}

const tooLarge = (path: string, limit: number): ReadError =>
  new ReadError('too-large', path, `larger than ${Math.round(limit / 1024 / 1024)} MiB`);

/** Of a link, also that of what it leads to. */
function stampAt(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return '';
  const behind = stats.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return stampOf(stats) + (behind === undefined ? '' : stampOf(behind));
}

/** The real file system. */
export const diskFs: ReadOnlyFs = {
  info: (path) => orUndefined(() => ifThere(statSync(path, { throwIfNoEntry: false }))),
  linkInfo: (path) => orUndefined(() => ifThere(lstatSync(path, { throwIfNoEntry: false }))),
  isMissing: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) === undefined;
    } catch {
      return false;
    }
  },
  // A name that is not UTF-8 can't be passed back to the file system as a string: node shows U+FFFD in it.
  list: (path) =>
    readdirSync(path)
      .filter((name) => !name.includes('\uFFFD') || orUndefined(() => lstatSync(join(path, name))) !== undefined)
      .sort(),
  real: (path) =>
    orUndefined(() => (lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync(path))),
  stamp: (path) => orUndefined(() => stampAt(path)) ?? '',
  read: readRegularFile,
  linkTarget: (path) => orUndefined(() => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined)),
};
