import type { Spoken } from '../format.ts';
import { isObject } from './read-run.ts';

/**
 * The result as one hook of Kimi Code would say it: a block is exit 2 with the reason on stderr, everything else exit 0 with what
 * is to be appended to the prompt on stdout. The text goes out bare, since the agent wraps it itself; one that could be
 * taken for JSON goes into a `message`, so that it stays a text.
 */
export function speak({ ruling, reason, native }: Spoken): { stdout: string; stderr: string; code: number } {
  if (ruling === 'deny' || ruling === 'stop') return { stdout: '', stderr: `${reason}\n`, code: 2 };
  const text = appended(native);
  if (text === undefined) return { stdout: '', stderr: '', code: 0 };
  return { stdout: text.startsWith('{') ? JSON.stringify({ message: text }) : text, stderr: '', code: 0 };
}

function appended(native: unknown): string | undefined {
  const userPrompt = isObject(native) ? native['userPrompt'] : undefined;
  const append = isObject(userPrompt) ? userPrompt['append'] : undefined;
  const message = isObject(append) ? append['message'] : undefined;
  return typeof message === 'string' ? message : undefined;
}
