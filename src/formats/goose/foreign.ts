/** What comes from other agents' hooks and does not work in goose: tool names, keys, units, ways to answer. */

import { kindOf } from './events.ts';
import type { ObjectNode } from './json-tree.ts';
import type { Note } from './rules.ts';

/** Tools that other agents have and goose does not, with goose's own. Names that an extension of goose could well have are not in it. */
const foreignTools: ReadonlyMap<string, string> = new Map([
  // Claude Code
  ['Bash', 'shell'],
  ['Write', 'write'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Read', ''],
  ['Grep', ''],
  ['Glob', ''],
  ['Task', ''],
  ['WebFetch', ''],
  ['WebSearch', ''],
  ['TodoWrite', 'todo__todo_write'],
  // Gemini CLI
  ['run_shell_command', 'shell'],
  ['search_file_content', ''],
  ['google_web_search', ''],
  // Kimi Code
  ['Shell', 'shell'],
  ['WriteFile', 'write'],
  ['StrReplaceFile', 'edit'],
  ['ReadFile', ''],
  // goose itself, before its developer tools went without their prefix
  ['developer__shell', 'shell'],
  ['developer__text_editor', 'write or edit'],
]);

/** goose's name for a tool of another agent ('' where it has none), undefined for a name that is not known to be foreign. */
export const foreignTool = (name: string): string | undefined => foreignTools.get(name);

/** Warns of a bare star and of foreign tool names; a pattern that ignores case may mean goose's own. */
export function noteMatcher(event: string, matcher: string | undefined, key: string, at: number, note: Note): void {
  if (matcher === undefined || kindOf(event)?.target !== 'tool' || /\(\?[a-z]*i/.test(matcher)) return;
  for (const name of new Set(matcher.match(/\w+/g) ?? [])) {
    const right = foreignTools.get(name);
    if (right !== undefined) note('goose-foreign-tool', `${key}.matcher`, at, name, right);
  }
}

/** From here on seconds are hardly meant: 5000 is five seconds to Gemini CLI. */
const suspicious = 5000n;

export function noteTimeout(seconds: bigint, key: string, at: number, note: Note): void {
  if (seconds >= suspicious) note('goose-timeout-unit', key, at, String(seconds));
}

const known = { rule: ['matcher', 'hooks'], action: ['type', 'command', 'timeout', 'on_failure'] } as const;

/** Keys that are almost the right ones, by their letters alone. */
const nearly: Readonly<Record<string, string>> = {
  onfailure: 'on_failure',
  onfail: 'on_failure',
  onerror: 'on_failure',
  failure: 'on_failure',
  timeout: 'timeout',
  timeouts: 'timeout',
  timeoutsecs: 'timeout',
  timeoutseconds: 'timeout',
  timeoutsec: 'timeout',
  timeoutms: 'timeout',
  command: 'command',
  commands: 'command',
  cmd: 'command',
  type: 'type',
  matcher: 'matcher',
  matchers: 'matcher',
  match: 'matcher',
  pattern: 'matcher',
  hooks: 'hooks',
  hook: 'hooks',
  actions: 'hooks',
};

/** Warns of keys that goose ignores and that somebody meant: misspelt, or at the wrong level (goose corner 22). */
export function noteKeys(level: 'rule' | 'action', node: ObjectNode, key: string, note: Note): void {
  const own: readonly string[] = known[level];
  const other: readonly string[] = level === 'rule' ? known.action : known.rule;
  for (const { key: name, keyAt } of node.members) {
    if (own.includes(name)) continue;
    const right = nearly[name.toLowerCase().replace(/[\s_-]/g, '')];
    if (right === undefined) continue;
    const where = level === 'rule' ? 'in a rule' : 'in an action';
    const wanted = own.includes(right) ? right : `${right} ${level === 'rule' ? 'in the action' : 'in the rule'}`;
    if (own.includes(right) || other.includes(right))
      note('goose-key-unknown', `${key}.${name}`, keyAt, name, where, wanted);
  }
}

/** What in a parsed output is another agent's way to deny or to stop; undefined where nothing is. */
export function foreignAnswer(output: Readonly<Record<string, unknown>>): string | undefined {
  const { decision, permissionDecision, hookSpecificOutput: specific } = output;
  if (typeof decision === 'string' && /^(deny|denied|reject|ask|stop|Block|BLOCK|blocked)$/.test(decision))
    return `"decision": ${JSON.stringify(decision)}`;
  if (permissionDecision !== undefined) return '"permissionDecision"';
  if (typeof specific === 'object' && specific !== null && 'permissionDecision' in specific)
    return '"hookSpecificOutput.permissionDecision"';
  if (output['continue'] === false) return '"continue": false';
  return undefined;
}
