import type { ReadOnlyFs } from './file-system.ts';
import type { Config, Format, Setup, Where } from './formats/format.ts';

/**
 * Configurations kept from event to event, and read again when anything that they were read from has changed: by times, size and inode
 * of every file, folder and link that was looked at, those that were not there included.
 */
export interface KeptConfigs {
  load(format: Format, where: Where): Promise<Config>;
}

/** More projects than this in one stream, and the one that was used longest ago is read anew. */
const mostKept = 64;

interface Kept {
  readonly config: Config;
  readonly stamps: ReadonlyMap<string, string>;
}

export function keepConfigs(): KeptConfigs {
  const kept = new Map<string, Kept>();
  return {
    async load(format, where) {
      const key = JSON.stringify([format.name, where.project, where.explicit]);
      const known = kept.get(key);
      kept.delete(key);
      if (known !== undefined && isFresh(known, where.fs)) {
        kept.set(key, known);
        return known.config;
      }
      const stamps = new Map<string, string>();
      const config = await format.load({ ...where, fs: watched(where.fs, stamps) });
      kept.set(key, { config: withKeptSetups(config), stamps });
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
      return kept.get(key)!.config;
    },
  };
}

function isFresh({ stamps }: Kept, fs: ReadOnlyFs): boolean {
  for (const [path, stamp] of stamps) if (fs.stamp(path) !== stamp) return false;
  return true;
}

/** A file system that remembers what was looked at, as it stood right before. */
function watched(fs: ReadOnlyFs, stamps: Map<string, string>): ReadOnlyFs {
  const seen = (path: string): string => {
    if (!stamps.has(path)) stamps.set(path, fs.stamp(path));
    return path;
  };
  return {
    info: (path) => fs.info(seen(path)),
    linkInfo: (path) => fs.linkInfo(seen(path)),
    isMissing: (path) => fs.isMissing(seen(path)),
    list: (path) => fs.list(seen(path)),
    real: (path) => fs.real(seen(path)),
    read: (path, limit) => fs.read(seen(path), limit),
    linkTarget: (path) => fs.linkTarget(seen(path)),
    stamp: (path) => fs.stamp(seen(path)),
  };
}

/** Setups depend on nothing but the configuration, so each is made once. */
function withKeptSetups(config: Config): Config {
  const setups = new Map<string, Setup>();
  return {
    ...config,
    setup(event, project) {
      const key = `${event} ${project}`;
      const setup = setups.get(key) ?? config.setup(event, project);
      setups.set(key, setup);
      return setup;
    },
  };
}
