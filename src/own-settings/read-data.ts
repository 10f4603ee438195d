/** hookrun's own settings files as data, found by cosmiconfig. Loaded only where one of them is there. */

import { extname } from 'node:path';
import { whyNotJson } from '../json-errors.ts';
import type { Place } from '../problems.ts';

export interface SettingsData {
  readonly path: string;
  readonly values: unknown;
}

/** Why a file is no data, and where. */
export class DataError extends Error {
  readonly place: Place;
  constructor(why: string, place: Place) {
    super(why);
    this.place = place;
  }
}

/**
 * The first of these files of a folder that holds settings. `texts` has what was read of each, by path, within bounds: that is parsed,
 * whatever cosmiconfig finds on reading it again. Its ready-made `cosmiconfig()` must not be used: it runs `.config/config.js`
 * of the current folder whatever loaders it is given. Throws `DataError`.
 */
export async function readData(
  folder: string,
  places: readonly string[],
  texts: ReadonlyMap<string, string>,
): Promise<SettingsData | undefined> {
  const { ExplorerSync } = await import('cosmiconfig/dist/ExplorerSync.js');
  const { parse } = await import('yaml');
  const load = (path: string): unknown => {
    const text = texts.get(path) ?? '';
    if (!path.endsWith('/package.json')) return { held: parseText(text, path, parse) };
    const own = (parseText(text, path, parse) as { hookrun?: unknown } | null)?.hookrun;
    return own === undefined ? {} : { hookrun: { held: own } };
  };
  const explorer = new ExplorerSync({
    moduleName: 'hookrun',
    searchPlaces: [...places],
    searchStrategy: 'none',
    ignoreEmptySearchPlaces: true,
    // Data only. What is read is handed on inside another object, where `$import` is a key like any other: cosmiconfig would follow it
    // to any file, with loaders that it finds by itself.
    loaders: { '.json': load, '.yaml': load, noExt: load },
    transform: (result) => result,
    cache: false,
    metaConfigFilePath: null,
    mergeImportArrays: true,
    mergeSearchPlaces: false,
    applyPackagePropertyPathToConfiguration: false,
  });
  const found = explorer.search(folder);
  return found === null ? undefined : { path: found.filepath, values: (found.config as { held: unknown }).held };
}

/** JSON, or YAML, of which JSON is a part, where the name does not say which. */
function parseText(text: string, path: string, parse: typeof import('yaml').parse): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (extname(path) === '.json') {
      const { why, ...place } = whyNotJson(text, false);
      throw new DataError(`not valid JSON: ${why}`, { path, ...place });
    }
    if (!(error instanceof SyntaxError)) throw new DataError('it is nested too deeply', { path });
  }
  try {
    return parse(text, { prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    // Its message may quote the text, which may hold anything.
    const { code = 'it can not be taken apart', pos } = error as { code?: string; pos?: [number, number] };
    throw new DataError(`not valid YAML: ${code.toLowerCase().replaceAll('_', ' ')}`, {
      path,
      ...(pos === undefined ? {} : { line: text.slice(0, pos[0]).split('\n').length }),
    });
  }
}
