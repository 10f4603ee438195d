import { dirname, join, resolve } from 'node:path';
import { type FileInfo, ReadError, type ReadOnlyFs } from '../../src/file-system.ts';

/** A file, a link, or something that can't be read. A folder is whatever a path of a file goes through. */
export type Entry =
  | string
  | { readonly text: string; readonly uid?: number; readonly mode?: number }
  | { readonly link: string }
  | { readonly folder: true; readonly uid?: number; readonly mode?: number }
  | { readonly unreadable: ConstructorParameters<typeof ReadError>[0] };

const isLink = (entry: Entry | undefined): entry is { readonly link: string } =>
  typeof entry === 'object' && 'link' in entry;

/** A file system that holds just these files, all of them root's unless they say otherwise. Links are followed. */
export function memoryFs(files: Readonly<Record<string, Entry>>): ReadOnlyFs {
  const at = (path: string): Entry | undefined => {
    if (Object.hasOwn(files, path)) return files[path];
    const below = path === '/' ? '/' : `${path}/`;
    return Object.keys(files).some((one) => one.startsWith(below)) ? { folder: true } : undefined;
  };
  /** The path without links, or undefined where it leads nowhere. */
  const real = (path: string, hops = 0): string | undefined => {
    if (hops > 20) return undefined;
    if (path === '/') return at('/') === undefined ? undefined : '/';
    const parent = real(dirname(path), hops);
    if (parent === undefined) return undefined;
    const here = join(parent, path.slice(path.lastIndexOf('/') + 1));
    const entry = at(here);
    return isLink(entry) ? real(resolve(parent, entry.link), hops + 1) : entry === undefined ? undefined : here;
  };
  const infoOf = (entry: Entry): FileInfo => {
    if (typeof entry === 'string') return { kind: 'file', size: entry.length, uid: 0, mode: 0o644 };
    if ('unreadable' in entry) {
      const kind = entry.unreadable === 'folder' ? 'folder' : entry.unreadable === 'not-a-file' ? 'other' : 'file';
      return { kind, size: 0, uid: 0, mode: 0o644 };
    }
    if ('link' in entry) return { kind: 'link', size: 0, uid: 0, mode: 0o777 };
    const { uid = 0 } = entry;
    return 'folder' in entry
      ? { kind: 'folder', size: 0, uid, mode: entry.mode ?? 0o755 }
      : { kind: 'file', size: entry.text.length, uid, mode: entry.mode ?? 0o644 };
  };
  const found = (path: string): Entry | undefined => {
    const place = real(path);
    return place === undefined ? undefined : at(place);
  };
  return {
    info(path) {
      const entry = found(path);
      return entry === undefined ? undefined : infoOf(entry);
    },
    linkInfo(path) {
      const parent = real(dirname(path));
      const entry = parent === undefined ? undefined : at(join(parent, path.slice(path.lastIndexOf('/') + 1)));
      return entry === undefined ? undefined : infoOf(entry);
    },
    isMissing(path) {
      const parent = real(dirname(path));
      return parent === undefined || at(join(parent, path.slice(path.lastIndexOf('/') + 1))) === undefined;
    },
    list(path) {
      const folder = `${real(path)}/`;
      const inside = Object.keys(files).filter((one) => one.startsWith(folder));
      return [...new Set(inside.map((one) => one.slice(folder.length).split('/')[0]!))].sort();
    },
    real: (path) => real(path),
    read(path, limit) {
      const entry = found(path);
      if (entry === undefined) throw new ReadError('missing', path, 'no such file');
      if (typeof entry === 'object' && 'folder' in entry) throw new ReadError('folder', path, 'it is a folder');
      if (typeof entry === 'object' && 'unreadable' in entry)
        throw new ReadError(entry.unreadable, path, `${entry.unreadable} in this test`);
      const bytes = Buffer.from(typeof entry === 'string' ? entry : (entry as { text: string }).text);
      if (bytes.length > limit) throw new ReadError('too-large', path, 'larger than the limit');
      return bytes;
    },
    stamp: () => '',
    linkTarget(path) {
      const entry = at(path);
      return isLink(entry) ? entry.link : undefined;
    },
  };
}
