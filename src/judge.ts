import type { Format } from './formats/format.ts';
import type { Hook, HookEvent, HookRun, Verdict } from './types.ts';

const strictness = { 'no-decision': 0, allow: 0, ask: 1, deny: 2, stop: 3 } as const;

/** A verdict, and what the agent's engine reads in the same run where that is something else. */
export interface Judged {
  readonly verdict: Verdict;
  readonly engineReading: unknown;
  /** The verdict is that of the output as it stood before others added to it. */
  readonly early: boolean;
}

/**
 * What one run says, by its format's rules; pure. Where something was written after the hook itself had ended, or after its
 * time was up, both readings count and the stricter one stands: a denial that a hook managed to state is not undone by what
 * a background process adds to it. The engine waits for the whole output, so its reading is that of the whole.
 */
export function judge(run: HookRun, hook: Hook, event: HookEvent, format: Format): Judged {
  const whole = format.judge(run, hook, event);
  if (run.early === undefined) return { verdict: whole, engineReading: whole.reading, early: false };
  const stdout = run.stdout.subarray(0, run.early.stdout);
  const stderr = run.stderr.subarray(0, run.early.stderr);
  const early = format.judge({ ...run, stdout, stderr, early: undefined }, hook, event);
  const stricter = strictness[early.kind] > strictness[whole.kind];
  return { verdict: stricter ? early : whole, engineReading: whole.reading, early: stricter };
}
