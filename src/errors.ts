import type { InterruptSignal } from './exit-codes.ts';
import type { Problem } from './problems.ts';

/** Why hookrun itself could not do its work; each kind has its own exit code (see exit-codes.ts). */
export type ErrorKind = 'usage' | 'payload' | 'input-file' | 'config' | 'bug' | InterruptSignal;

/** The one error that hookrun throws on purpose: something a person can put right. */
export class HookrunError extends Error {
  readonly kind: ErrorKind;
  readonly problem: Problem;
  /** A line of advice for stderr: what to do, an example. */
  readonly advice: string | undefined;
  constructor(kind: ErrorKind, problem: Problem, advice?: string) {
    super(problem.message);
    this.kind = kind;
    this.problem = problem;
    this.advice = advice;
  }
}
