import type { Problem } from '../../problems.ts';
import type { Exit, Hook } from '../../types.ts';
import { brokenOutput } from './broken-output.ts';
import { blockIn, foreignBlockIn, foreignKeysIn } from './foreign.ts';
import { type Reading, readStructured } from './read-run.ts';
import { say } from './words.ts';

/**
 * Warnings about an output that does not do what it was probably meant to do: another agent's dialect, a deny that the engine
 * ignores or can't see (Kimi protocol, Reading one run). Pure.
 */
export function dialectProblems(reading: Reading, exit: Exit, hook: Hook): Problem[] {
  if (exit.kind !== 'exited' || exit.code === 2) return [];
  const place = { path: hook.source.path, key: hook.source.key };
  const value = reading.structured?.value;
  if (exit.code !== 0) {
    const isDenied = value !== undefined && blockIn(value) !== undefined;
    return isDenied ? [say('kimi-deny-ignored', place, exit.code)] : [];
  }
  if (value === undefined) {
    const broken = brokenOutput(reading.stdout);
    if (broken?.lost !== undefined) return [say('kimi-deny-lost', place, broken.lost)];
    if (broken?.why !== undefined) return [say('kimi-output-broken-json', place, broken.why)];
  } else if (reading.structured?.denies !== true) {
    const block = foreignBlockIn(value);
    if (block !== undefined) return [say('kimi-foreign-block', place, block)];
    const keys = foreignKeysIn(value);
    if (keys.length > 0) return [say('kimi-foreign-output', place, keys.join(', '))];
  }
  const onStderr = reading.structured?.denies === true ? undefined : readStructured(reading.stderr);
  return onStderr?.denies === true ? [say('kimi-deny-on-stderr', place)] : [];
}
