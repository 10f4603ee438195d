/** What a chain of hooks comes to on PreToolUse and Stop, in goose's own shape (goose, "The chain's outcome"). Pure. */

import type { Outcome } from '../../types.ts';
import type { GooseHook } from './detail.ts';
import type { GooseReading } from './reading.ts';

export interface ChainOutcome {
  readonly decision: 'allow' | 'deny';
  readonly reason?: string;
  readonly plugin?: string;
  readonly policy_evaluated: boolean;
  readonly cause?: 'policy_denial' | 'hook_failure';
}

/** One hook that ran: what was read, and whether a failure of it denies. */
export interface Link {
  readonly plugin: string;
  readonly reading: GooseReading;
  readonly blocksOnFailure: boolean;
}

/** The first denial ends the chain; a failure denies only where its hook says so. */
export function chainOf(links: readonly Link[]): ChainOutcome {
  let evaluated = false;
  let failed = false;
  for (const { plugin, reading, blocksOnFailure } of links) {
    evaluated ||= reading.evaluated;
    const { reason } = reading;
    if (reading.says === 'deny')
      return { decision: 'deny', reason, plugin, policy_evaluated: true, cause: 'policy_denial' };
    if (reading.says !== 'failure') continue;
    failed = true;
    if (blocksOnFailure)
      return { decision: 'deny', reason, plugin, policy_evaluated: evaluated, cause: 'hook_failure' };
  }
  return { decision: 'allow', policy_evaluated: evaluated, ...(failed ? { cause: 'hook_failure' as const } : {}) };
}

/** The chain as the engine itself would have seen these runs. */
export function engineChain(outcomes: readonly Outcome[]): ChainOutcome {
  return chainOf(
    outcomes.map(({ hook, verdict, engineReading }) => ({
      plugin: (hook as GooseHook).detail.plugin,
      reading: engineReading as GooseReading,
      blocksOnFailure: verdict.onFailure === 'block',
    })),
  );
}

/** The chain as hookrun counts these runs: what is really applied to the tool call. */
export function countedChain(outcomes: readonly Outcome[]): ChainOutcome {
  return chainOf(
    outcomes.map(({ hook, verdict, counts }): Link => {
      const { evaluated } = verdict.reading as GooseReading;
      const plugin = (hook as GooseHook).detail.plugin;
      if (verdict.failure === undefined) {
        const says = counts === 'allow' ? 'allow' : 'deny';
        return { plugin, reading: { says, reason: verdict.reason ?? '', evaluated }, blocksOnFailure: false };
      }
      const reading = { says: 'failure', reason: verdict.failure.text, evaluated } as const;
      return { plugin, reading, blocksOnFailure: counts !== 'allow' };
    }),
  );
}

/** What goose tells the model about a tool call that was denied. */
export function modelMessage({ decision, reason, plugin, cause }: ChainOutcome): string | undefined {
  if (decision === 'allow') return undefined;
  return cause === 'policy_denial'
    ? `Tool call denied by policy hook \`${plugin}\`: ${reason}. Do not retry; this is a policy denial, not a transient failure.`
    : `Tool call blocked because policy hook \`${plugin}\` could not complete: ${reason}. That hook is configured to block on failure.`;
}
