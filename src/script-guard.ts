import { sep } from 'node:path';
import { HookrunError } from './errors.ts';
import type { ReadOnlyFs } from './file-system.ts';
import { type FilePart, type Fingerprint, filePart, namingOf, placeKey } from './fingerprint.ts';
import { sameFile } from './fingerprint-changes.ts';
import type { ProjectClaims, ProjectHook } from './formats/format.ts';
import type { Problem } from './problems.ts';
import { type NamedFile, type Naming, scriptFiles } from './script-files.ts';
import type { Guarded, HookGuard, Start } from './types.ts';
import { say } from './words.ts';

/**
 * Holds the project's hooks to what was trusted: the files that a hook names have to be those of the fingerprint when it starts, and still
 * the same when it has ended. What a script loads in turn is beyond it.
 */
export function createGuard(claims: ProjectClaims, trusted: Fingerprint, project: string, fs: ReadOnlyFs): HookGuard {
  const claimed = new Map(claims.hooks.map((hook) => [placeKey(hook), hook]));
  const known = new Map(trusted.parts.files.map((file) => [file.path, file]));
  return (hook, start) => {
    if (hook.source.scope !== 'project') return undefined;
    const key = placeKey(hook.source);
    const claim = claimed.get(key);
    const denied = (path: string, when: string): Problem =>
      say('trust-script-changed', { path: hook.source.path, key: hook.source.key }, hook.name, path, when);
    if (claim === undefined) return refused(denied(hook.source.path, 'after the folder was trusted'));
    if (!isWithin(start.cwd, project, fs))
      return refused(
        say('trust-folder-outside', { path: hook.source.path, key: hook.source.key }, hook.name, start.cwd, project),
      );
    const before = look(claim, start, project, fs);
    const expected = trusted.named.get(key)?.files ?? [];
    const strange = [...new Set([...expected, ...before.keys()])].find((path) => !isSame(before, known, path));
    if (strange !== undefined) return refused(denied(strange, 'before it could start'));
    return {
      refusal: undefined,
      changed() {
        const after = look(claim, start, project, fs);
        const path = [...new Set([...before.keys(), ...after.keys()])].find(
          // A file that was changed and put back has the same content, and another stamp.
          (one) => !isSame(before, after, one) || before.get(one)?.stamp !== after.get(one)?.stamp,
        );
        return path === undefined ? undefined : denied(path, 'while it ran');
      },
    };
  };
}

const refused = (refusal: Problem): Guarded => ({ refusal, changed: () => undefined });

/** Relative names lead elsewhere from elsewhere, to files that nobody has trusted and nobody looks at. */
function isWithin(folder: string, project: string, fs: ReadOnlyFs): boolean {
  const [real, top] = [fs.real(folder), fs.real(project) ?? project];
  return real !== undefined && (real === top || real.startsWith(top.endsWith(sep) ? top : `${top}${sep}`));
}

type Looked = FilePart & { readonly stamp: string };
type Parts = ReadonlyMap<string, Looked>;

function isSame(a: Parts, b: ReadonlyMap<string, FilePart>, path: string): boolean {
  const [one, other] = [a.get(path), b.get(path)];
  return one !== undefined && other !== undefined && sameFile(one, other);
}

/** A file that has grown too large to be looked at is not what it was. */
function partNow(file: NamedFile, fs: ReadOnlyFs): Looked {
  const stamp = fs.stamp(file.at);
  try {
    const part = filePart(file, fs);
    // What passes through a FIFO changes its stamp and says nothing about it.
    return { ...part, stamp: part.sha256 === undefined ? '' : stamp };
  } catch (error) {
    if (!(error instanceof HookrunError)) throw error;
    return { path: file.path, unreadable: 'too-large', stamp };
  }
}

/** The files as the hook will find them: by the variables and the folder that it really gets, which a payload can move, and by those of the fingerprint. */
function look(claim: ProjectHook, start: Start, project: string, fs: ReadOnlyFs): Parts {
  const named = namingOf(claim);
  const names = Object.keys(named.folders);
  const folders = Object.fromEntries(names.map((name) => [name, start.env[name] ?? named.folders[name]!]));
  const real: Naming = { texts: named.texts, folders, cwd: start.cwd };
  const files = [named, real].flatMap((one) => scriptFiles(one, project, fs).files);
  return new Map(files.map((file) => [file.path, partNow(file, fs)]));
}
