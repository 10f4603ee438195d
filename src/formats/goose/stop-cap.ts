/** goose's own limit on denials of Stop in a row, which `--stop-cap` counts (goose, "What follows from a tool call"). Pure. */

import { createHash } from 'node:crypto';
import type { Env } from '../../types.ts';

/** How often in a row a Stop may be denied when nothing else is said. */
const usualCap = 8;

/** The limit: what the flag says, else GOOSE_STOP_HOOK_BLOCK_CAP where it is a whole number, else 8. */
export function stopCap(flag: number | undefined, env: Env): number {
  if (flag !== undefined) return flag;
  const text = env['GOOSE_STOP_HOOK_BLOCK_CAP'] ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : usualCap;
}

/** What becomes of one more answer to Stop. */
export interface Counted {
  /** Denials in a row, to be kept for the session; 0 needs no keeping. */
  readonly count: number;
  /** The limit was reached before: the turn ends although a hook denies. */
  readonly overridden: boolean;
}

/** @param before denials in a row so far. An allow starts the count anew, and so does an override, which ends the turn. */
export function countStop(before: number, denied: boolean, cap: number): Counted {
  if (!denied) return { count: 0, overridden: false };
  return before >= cap ? { count: 0, overridden: true } : { count: before + 1, overridden: false };
}

/** The name of the file that keeps a session's count: an id may hold anything, so its hash stands for it. */
export const stopCountFile = (sessionId: string): string =>
  `goose-stop-${createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}`;
