import type { Format, Setup } from './formats/format.ts';
import { fitsGlob } from './glob.ts';
import type { Problem } from './problems.ts';
import type { RegexBudget } from './regex.ts';
import { toJson } from './to-json.ts';
import type { Hook, HookEvent, Mode, Plan, Skipped } from './types.ts';

/** Which hooks the user wants, beyond what the configuration says. */
export interface Selection {
  /** Globs of hook names; empty: all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Config scopes; empty: all. */
  readonly scopes: readonly string[];
  /** `HOOKRUN=0`. */
  readonly allOff: boolean;
  /** `HOOKRUN_SKIP`. */
  readonly off: readonly string[];
  /** `--parallel`, `--sequential`. */
  readonly mode: Mode | undefined;
}

/**
 * What will run, in which order and mode, and why each other hook of the event will not. Pure. The order of the checks is that
 * of the engines: what is configured off, then the matcher, then duplicates; the user's own wishes come in between.
 */
export function makePlan(setup: Setup, event: HookEvent, format: Format, wish: Selection, regexes: RegexBudget): Plan {
  const steps: Hook[] = [];
  const skipped: Skipped[] = [];
  const unmatched: Hook[] = [];
  const problems: Problem[] = [...setup.problems];
  const seen = new Map<string, Hook>();
  for (const hook of setup.hooks) {
    if (hook.off !== undefined) {
      skipped.push({ hook, ...hook.off });
      continue;
    }
    const unwanted = whyUnwanted(hook, wish);
    const answer = format.matches(hook, event, regexes);
    if (answer.problems !== undefined) problems.push(...answer.problems);
    if (answer.kind === 'no match') {
      unmatched.push(hook);
    } else if (unwanted !== undefined) {
      skipped.push({ hook, ...unwanted });
    } else if (answer.kind === 'off') {
      skipped.push({ hook, ...answer.off });
    } else {
      const key = format.duplicateKey(hook);
      const first = key === undefined ? undefined : seen.get(key);
      if (first !== undefined) {
        skipped.push({ hook, why: 'duplicate', detail: `the same as ${first.source.key} in ${first.source.path}` });
        continue;
      }
      if (key !== undefined) seen.set(key, hook);
      steps.push(hook);
    }
  }
  const mode = wish.mode ?? format.schedule(steps, event);
  return { steps, mode, skipped, unmatched, all: setup.hooks, problems };
}

/** Where a hook stands: the same hook, whenever its configuration is read. */
export const placeOf = ({ source }: Hook): string => JSON.stringify([source.path, source.key]);

function whyUnwanted(hook: Hook, wish: Selection): Pick<Skipped, 'why' | 'detail'> | undefined {
  if (wish.allOff) return { why: 'switched-off', detail: 'HOOKRUN=0' };
  if (wish.off.length + wish.scopes.length + wish.only.length + wish.skip.length === 0) return undefined;
  const off = wish.off.find((glob) => fitsGlob(glob, hook.name));
  if (off !== undefined) return { why: 'switched-off', detail: `HOOKRUN_SKIP=${off}` };
  if (wish.scopes.length > 0 && !wish.scopes.includes(hook.source.scope))
    return { why: 'not-selected', detail: `--scope ${wish.scopes.join(',')} leaves out ${hook.source.scope}` };
  if (wish.only.length > 0 && !wish.only.some((glob) => fitsGlob(glob, hook.name)))
    return { why: 'not-selected', detail: `--only ${wish.only.join(' --only ')}` };
  const skip = wish.skip.find((glob) => fitsGlob(glob, hook.name));
  return skip === undefined ? undefined : { why: 'not-selected', detail: `--skip ${skip}` };
}

/** Why a hook whose matcher did not match is not run. */
export function whyUnmatched(hook: Hook, event: HookEvent): string {
  const target =
    event.target === null || event.target === '' ? 'this event' : JSON.stringify(event.target.slice(0, 100));
  return `matcher ${JSON.stringify(hook.matcher ?? '')} does not match ${target}`;
}

/**
 * Whether two plans would do the same: the same hooks from the same places with the same settings, in the same order and mode.
 * This is what decides if an untrusted project changes anything.
 */
export function planDifferences(withProject: Plan, without: Plan): Hook[] {
  const key = (hook: Hook): string =>
    toJson([hook.source.path, hook.source.key, hook.name, hook.command, hook.matcher, hook.timeoutMs, hook.detail]);
  const before = new Set(without.steps.map(key));
  const after = new Set(withProject.steps.map(key));
  const changed = [
    ...withProject.steps.filter((hook) => !before.has(key(hook))),
    ...without.steps.filter((hook) => !after.has(key(hook))),
  ];
  if (changed.length === 0 && withProject.mode !== without.mode) return [...withProject.steps];
  return changed;
}
