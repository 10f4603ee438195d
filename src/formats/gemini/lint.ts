/** What is worth saying about a definition or an entry that the engine takes without a word; pure. */

import { nearestEvent } from '../../nearest-event.ts';
import { describe } from '../../payload.ts';
import type { Place, Problem } from '../../problems.ts';
import { toJson } from '../../to-json.ts';
import type { GeminiHook } from './detail.ts';
import { gemini } from './entry.ts';
import { kindOf } from './events.ts';
import { asNumber } from './judge.ts';
import { say } from './words.ts';

/** Tools of other agents, and what they are called here. */
const foreignTools: Readonly<Record<string, string>> = {
  Bash: 'run_shell_command',
  Shell: 'run_shell_command',
  shell: 'run_shell_command',
  Write: 'write_file',
  WriteFile: 'write_file',
  Edit: 'replace',
  MultiEdit: 'replace',
  StrReplaceFile: 'replace',
  Read: 'read_file',
  ReadFile: 'read_file',
  Glob: 'glob',
  Grep: 'grep_search',
  WebFetch: 'web_fetch',
  FetchURL: 'web_fetch',
  TodoWrite: 'write_todos',
  TodoList: 'write_todos',
};

/** Keys inside `hooks` that are no events and have a meaning of their own, or had one (rule 44). */
const silentKeys = new Set(['enabled', 'disabled', 'notifications']);

/** Names under `hooks` that are no event of Gemini CLI (rule 46). */
export function lintEventNames(hooks: unknown, path: string, events: ReadonlySet<string>): Problem[] {
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) return [];
  return Object.keys(hooks)
    .filter((name) => !events.has(name) && !silentKeys.has(name))
    .flatMap((name) => {
      const value: unknown = (hooks as Record<string, unknown>)[name];
      const matchers = (Array.isArray(value) ? value : []).map((one) => (one as { matcher?: unknown } | null)?.matcher);
      const place = { path, key: `hooks.${name}` };
      return [
        say('gemini-unknown-event', place, name, nearestEvent(name, gemini)),
        ...matchers.flatMap((one) => lintToolNames(one, place)),
      ];
    });
}

/** Lists of events that hold no list, for events other than the one that runs. */
export function lintOtherEvents(hooks: unknown, path: string, events: ReadonlySet<string>, current: string): Problem[] {
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) return [];
  return Object.entries(hooks)
    .filter(([name, value]) => name !== current && events.has(name) && !Array.isArray(value))
    .map(([name, value]) => {
      const isObject = typeof value === 'object' && value !== null;
      return say('gemini-event-not-list', { path, key: `hooks.${name}` }, name, describe(value), isObject);
    });
}

/** In a matcher without any of these there is nothing to say. */
const odd = new RegExp(`[=&|]|${Object.keys(foreignTools).join('|')}`);

/** Whether there may be something to say about a matcher: one look that spares most of them from being taken apart. */
export function isOddMatcher(matcher: unknown, event: string): matcher is string {
  if (typeof matcher !== 'string' || (!odd.test(matcher) && kindOf(event).matching === 'regex')) return false;
  const trimmed = matcher.trim();
  return trimmed !== '' && trimmed !== '*';
}

/** A matcher that does something else than its author is likely to think. */
export function lintDefinition(matcher: string, event: string, place: Place): Problem[] {
  const { matching } = kindOf(event);
  if (matching === 'ignored') return [say('gemini-matcher-ignored', place, event)];
  if (matching === 'exact')
    return /[|*+?()[\]\\^$]/.test(matcher) ? [say('gemini-matcher-exact', place, event, matcher)] : [];
  const problems = lintToolNames(matcher, place);
  if (/[=!]=|&&/.test(matcher)) problems.push(say('gemini-matcher-expression', place, matcher));
  if (/\|\||^\||\|$/.test(matcher.trim())) problems.push(say('gemini-matcher-empty-alternative', place, matcher));
  return problems;
}

function lintToolNames(matcher: unknown, place: Place): Problem[] {
  if (typeof matcher !== 'string') return [];
  const names = matcher.match(/[A-Za-z_]+/g) ?? [];
  return [...new Set(names)]
    .filter((name) => Object.hasOwn(foreignTools, name))
    .map((name) => say('gemini-foreign-tool', place, name, foreignTools[name]!));
}

/** Shorter than this and it was surely meant in seconds, in ms. */
const suspiciousTimeoutMs = 100;

/** Whether there may be something to say about an entry. */
export const isOddEntry = ({ command, timeout }: Readonly<Record<string, unknown>>): boolean =>
  timeout !== undefined || typeof command !== 'string' || command.includes('${');

/** An entry that works otherwise than it reads. */
export function lintEntry(hook: GeminiHook, place: Place, isExtension: boolean): Problem[] {
  const { rawTimeout, notCommand } = hook.detail;
  const problems: Problem[] = [];
  if (notCommand !== undefined) problems.push(say('gemini-command-not-string', place, notCommand));
  if (rawTimeout === null) problems.push(say('gemini-timeout-null', place));
  else if (rawTimeout !== undefined) {
    const value = asNumber(rawTimeout);
    if (!(value >= 1 && value <= 2 ** 31 - 1)) problems.push(say('gemini-timeout-odd', place, toJson(rawTimeout)));
    else if (value < suspiciousTimeoutMs) problems.push(say('gemini-timeout-unit', place, value));
  }
  if (!isExtension)
    for (const name of ['extensionPath', 'workspacePath', '/', 'pathSeparator'])
      if (hook.command.includes(`\${${name}}`)) problems.push(say('gemini-extension-variable', place, `\${${name}}`));
  return problems;
}
