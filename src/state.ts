import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { diskFs, ReadError } from './file-system.ts';
import { makeFolder, replaceFile } from './replace-file.ts';
import type { Env } from './types.ts';
import type { State, TrustFile } from './world.ts';

/** Larger than anything that hookrun keeps, in bytes. */
const stateLimit = 16 * 1024 * 1024;

/** `$XDG_STATE_HOME/hookrun`; a relative value counts as unset, as the XDG base directory specification has it. */
export function stateFolder(env: Env, home: string): string {
  const base = env['XDG_STATE_HOME'] ?? '';
  return join(base.startsWith('/') ? base : join(home, '.local', 'state'), 'hookrun');
}

/** The state on disk. A file is replaced by a rename, so that a reader and a crash find the old one or the new one, never a part. */
export function diskState(folder: string): State {
  return {
    read(name) {
      try {
        return diskFs.read(join(folder, name), stateLimit).toString('utf8');
      } catch (error) {
        if (error instanceof ReadError && error.kind === 'missing') return undefined;
        throw new Error(`${join(folder, name)}: ${(error as Error).message}`);
      }
    },
    write(name, text) {
      const path = join(folder, name);
      if (text === undefined) {
        rmSync(path, { force: true });
        return;
      }
      makeFolder(folder);
      replaceFile(path, [text]);
    },
  };
}

/** The trust file on disk. What writes it is loaded only when something is written. */
export function diskTrustFile(folder: string): TrustFile {
  const path = join(folder, 'trust.json');
  return {
    path,
    uid: process.getuid?.(),
    async replace(change) {
      const { replaceLocked } = await import('./trust-file.ts');
      await replaceLocked(path, change);
    },
  };
}
