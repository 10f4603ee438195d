import { HookrunError } from './errors.ts';
import type { Reporting } from './failed-call.ts';
import { finish } from './finish.ts';
import { createMask } from './mask.ts';
import type { Prepared } from './prepare.ts';
import { reportError } from './report.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/**
 * Reports what kept hookrun itself from deciding. Returns the exit code. `prepared` is what was known by then; it only goes into the log, since
 * nothing can be said for sure about an event that was not decided.
 */
export async function fail(
  error: unknown,
  options: Reporting,
  prepared: Prepared | undefined,
  world: World,
): Promise<number> {
  const known = asHookrunError(error);
  const mask = createMask([world.env], world.fs);
  return await finish(reportError(known, options.onFailure, mask), prepared, options, mask, world, known.advice);
}

/** Whatever was thrown, as an error that can be reported. */
export const asHookrunError = (error: unknown): HookrunError =>
  error instanceof HookrunError
    ? error
    : new HookrunError('bug', say('bug', {}, error instanceof Error ? error.message : String(error)));
