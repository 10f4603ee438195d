import { setAt } from '../../json-text.ts';
import { toJson } from '../../to-json.ts';
import type { HookEvent, Outcome } from '../../types.ts';
import type { GeminiReading } from './judge.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/**
 * The event that the next hook of a chain gets (rule 25): only what a hook with exit code 0 gave counts, and a chain never ends
 * early (rule 24). The text is changed in place, so that everything else of the payload stays to the byte.
 */
export function advance(event: HookEvent, outcome: Outcome): HookEvent {
  const { counted, clean } = outcome.verdict.reading as GeminiReading;
  const specific = counted?.['hookSpecificOutput'];
  if (!clean || !isObject(specific)) return event;
  switch (event.name) {
    case 'BeforeTool':
      return withMerged(event, 'tool_input', specific['tool_input']);
    case 'BeforeModel':
      return withMerged(event, 'llm_request', specific['llm_request']);
    case 'BeforeAgent':
      return withContext(event, specific['additionalContext']);
    default:
      return event;
  }
}

/** A shallow merge: what the hook gave stands over what was there, key by key; a list counts by its indices, as the engine spreads it. */
function withMerged(event: HookEvent, field: string, given: unknown): HookEvent {
  const before = event.payload[field];
  if (!isObject(given) || !isObject(before)) return event;
  let { text } = event;
  for (const [key, value] of Object.entries(given)) text = setAt(text, [field, key], toJson(value));
  return { ...event, text, payload: { ...event.payload, [field]: { ...before, ...given } } };
}

/** The context is put behind the prompt, unescaped. */
function withContext(event: HookEvent, context: unknown): HookEvent {
  const prompt = event.payload['prompt'];
  if (typeof context !== 'string' || typeof prompt !== 'string') return event;
  const longer = `${prompt}\n\n${context}`;
  return {
    ...event,
    text: setAt(event.text, ['prompt'], JSON.stringify(longer)),
    payload: { ...event.payload, prompt: longer },
  };
}
