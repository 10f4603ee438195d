const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `2s`, `1.5m` in ms, else undefined. A bare number is refused: these agents count timeouts in different units. */
export function durationMs(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  return found === null ? undefined : Number(found[1]) * unitMs[found[2]!]!;
}
