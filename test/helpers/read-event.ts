import type { Format } from '../../src/formats/format.ts';
import { misfitError } from '../../src/misfit.ts';
import { Misfit } from '../../src/shape.ts';
import type { HookEvent } from '../../src/types.ts';

/** The event of a payload; throws what a run reports. */
export function readEvent({ readEvent: read }: Pick<Format, 'readEvent'>, payload: object, text: string): HookEvent {
  try {
    return read(payload as Readonly<Record<string, unknown>>, text);
  } catch (error) {
    throw error instanceof Misfit ? misfitError(error) : error;
  }
}
