import type { Aggregate } from './aggregate.ts';
import type { Format } from './formats/format.ts';
import type { HookEvent } from './types.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** What becomes of one more answer to an event that may be denied only so often in a row. */
export interface Counted {
  /** Denials in a row, to be kept for the session; 0 needs no keeping. */
  readonly count: number;
  /** The limit was reached before: the event goes through although a hook denies. */
  readonly overridden: boolean;
}

/** @param before denials in a row so far. An allow starts the count anew, and so does an override. Pure. */
export function countDenial(before: number, denied: boolean, cap: number): Counted {
  if (!denied) return { count: 0, overridden: false };
  return before >= cap ? { count: 0, overridden: true } : { count: before + 1, overridden: false };
}

/**
 * With `--stop-cap`: counts denials in a row in hookrun's state folder, and lets the event through when the agent would. A state that
 * can't be kept is a warning, never a changed decision.
 *
 * @param wanted undefined: not asked for; `usual`: the agent's own number.
 */
export function applyDenialCap(
  result: Aggregate,
  event: HookEvent,
  format: Format,
  wanted: number | 'usual' | undefined,
  world: World,
): Aggregate {
  if (wanted === undefined) return result;
  const limit = format.denialCap?.(event, wanted === 'usual' ? undefined : wanted, world.env);
  if (limit === undefined) return result;
  try {
    const before = Number(world.state.read(limit.file) ?? 0);
    const { count, overridden } = countDenial(
      Number.isSafeInteger(before) ? before : 0,
      result.ruling !== 'allow',
      limit.cap,
    );
    world.state.write(limit.file, count === 0 ? undefined : `${count}\n`);
    if (!overridden) return result;
    const problem = say('denial-cap', {}, event.name, limit.cap, result.reason ?? '');
    return {
      ...result,
      ruling: 'allow',
      cause: undefined,
      reason: undefined,
      decidedBy: [],
      problems: [...result.problems, problem],
    };
  } catch (error) {
    return { ...result, problems: [...result.problems, say('state-unusable', {}, (error as Error).message)] };
  }
}
