/** The command line: arguments in, options out. Nothing here does anything yet. */

import type { TrustCall } from './cli-trust.ts';
import type { RunOptions, StreamOptions } from './options.ts';
import { noSettings, type Own } from './own-settings/own.ts';
import { plainFlags } from './plain-flags.ts';
import { runRows, type StreamFlags, streamRows } from './run-flags.ts';
import { toRunOptions, toStreamOptions } from './run-options.ts';
import type { World } from './world.ts';

/** What the command line asks for. */
export type Call =
  | { readonly command: 'run'; readonly options: RunOptions }
  | { readonly command: 'stream'; readonly options: StreamOptions }
  | TrustCall
  /** Help or the version: text that was asked for, printed instead of a decision. */
  | { readonly command: 'print'; readonly text: string };

/**
 * Parses the arguments after the program's name; what they leave open is as hookrun's own settings have it. Throws
 * `HookrunError`: `usage` for anything that is not understood, `input-file` for an @file that can't be read.
 */
export async function parseCall(argv: readonly string[], world: World, own: Own = noSettings): Promise<Call> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V'))
    return { command: 'print', text: `${__VERSION__} (${__BUILD__}, ${runtime()})\n` };
  if (argv.length === 1 && argv[0] === 'help') return parseCall(['--help'], world, own);
  return parsePlainly(argv, world, own) ?? (await import('./cli-commander.ts')).parseWithCommander(argv, world, own);
}

/** A run or a stream with nothing but plain flags, which is what a call out of a script is; undefined for all else. */
function parsePlainly(argv: readonly string[], world: World, own: Own): Call | undefined {
  const [first] = argv;
  const isStream = first === 'stream';
  const rows = isStream ? streamRows(formatNames(world)) : runRows(formatNames(world));
  const flags = plainFlags<StreamFlags>(isStream || first === 'run' ? argv.slice(1) : argv, rows);
  if (flags === undefined) return undefined;
  const options = toRunOptions(flags, world, own);
  return isStream ? { command: 'stream', options: toStreamOptions(options, flags) } : { command: 'run', options };
}

/** What `--format` takes. */
export const formatNames = (world: Pick<World, 'formats'>): string[] => [
  'auto',
  ...world.formats.map((entry) => entry.name),
];

/** What runs this program: node, or bun inside the standalone executable. */
const runtime = (): string => {
  const { bun, node } = process.versions;
  return bun === undefined ? `node ${node}` : `bun ${bun}`;
};
