/** The command line of `hookrun trust` and `hookrun untrust`. */

import { type Command, Option } from 'commander';
import type { TrustAction, TrustOptions, UntrustOptions } from './options.ts';

export type TrustCall =
  | { readonly command: 'trust'; readonly options: TrustOptions }
  | { readonly command: 'untrust'; readonly options: UntrustOptions };

interface TrustFlags {
  list?: boolean;
  deny?: boolean;
  check?: boolean;
  diff?: boolean;
  fingerprint?: boolean;
  plain?: boolean;
  format: string;
  quiet?: boolean;
}

const trustHelp = `
Without a flag it shows every hook, script file and switch that the folder brings along, and trusts all of that as it is
now. When anything of it changes, runs are refused (exit 77) until it is trusted again. Only this very folder counts: not
those below it, nor those above.

Examples:
  hookrun trust --diff                                 look first: what is there, or what has changed
  hookrun trust                                        trust the current folder
  hookrun trust --deny vendor/thing                    never run what that folder brings along
  export HOOKRUN_TRUST=$(hookrun trust --fingerprint --plain)
                                                       the value that trusts just this content, for a CI variable

Exit codes: 0 done, and with --check and --diff: trusted, or nothing there to trust; 2 not trusted; 64 usage,
66 no such folder, or the record of trusted folders can't be used; 78 a config is not valid.
`;

/** Adds both commands. `called` is told which one it was; nothing is done yet. */
export function addTrustCommands(root: Command, formats: readonly string[], called: (call: TrustCall) => void): void {
  const flag = (name: string, text: string, others: readonly string[]): Option =>
    new Option(`--${name}`, text).conflicts(others.filter((other) => other !== name));
  const format = (): Option =>
    new Option('-f, --format <name>', 'for which agent').choices([...formats]).default('auto', 'all with hooks here');
  const actions = ['list', 'deny', 'check', 'diff', 'fingerprint'];
  const trust = root
    .command('trust')
    .argument('[dir]', 'the project folder (default: the current one)')
    .description("trust a folder's hooks as they are now, or say that they never run")
    .exitOverride()
    .allowExcessArguments(false)
    .addOption(flag('list', 'list all folders that were decided about', actions))
    .addOption(flag('deny', 'decide against the folder: its hooks and switches are left out', actions))
    .addOption(flag('check', 'only say whether it is trusted: exit 0, or 2', actions))
    .addOption(flag('diff', 'the same, and what has changed since', actions))
    .addOption(flag('fingerprint', 'print the fingerprint of what is there now', actions))
    .option('--plain', 'with --fingerprint: the bare value instead of JSON, to be put into HOOKRUN_TRUST')
    .addOption(format())
    .option('-q, --quiet', 'say nothing on stderr but errors')
    .addHelpText('after', trustHelp);
  trust.action((dir: string | undefined) => {
    const flags = trust.opts<TrustFlags>();
    const action = (actions.find((name) => flags[name as keyof TrustFlags] === true) ?? 'trust') as TrustAction;
    if (flags.plain === true && action !== 'fingerprint') trust.error('error: --plain goes with --fingerprint');
    if (action === 'list' && dir !== undefined) trust.error('error: --list takes no folder: it lists them all');
    const plain = flags.plain === true;
    called({
      command: 'trust',
      options: { dir, action, plain, format: flags.format, quiet: plain || flags.quiet === true },
    });
  });
  const untrust = root
    .command('untrust')
    .argument('[dir]', 'the project folder (default: the current one)')
    .description('forget what was decided about a folder')
    .exitOverride()
    .allowExcessArguments(false)
    .addOption(format())
    .option('-q, --quiet', 'say nothing on stderr but errors');
  untrust.action((dir: string | undefined) => {
    const { format: name, quiet } = untrust.opts<TrustFlags>();
    called({ command: 'untrust', options: { dir, format: name, quiet: quiet === true } });
  });
}
