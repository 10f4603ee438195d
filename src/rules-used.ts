import type { Problem } from './problems.ts';
import type { Outcome, Plan } from './types.ts';
import { say } from './words.ts';

/** The rows of the table of differences that were made use of, as warnings. The table is loaded only where there are any. */
export async function rulesUsed(
  plan: Plan,
  outcomes: readonly Outcome[],
  merged: readonly string[],
): Promise<Problem[]> {
  const used = [
    ...plan.skipped.flatMap(({ hook, differs }) => (differs === undefined ? [] : [{ id: differs, hook }])),
    ...outcomes.flatMap(({ hook, verdict }) => (verdict.differs ?? []).map((id) => ({ id, hook }))),
    ...merged.map((id) => ({ id, hook: undefined })),
  ];
  if (used.length === 0) return [];
  const { difference } = await import('./differences.ts');
  return used.map(({ id, hook }) => {
    const { engine, hookrun } = difference(id);
    const place = hook === undefined ? {} : { path: hook.source.path, key: hook.source.key };
    return say('engine-differs', place, id, engine, hookrun);
  });
}
