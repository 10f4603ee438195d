import type { HookEvent, Merged, Outcome, Ruling } from '../../types.ts';
import { reasonOr } from './judge.ts';
import type { KimiResult } from './read-run.ts';
import { renderUserPrompt } from './user-prompt.ts';

/**
 * All results of an event as the engine puts them together: the first block in plan order gives the reason, whoever ended first
 * (Kimi protocol, Matching and What a block does). Pure.
 */
export function merge(outcomes: readonly Outcome[], event: HookEvent, ruling: Ruling): Merged {
  const results = outcomes.map((outcome) => outcome.engineReading as KimiResult);
  const first = results.find((result) => result.action === 'block');
  const block = first === undefined ? null : { block: true, reason: reasonOr(event.name, first.reason) };
  const userPrompt = event.name === 'UserPromptSubmit' ? renderUserPrompt(results) : { append: null, block: null };
  const denial = ruling === 'deny' ? outcomes.find((outcome) => outcome.counts === 'deny') : undefined;
  const reason = denial === undefined ? undefined : reasonOf(denial, event);
  return {
    reason,
    message: denial === undefined ? undefined : messageOf(denial, event, reason!),
    effects: ruling !== 'allow' || userPrompt.append === null ? {} : { appendedContext: userPrompt.append.text },
    native: { results, block, userPrompt },
    engineRuling: event.canBlock && block !== null ? 'deny' : 'allow',
    differs: [],
    problems: [],
  };
}

function reasonOf({ verdict }: Outcome, event: HookEvent): string {
  return reasonOr(event.name, verdict.reason ?? verdict.failure?.text);
}

/** What Kimi Code says with a block: to the user the hook's message where it has one, to the model always the reason. */
function messageOf({ verdict }: Outcome, event: HookEvent, reason: string): string {
  if (event.name !== 'UserPromptSubmit' || verdict.failure !== undefined) return reason;
  const { message } = verdict.reading as KimiResult;
  return message === undefined || message.trim() === '' ? reason : message.trim();
}
