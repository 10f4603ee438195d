import { FlagValueError, type Row } from './run-flags.ts';

/**
 * The values of flags that are written in full and apart (`--format gemini -q`), by the names that commander gives them; undefined as soon as
 * anything else is met: another word, `--flag=value`, several flags in one word, a value that is not taken, two flags that exclude each
 * other. Commander reads those, and says what is wrong. It takes as long to load as all the rest of a run that starts nothing.
 *
 * Whatever this does not leave to commander is as commander has it.
 */
export function plainFlags<T extends object>(argv: readonly string[], rows: readonly Row[]): T | undefined {
  const values: Record<string, unknown> = {};
  const used: Row[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at]!;
    // By index: an array that is taken apart goes through an iterator, and there are many rows.
    const row = rows.find((one) => one[1].includes(word) && namesOf(one[1]).includes(word));
    if (row === undefined) return undefined;
    used.push(row);
    const [, flags, , { parse, choices } = {}] = row;
    const name = valueName(flags);
    if (!flags.includes(' <')) {
      // An optional value, and --no-…, are not plain.
      if (flags.includes('[') || flags.startsWith('--no-')) return undefined;
      values[name] = true;
      continue;
    }
    at += 1;
    const value = argv[at];
    if (value === undefined || (value.startsWith('-') && value !== '-')) return undefined;
    if (choices !== undefined && !choices.includes(value)) return undefined;
    try {
      values[name] = parse === undefined ? value : parse(value, values[name] as never);
    } catch (error) {
      if (error instanceof FlagValueError) return undefined;
      throw error;
    }
  }
  const isAtOdds = used.some(
    ([, , , { conflicts } = {}]) => conflicts !== undefined && values[conflicts] !== undefined,
  );
  return isAtOdds ? undefined : (values as T);
}

/** `-p, --payload <file|->`: -p and --payload. */
const namesOf = (flags: string): string[] =>
  flags
    .split(' ')
    .filter((word) => word.startsWith('-'))
    .map((word) => (word.endsWith(',') ? word.slice(0, -1) : word));

/** `--tool-input`: toolInput. */
function valueName(flags: string): string {
  const [first = '', ...others] = namesOf(flags).at(-1)!.slice(2).split('-');
  return first + others.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}
