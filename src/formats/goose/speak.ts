import type { Spoken } from '../format.ts';

/**
 * What one hook of goose would print and return to say this result: a block is exit 2 with the reason on stderr, an allow is silence, a
 * banner is JSON, and a failure is exit 1. Pure.
 */
export function speak({ event, ruling, reason, effects, failed }: Spoken): {
  stdout: string;
  stderr: string;
  code: number;
} {
  const line = reason === '' ? '' : `${reason}\n`;
  if (ruling === 'deny' || ruling === 'stop' || ruling === 'ask') return { stdout: '', stderr: line, code: 2 };
  if (failed) return { stdout: '', stderr: line, code: 1 };
  const banners = event?.name === 'SessionStart' ? (effects.banners ?? []) : [];
  const stdout = banners.length === 0 ? '' : `${JSON.stringify({ banner: banners.join('\n') })}\n`;
  return { stdout, stderr: '', code: 0 };
}
