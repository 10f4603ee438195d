import type { Problem } from './problems.ts';
import { outputLimit } from './run.ts';
import type { Outcome } from './types.ts';
import { say } from './words.ts';

/** What is worth a warning about how hooks ran, whatever agent they are for; pure. */
export function noteworthy(outcomes: readonly Outcome[]): Problem[] {
  return outcomes.flatMap(({ hook, start, run, verdict, early }): Problem[] => {
    const place = { path: hook.source.path, key: hook.source.key };
    const problems: Problem[] = [...start.problems, ...(verdict.problems ?? [])];
    const { exit } = run;
    if (exit.kind === 'timed-out')
      problems.push(
        exit.by === 'deadline'
          ? say('deadline-passed', place, hook.name)
          : say('timeout-killed', place, hook.name, exit.afterMs),
      );
    if (exit.kind === 'output-limit') problems.push(say('output-limit', place, hook.name, outputLimit / 1024 / 1024));
    if (run.held) problems.push(say('engine-unknown', place, hook.name));
    if (early) problems.push(say('output-late', place, hook.name));
    if (exit.kind === 'exited' && exit.code === 126) problems.push(say('not-executable', place, hook.name));
    // Only where a variable may have been missed: not where the time, a signal or the command itself is to blame.
    const mayMissOne = verdict.failure?.kind === 'exit-code' && exit.kind === 'exited' && exit.code < 126;
    if (mayMissOne && start.removedEnv.length > 0)
      problems.push(say('env-stripped', place, hook.name, start.removedEnv.join(', ')));
    return problems;
  });
}
