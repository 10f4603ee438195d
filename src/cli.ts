/** The command line: flags in, options out. Nothing here does anything yet. */

import { Command, CommanderError } from 'commander';
import { addRun, addStream, toRunOptions, toStreamOptions, type Wanted, wantedIn } from './cli-run.ts';
import { addTrustCommands, type TrustCall } from './cli-trust.ts';
import { HookrunError } from './errors.ts';
import type { RunOptions, StreamOptions } from './options.ts';
import { noSettings, type Own } from './own-settings/own.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** What the command line asks for. */
export type Call =
  | { readonly command: 'run'; readonly options: RunOptions }
  | { readonly command: 'stream'; readonly options: StreamOptions }
  | TrustCall
  /** Help or the version: text that was asked for, printed instead of a decision. */
  | { readonly command: 'print'; readonly text: string };

/**
 * The commander program; actions only record what was called. A command is put together only where it is called or help is asked for: the
 * flags of all of them take longer to make than to parse.
 */
function program(
  first: string | undefined,
  wanted: Wanted,
  world: World,
  own: Own,
  called: (call: Call) => void,
): Command {
  const formats = ['auto', ...world.formats.map((entry) => entry.name)];
  const root = new Command('hookrun')
    .description('Runs the hooks that an AI agent would run for one event, and prints one decision.')
    .helpCommand(false)
    .enablePositionalOptions()
    .showHelpAfterError(false)
    .exitOverride()
    .option('-V, --version', 'print the version');
  const commands: Readonly<Record<string, () => void>> = {
    run: () =>
      addRun(root, formats, wanted, (flags) => called({ command: 'run', options: toRunOptions(flags, world, own) })),
    stream: () =>
      addStream(root, formats, wanted, (flags) => {
        const options = toStreamOptions(toRunOptions(flags, world, own), flags);
        called({ command: 'stream', options });
      }),
    trust: () => addTrustCommands(root, formats, called),
  };
  const isHelp = first === '-h' || first === '--help';
  const command = first === 'untrust' ? 'trust' : first !== undefined && Object.hasOwn(commands, first) ? first : 'run';
  for (const [name, add] of Object.entries(commands)) if (isHelp || name === command) add();
  return root;
}

/**
 * Parses the arguments after the program's name; what they leave open is as hookrun's own settings have it. Throws
 * `HookrunError`: `usage` for anything that is not understood, `input-file` for an @file that can't be read.
 */
export function parseCall(argv: readonly string[], world: World, own: Own = noSettings): Call {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V'))
    return { command: 'print', text: `${__VERSION__} (${__BUILD__}, ${runtime()})\n` };
  try {
    return parseWith(wantedIn(argv), argv, world, own);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  // Help and suggestions need all flags.
  return parseWith(() => true, argv, world, own);
}

/** What commander has against the arguments, in one line and with what was probably meant. */
function usageError(error: CommanderError, argv: readonly string[], stray: string | undefined): HookrunError {
  const isCommand = ['stream', 'trust', 'untrust'].includes(argv[0] ?? '');
  const advice = `hookrun ${isCommand ? `${argv[0]} ` : ''}--help lists the flags`;
  if (stray !== undefined && !isCommand) return new HookrunError('usage', say('usage-stray', {}, stray), advice);
  const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return new HookrunError('usage', say('usage-invalid', {}, message), advice);
}

/** Throws `HookrunError` (usage) for what is not understood; `CommanderError` where that may be for want of flags. */
function parseWith(wanted: Wanted, argv: readonly string[], world: World, own: Own): Call {
  let call: Call | undefined;
  let printed = '';
  const root = program(argv[0], wanted, world, own, (called) => {
    call = called;
  });
  for (const command of [root, ...root.commands])
    command.configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      writeErr: () => {},
    });
  try {
    root.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || !wanted('')) throw error;
    if (error.exitCode === 0) return { command: 'print', text: printed };
    const isStray = error.code === 'commander.excessArguments';
    throw usageError(error, argv, isStray ? root.commands[0]?.args[0] : undefined);
  }
  return call ?? { command: 'print', text: printed };
}

/** What runs this program: node, or bun inside the standalone executable. */
const runtime = (): string => {
  const { bun, node } = process.versions;
  return bun === undefined ? `node ${node}` : `bun ${bun}`;
};
