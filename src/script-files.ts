/** The files inside a project that a command names. Looks at the disk through `fs` alone, and reads no file. */

import { join, relative, sep } from 'node:path';
import { type Word, wordsOf } from './command-words.ts';
import type { ReadOnlyFs } from './file-system.ts';

/** A command and what it takes to find its files. */
export interface Naming {
  /** The command, and the values of the hook's own environment variables: `BASH_ENV` names a script as well. */
  readonly texts: readonly string[];
  /** The folders that variables stand for. */
  readonly folders: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface NamedFile {
  /** From the project's top. */
  readonly path: string;
  /** Where it is read. */
  readonly at: string;
  /** Where it leads, if it or a folder on its way is a link: from the project's top, or as written where that is outside. */
  readonly link?: string;
  readonly isFile: boolean;
}

export interface NamedFiles {
  /** In the order of their paths, none twice. */
  readonly files: readonly NamedFile[];
  /** Words that look like a path in the project where there is nothing yet. */
  readonly missing: readonly string[];
  /** There is more than what was looked at, so nobody can vouch for all of it. */
  readonly tooMany: boolean;
}

/** Places looked at for one hook, folders in which relative words are looked for, and the longest text: no shell is given a longer one. */
const mostLooks = 50_000;
const mostFolders = 20;
const longestText = 256 * 1024;

/** What interpreters add to a name by themselves. */
const endings = [
  ...['.js', '.mjs', '.cjs', '.ts', '.py', '.rb', '.pm'],
  ...['/index.js', '/package.json', '/__main__.py', '/__init__.py'],
];

/**
 * Every word that leads to a regular file inside the project counts, whether the word is in quotes, behind a variable, an option or
 * `cd`, or in a script that is given to another shell; but not where the command only writes to it. Things that are no regular file (a
 * FIFO) are listed too; folders are not, and a pattern (`hooks/*.sh`) is no name.
 */
export function scriptFiles(naming: Naming, project: string, fs: ReadOnlyFs): NamedFiles {
  const top = fs.real(project) ?? project;
  if (naming.texts.some((text) => text.length > longestText)) return { files: [], missing: [], tooMany: true };
  const found = new Map<string, NamedFile>();
  const missing = new Set<string>();
  let looks = 0;

  /** Takes a path into the account; says what is there. */
  const look = (path: string): 'file' | 'folder' | 'nothing' => {
    looks += 1;
    if (looks > mostLooks || path.includes('\0')) return 'nothing';
    const kind = fs.info(path)?.kind;
    if (kind === undefined) return 'nothing';
    const real = fs.real(path) ?? path;
    const place = insideOf(path, project) ?? insideOf(path, top);
    const realPlace = insideOf(real, top);
    const own = place ?? realPlace;
    if (own === undefined) return kind === 'folder' ? 'nothing' : 'file';
    if (kind === 'folder') return 'folder';
    if (found.has(own)) return 'file';
    const link = realPlace === own ? undefined : (realPlace ?? fs.linkTarget(path) ?? relative(top, real));
    found.set(own, { path: own, at: path, isFile: kind === 'file', ...(link === undefined ? {} : { link }) });
    return 'file';
  };

  const words = new Map<string, Word>();
  for (const text of naming.texts)
    for (const word of wordsOf(text, naming.folders)) words.set(JSON.stringify([word.folder, word.text]), word);
  const interpreted = naming.texts.some((text) =>
    /\b(?:node|bun|deno|tsx|ts-node|(?:python|ruby|perl)[\d.]*)\b/.test(text),
  );
  // `python3 -m a.b`, `-ma.b`, `-um a.b`, `perl -MA::B`; with a module its packages are loaded too.
  for (const text of naming.texts)
    for (const [, option, name] of text.matchAll(/(-\w*?[mM]\s*)["']?([\w.:]+)/g)) {
      const names = name!.split(/[.:]+/).filter(Boolean);
      for (let count = 1; count <= Math.min(names.length, mostFolders); count += 1) {
        const path = names.slice(0, count).join('/');
        const isPlain = count === names.length && /^-m\s/.test(option!);
        if (isPlain || !words.has(path)) words.set(path, { folder: undefined, text: path, isPlain });
      }
    }

  const bases = new Set([naming.cwd, project]);
  const all = [...words.values()];
  // `cd hooks && ./x.sh`: folders first, since words of the same command may be meant from there.
  for (const word of all)
    for (const base of [...bases])
      for (const path of pathsOf(word, [base]))
        if (bases.size < mostFolders && !bases.has(path) && look(path) === 'folder') bases.add(path);
  for (const word of all) {
    let isThere = false;
    for (const path of pathsOf(word, [...bases])) {
      const kinds = [look(path)];
      if (kinds[0] !== 'file' && interpreted) for (const ending of endings) kinds.push(look(path + ending));
      isThere ||= kinds.some((kind) => kind !== 'nothing');
    }
    if (!isThere && looksLikePath(word)) {
      const place = insideOf(pathsOf(word, [naming.cwd])[0] ?? '', project);
      if (place !== undefined) missing.add(place);
    }
  }
  const files = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { files, missing: [...missing].sort(), tooMany: looks > mostLooks };
}

function pathsOf({ folder, text }: Word, bases: readonly string[]): string[] {
  if (folder !== undefined) return [join(folder, text)];
  // What follows an expansion that is not known looks absolute; it is tried both ways.
  if (text.startsWith('/')) return [join(text), ...bases.map((base) => join(base, text))];
  return bases.map((base) => join(base, text));
}

const looksLikePath = ({ folder, text, isPlain }: Word): boolean =>
  isPlain &&
  /^[\w@.][\w@./ +-]*$|^\/[\w@./ +-]+$/.test(text) &&
  (folder !== undefined || !text.startsWith('/')) &&
  (/^(?:\.{1,2}\/)?[^/]+\/[^/]/.test(text) ||
    folder !== undefined ||
    /\w\.(?:sh|bash|py|rb|pl|[cm]?[jt]s)$/.test(text));

/** A path from the project's top, or undefined for what is not inside of it. */
function insideOf(path: string, project: string): string | undefined {
  const below = project.endsWith(sep) ? project : `${project}${sep}`;
  return path.startsWith(below) && path.length > below.length ? path.slice(below.length) : undefined;
}
