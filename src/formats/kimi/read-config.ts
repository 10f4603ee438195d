import { parse, TomlError } from 'smol-toml';
import { HookrunError } from '../../errors.ts';
import type { Problem } from '../../problems.ts';
import { checkEntry, nameOf } from './check-entry.ts';
import type { HookList } from './hook-list.ts';
import { type HookLines, hookLines } from './toml-lines.ts';
import { say } from './words.ts';

/** A list of hooks, and what a person should know about it. */
export interface ReadList {
  readonly list: HookList | undefined;
  readonly problems: readonly Problem[];
}

/**
 * The hooks of a config.toml; pure. Only `hooks` is looked at: another section that is broken does no harm (Kimi protocol,
 * Config). Throws `HookrunError` (config) with line and column where the text is no TOML, as the whole file is void then.
 */
export function readConfig(text: string, path: string, scope: string): ReadList {
  const hooks = parseToml(text.startsWith('\uFEFF') ? text.slice(1) : text, path)['hooks'];
  if (hooks === undefined) return { list: undefined, problems: [] };
  let lines: HookLines | undefined;
  const line = (index: number): number | undefined => {
    lines ??= hookLines(text);
    return lines.headers[index] ?? lines.other;
  };
  const base = { label: 'config', scope, path, line, detail: {}, strict: true };
  if (!Array.isArray(hooks)) {
    const problem = say('kimi-hooks-not-list', { path, key: 'hooks', line: line(-1) }, nameOf(hooks));
    return { list: { ...base, entries: [], off: { why: 'invalid', detail: problem.message } }, problems: [problem] };
  }
  const entries = hooks.map(checkEntry);
  const problems = entries.flatMap((checked, index) =>
    checked.kind === 'good'
      ? []
      : checked.faults.map(({ key, why }) => {
          const place = key === undefined ? `hooks[${index}]` : `hooks[${index}].${key}`;
          return say('kimi-entry-invalid', { path, key: place, line: line(index) }, key, why);
        }),
  );
  return { list: { ...base, entries }, problems };
}

function parseToml(text: string, path: string): Record<string, unknown> {
  try {
    // Without asNeeded a large integer anywhere, in a section that is none of our business, would void the whole file.
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    // The message goes on with an excerpt, which may hold a secret.
    const why = error.message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '');
    throw new HookrunError('config', say('kimi-toml-syntax', { path, line, column }, why));
  }
}
