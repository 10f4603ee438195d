import { defaultReason } from './judge.ts';
import type { KimiResult } from './read-run.ts';

/** A text of hooks as Kimi Code shows it (`message`) and as it gives it to the model (`text`). */
export interface Rendered {
  readonly message: string;
  readonly text: string;
}

export interface UserPrompt {
  readonly append: Rendered | null;
  readonly block: Rendered | null;
}

const event = 'UserPromptSubmit';

const wrap = (message: string): string => `<hook_result hook_event="${event}">\n${message}\n</hook_result>`;

/**
 * What becomes of a prompt: shown as blocked, with the first block's message, else its reason; or with what the hooks with exit 0
 * said before it (Kimi protocol, What a block does). Where one blocks, nothing is appended. Pure.
 */
export function renderUserPrompt(results: readonly KimiResult[]): UserPrompt {
  const blocking = results.find((result) => result.action === 'block');
  if (blocking !== undefined) {
    const message = trimmed(blocking.message) ?? trimmed(blocking.reason) ?? defaultReason(event);
    return { append: null, block: { message, text: wrap(message) } };
  }
  const said = results.flatMap((result) => {
    const message = result.exitCode === 0 ? (trimmed(result.message) ?? trimmed(result.stdout)) : undefined;
    return message === undefined ? [] : [message];
  });
  if (said.length === 0) return { append: null, block: null };
  return { append: { message: said.join('\n\n'), text: said.map(wrap).join('\n') }, block: null };
}

function trimmed(text: string | undefined): string | undefined {
  const rest = text?.trim();
  return rest === '' ? undefined : rest;
}
