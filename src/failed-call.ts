import { resolve } from 'node:path';
import type { RunOptions } from './options.ts';
import type { OwnSettings } from './own-settings/keys.ts';
import type { OnFailure } from './types.ts';

/** What a run needs to be reported, whatever became of it. */
export type Reporting = Pick<RunOptions, 'onFailure' | 'output' | 'tell' | 'log'>;

/** The values that a flag has in arguments that may not even parse, in their order. */
function flagValues(argv: readonly string[], long: string, short?: string): string[] {
  return argv.flatMap((arg, index) => {
    const next = argv[index + 1];
    if (arg.startsWith(`${long}=`)) return [arg.slice(long.length + 1)];
    if (arg === long) return next === undefined ? [] : [next];
    // Short flags without a value may stand before it in the same word: -qo hook, -nohook.
    const bundle = short === undefined ? null : new RegExp(`^-[nqv]*${short}(.*)$`, 's').exec(arg);
    if (bundle === null) return [];
    return bundle[1] === '' ? (next === undefined ? [] : [next]) : [bundle[1]!];
  });
}

function colorOf(argv: readonly string[]): boolean | undefined {
  const last = argv.findLast((arg) => arg === '--color' || arg === '--no-color');
  return last === undefined ? undefined : last === '--color';
}

/**
 * How a call is reported that failed before its options were known, a mistyped flag included: as its arguments have it as far as they can
 * be understood, else as hookrun's own settings do.
 */
export function reportingOf(argv: readonly string[], own: OwnSettings, cwd: string): Reporting {
  const known = (value: string): value is OnFailure => value === 'native' || value === 'allow' || value === 'block';
  const output = flagValues(argv, '--output', 'o').findLast((value) => value === 'json' || value === 'hook');
  const file = flagValues(argv, '--log').at(-1) ?? own.log;
  return {
    onFailure: flagValues(argv, '--on-failure').findLast(known) ?? own.onFailure ?? 'native',
    output: (output ?? own.output) === 'hook' ? 'hook' : 'json',
    tell: { quiet: own.quiet === true, verbose: own.verbose === true, color: colorOf(argv) ?? own.color },
    log: file === undefined || file === '' ? undefined : { file: resolve(cwd, file), payload: false },
  };
}
