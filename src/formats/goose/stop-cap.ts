/** goose's own limit on denials of Stop in a row, which `--stop-cap` counts (goose, "What follows from a tool call"). Pure. */

import { builtin } from '../../builtin.ts';
import type { Env, HookEvent } from '../../types.ts';
import type { DenialCap } from '../format.ts';

/** How often in a row a Stop may be denied when nothing else is said. */
const usualCap = 8;

/** The limit: what the flag says, else GOOSE_STOP_HOOK_BLOCK_CAP where it is a whole number, else 8. Other events have none. */
export function denialCap(event: HookEvent, wanted: number | undefined, env: Env): DenialCap | undefined {
  return event.name === 'Stop' ? { cap: wanted ?? capIn(env), file: stopCountFile(event.sessionId) } : undefined;
}

function capIn(env: Env): number {
  const text = env['GOOSE_STOP_HOOK_BLOCK_CAP'] ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : usualCap;
}

/** The name of the file that keeps a session's count: an id may hold anything, so its hash stands for it. */
export function stopCountFile(sessionId: string): string {
  return `goose-stop-${builtin.crypto().createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}`;
}
