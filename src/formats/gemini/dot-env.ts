import { tryConfigText } from '../../config-file.ts';
import type { ReadOnlyFs } from '../../file-system.ts';

/**
 * The assignments of a `.env` file: `NAME=value`, an optional `export`, single or double quotes around the value (with `\n`
 * in double ones), ` #` begins a comment outside quotes. Nothing is expanded. Empty where there is no file.
 */
export function readDotEnv(fs: ReadOnlyFs, path: string): Map<string, string> {
  const file = tryConfigText(fs, path);
  return 'text' in file ? parseDotEnv(file.text) : new Map();
}

/** See `readDotEnv`. */
export function parseDotEnv(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const found = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$/.exec(line);
    if (found !== null) values.set(found[1]!, unquote(found[2]!));
  }
  return values;
}

function unquote(raw: string): string {
  const quote = raw[0];
  if (quote === '"' || quote === "'" || quote === '`') {
    const end = raw.indexOf(quote, 1);
    if (end > 0) {
      const inner = raw.slice(1, end);
      return quote === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner;
    }
  }
  const comment = raw.indexOf(' #');
  return (comment < 0 ? raw : raw.slice(0, comment)).trim();
}
