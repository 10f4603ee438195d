import type { ErrorKind } from './errors.ts';
import type { Ruling } from './types.ts';

export type InterruptSignal = 'SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGTERM';

/** The exit code of each ruling. 2 is the hook protocols' own word for a denial, so that hookrun can be a hook itself. */
export const rulingCodes: Readonly<Record<Ruling, number>> = { allow: 0, deny: 2, ask: 3, stop: 4 };

/**
 * Why hookrun itself gave up. 64 to 78 are those of sysexits.h where it has a fitting one, 1 is left for bugs, and the signals
 * are as a shell reports a death by them: 128 and the signal's number.
 */
export const errorCodes: Readonly<Record<ErrorKind, number>> = {
  bug: 1,
  usage: 64,
  payload: 65,
  'input-file': 66,
  config: 78,
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGTERM: 143,
};

/** The project brought hooks or switches along, and the user has not decided about them, or not about what they are now. */
export const untrustedCode = 77;
