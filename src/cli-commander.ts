/** The command line as commander reads it: help, what is wrong and what was probably meant, and all that is not plain. */

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Call, formatNames } from './cli.ts';
import { addTrustCommands } from './cli-trust.ts';
import { HookrunError } from './errors.ts';
import type { Own } from './own-settings/own.ts';
import { type Flags, FlagValueError, type Row, runRows, type StreamFlags, streamRows } from './run-flags.ts';
import { toRunOptions, toStreamOptions } from './run-options.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** Parses whatever arguments there are. Throws `HookrunError` (usage) for what is not understood, and as `toRunOptions` does. */
export function parseWithCommander(argv: readonly string[], world: World, own: Own): Call {
  let call: Call | undefined;
  let printed = '';
  const root = program(argv[0], world, own, (called) => {
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
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { command: 'print', text: printed };
    const isStray = error.code === 'commander.excessArguments';
    throw usageError(error, argv, isStray ? root.commands[0]?.args[0] : undefined);
  }
  return call ?? { command: 'print', text: printed };
}

/**
 * The commander program; actions only record what was called. A command is put together only where it is called or help is
 * asked for.
 */
function program(first: string | undefined, world: World, own: Own, called: (call: Call) => void): Command {
  const formats = formatNames(world);
  const root = new Command('hookrun')
    .description('Runs the hooks that an AI agent would run for one event, and prints one decision.')
    .helpCommand(false)
    .enablePositionalOptions()
    .showHelpAfterError(false)
    .exitOverride()
    .option('-V, --version', 'print the version');
  const commands: Readonly<Record<string, () => void>> = {
    run: () => addRun(root, formats, (flags) => called({ command: 'run', options: toRunOptions(flags, world, own) })),
    stream: () =>
      addStream(root, formats, (flags) => {
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

/** What commander has against the arguments, in one line and with what was probably meant. */
function usageError(error: CommanderError, argv: readonly string[], stray: string | undefined): HookrunError {
  const isCommand = ['stream', 'trust', 'untrust'].includes(argv[0] ?? '');
  const advice = `hookrun ${isCommand ? `${argv[0]} ` : ''}--help lists the flags`;
  if (stray !== undefined && !isCommand) return new HookrunError('usage', say('usage-stray', {}, stray), advice);
  const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return new HookrunError('usage', say('usage-invalid', {}, message), advice);
}

const examples = `
Examples:
  hookrun < payload.json                                  run the hooks of an event
  hookrun -f gemini -e BeforeTool -t write_file \\
    -i '{"file_path":"a.txt"}' --dry-run                  what would run, and why not the rest
  hookrun --trust --on-failure block < payload.json       a gate in CI: no way past a broken hook

Exit codes: 0 allow, 2 deny, 3 ask, 4 stop; 64 usage, 65 payload, 66 file, 77 not trusted, 78 config, 1 a bug.
`;

const streamHelp = `
A line that is no payload is answered by an error on its line, and the stream goes on. The exit
code is the worst of all: a failure of hookrun's own before 77, 4, 2, 3 and 0.

Example:
  hookrun stream --trust < events.jsonl > decisions.jsonl
`;

function addRows(command: Command, rows: readonly Row[]): void {
  for (const [group, flags, text, { parse, choices, conflicts } = {}] of rows) {
    const option = new Option(flags, text).helpGroup(group);
    if (parse !== undefined) option.argParser(inCommandersWords(parse) as never);
    if (choices !== undefined) option.choices([...choices]);
    if (conflicts !== undefined) option.conflicts(conflicts);
    command.addOption(option);
  }
}

const inCommandersWords =
  (parse: (value: string, before: never) => unknown) =>
  (value: string, before: never): unknown => {
    try {
      return parse(value, before);
    } catch (error) {
      throw error instanceof FlagValueError ? new InvalidArgumentError(error.message) : error;
    }
  };

/** Adds `hookrun run`, the default command. */
function addRun(root: Command, formats: readonly string[], called: (flags: Flags) => void): void {
  const run = root
    .command('run', { isDefault: true })
    .description('run the hooks of one event and print the decision as JSON (the default command)')
    .exitOverride()
    .allowExcessArguments(false);
  addRows(run, runRows(formats));
  run.addHelpText('after', examples);
  // `run` is the default command, so its flags are what most people look for.
  root.addHelpText(
    'after',
    () => `\nFlags of run, and of hookrun without a command:\n\n${run.helpInformation()}${examples}`,
  );
  run.action(() => called(run.opts<Flags>()));
}

/** Adds `hookrun stream`. */
function addStream(root: Command, formats: readonly string[], called: (flags: StreamFlags) => void): void {
  const stream = root
    .command('stream')
    .description('one payload a line in, one decision a line out')
    .exitOverride()
    .allowExcessArguments(false)
    .addHelpText('after', streamHelp);
  addRows(stream, streamRows(formats));
  stream.action(() => called(stream.opts<StreamFlags>()));
}
