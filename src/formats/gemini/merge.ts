import { failureReason } from '../../policy.ts';
import type { HookEvent, Merged, Mode, Outcome, Ruling } from '../../types.ts';
import { effectsOf } from './effects.ts';
import { type EngineReading, finalOutput } from './engine.ts';
import { kindOf } from './events.ts';
import { asText, type GeminiReading } from './judge.ts';

type Json = Readonly<Record<string, unknown>>;

/** All outcomes of one event together: reason, message, effects, and what the engine itself makes of the runs. Pure. */
export function merge(outcomes: readonly Outcome[], event: HookEvent, ruling: Ruling, mode: Mode): Merged {
  const kind = kindOf(event.name);
  const readings = outcomes.map(({ engineReading }) => (engineReading as GeminiReading).engine);
  const native = finalOutput(readings, kind.merge, event.name, mode);
  const { effects, differs, problems } = effectsOf(outcomes, event, kind, mode);
  const engineRuling = kind.canBlock ? rulingOf(native) : 'allow';
  const reason = reasonOf(outcomes, ruling);
  return {
    reason,
    message: messageOf(event.name, ruling, reason),
    effects,
    native,
    engineRuling,
    differs: [
      ...new Set([
        ...differs,
        ...whyEngineDiffers(outcomes, readings, engineRuling, ruling, kind.merge, native !== null),
      ]),
    ],
    problems,
  };
}

function rulingOf(native: Json | null): Ruling {
  if (native === null) return 'allow';
  if (native['continue'] === false) return 'stop';
  const decision = native['decision'];
  return decision === 'deny' || decision === 'block' ? 'deny' : decision === 'ask' ? 'ask' : 'allow';
}

/**
 * The reasons of all hooks joined, those of allowing ones too, in plan order (rule 29); for a stop the stop reasons. A hook that
 * denies without a word speaks through its verdict, and one that failed through what became of it.
 */
function reasonOf(outcomes: readonly Outcome[], ruling: Ruling): string | undefined {
  if (ruling === 'allow') return undefined;
  const reasons = outcomes.flatMap((outcome) => {
    const { verdict, counts } = outcome;
    if (ruling === 'stop') return counts === 'stop' ? [verdict.reason ?? ''] : [];
    const spoken = (verdict.reading as GeminiReading).counted?.['reason'];
    const own = verdict.reason ?? (spoken ? asText(spoken) : undefined);
    const hasFailed = own === undefined && verdict.failure !== undefined && counts === ruling;
    return [hasFailed ? failureReason(outcome) : (own ?? '')];
  });
  const joined = reasons.filter((reason) => reason !== '').join('\n');
  // What Gemini CLI says where a hook gives none.
  return joined === '' ? 'No reason provided' : joined;
}

/** What Gemini CLI tells its model or user (rules 59 to 62). */
function messageOf(event: string, ruling: Ruling, reason: string | undefined): string | undefined {
  if (ruling === 'stop') return `Agent execution stopped by hook: ${reason}`;
  if (ruling !== 'deny') return undefined;
  switch (event) {
    case 'BeforeTool':
      return `Tool execution blocked: ${reason}`;
    case 'BeforeAgent':
    case 'BeforeModel':
    case 'AfterModel':
      return `Agent execution blocked: ${reason}`;
    default:
      return reason;
  }
}

/** The rows of the table of differences behind a ruling that is not the engine's, beyond those that a verdict names itself. */
function whyEngineDiffers(
  outcomes: readonly Outcome[],
  readings: readonly EngineReading[],
  engineRuling: Ruling,
  ruling: Ruling,
  merging: string,
  hasOutput: boolean,
): string[] {
  const rows: string[] = [];
  if (outcomes.some(({ early }) => early)) rows.push('gemini-lost-deny');
  if (outcomes.some(({ run, verdict }) => run.exit.kind === 'signalled' && verdict.kind === 'no-decision'))
    if (readings.some(({ output }, index) => output !== undefined && outcomes[index]!.run.exit.kind === 'signalled'))
      rows.push('gemini-signal');
  if (
    merging === 'replace' &&
    hasOutput &&
    engineRuling !== ruling &&
    outcomes.some(({ verdict }) => verdict.kind === 'deny' || verdict.kind === 'stop')
  )
    rows.push('gemini-later-allow');
  return rows;
}
