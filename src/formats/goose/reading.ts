/** One run as goose's own engine reads it on an event that can block; pure. */

import type { Exit, HookRun } from '../../types.ts';
import { formalAnswer, type Printed } from './answer.ts';
import { trim } from './rust-text.ts';

/** What the engine makes of a run, before the hook's `on_failure` has spoken. */
export interface GooseReading {
  readonly says: 'allow' | 'deny' | 'failure';
  /** The reason of a denial, or of a failure in one of goose's fixed sentences. */
  readonly reason: string;
  /** The hook exited 0 or denied explicitly: what `policy_evaluated` counts. */
  readonly evaluated: boolean;
}

/** goose's fixed sentences: none shows the command, a path or the payload. */
export const failures = {
  notRun: 'the hook command failed to run',
  undelivered: 'the hook did not receive the request payload',
  notUtf8: 'the hook wrote invalid UTF-8 to stdout',
  undecided: 'the hook exited 0 without an allow or block decision on stdout',
  status: (code: number) => `the hook exited with status ${code} and no usable decision`,
  signal: 'the hook was terminated by a signal',
} as const;

/** What a pipe holds on Linux, in bytes: so much of a payload counts as delivered once it is written. */
export const pipeBytes = 65_536;

export const orDefault = (reason: string | undefined): string =>
  reason === undefined || reason === '' ? 'denied by plugin hook' : reason;

/**
 * Reads a run in the engine's order: exit 2, UTF-8 of stdout, a printed block, exit 0, any other status or signal; last, a payload that did
 * not arrive undoes everything but a denial (goose, "Reading one run", corner 43). Never throws.
 */
export function readAsEngine(run: HookRun, printed: Printed): GooseReading {
  const { exit } = run;
  if (exit.kind === 'not-started' || exit.kind === 'timed-out' || exit.kind === 'output-limit')
    return { says: 'failure', reason: failures.notRun, evaluated: false };
  if (isExit(exit, 2)) return { says: 'deny', reason: orDefault(trim(run.stderr.toString('utf8'))), evaluated: true };
  const evaluated = isExit(exit, 0);
  const read = readOutput(printed, exit);
  if (read.says === 'deny') return { ...read, evaluated: true };
  // What is still in the pipe was written, and the engine asks for no more than that.
  if ((run.unread ?? 0) > pipeBytes) return { says: 'failure', reason: failures.undelivered, evaluated };
  return { ...read, evaluated };
}

type Ended = Extract<Exit, { kind: 'exited' | 'signalled' }>;

function readOutput(printed: Printed, exit: Ended): Omit<GooseReading, 'evaluated'> {
  if (!printed.isUtf8) return { says: 'failure', reason: failures.notUtf8 };
  const answer = formalAnswer(printed);
  if (answer?.decision === 'block') return { says: 'deny', reason: orDefault(answer.reason) };
  if (isExit(exit, 0)) {
    if (answer?.decision === 'allow' || trim(printed.text) === '') return { says: 'allow', reason: '' };
    return { says: 'failure', reason: failures.undecided };
  }
  return { says: 'failure', reason: exit.kind === 'signalled' ? failures.signal : failures.status(exit.code) };
}

const isExit = (exit: Exit, code: number): boolean => exit.kind === 'exited' && exit.code === code;
