/** What is worth saying about a hook's output that the engine takes without a word; pure. */

import { describe } from '../../payload.ts';
import type { Place, Problem } from '../../problems.ts';
import type { HookEvent } from '../../types.ts';
import type { GeminiHook } from './detail.ts';
import { say } from './words.ts';

type Json = Readonly<Record<string, unknown>>;

const knownDecisions = new Set<unknown>(['allow', 'approve', 'deny', 'block', 'ask']);

/** Keys by which other agents' hooks decide. */
const foreignKeys = ['permissionDecision', 'permission', 'updatedInput'];

/** Events whose `additionalContext` Gemini CLI uses. */
const contextEvents = new Set(['SessionStart', 'BeforeAgent', 'AfterTool']);

/** Hints about an output object. */
export function lintOutput(output: Json, event: HookEvent, place: Place): Problem[] {
  if (Array.isArray(output)) {
    const decisions = output.map((one: Json | null | undefined) => one?.['decision']);
    const denies = decisions.includes('deny') || decisions.includes('block');
    return denies ? [say('gemini-deny-in-array', place)] : [];
  }
  const problems: Problem[] = [];
  const decision = output['decision'];
  if (decision !== undefined && decision !== null && !knownDecisions.has(decision))
    problems.push(say('gemini-decision-unknown', place, describe(decision)));
  if (output['continue'] !== undefined && typeof output['continue'] !== 'boolean')
    problems.push(say('gemini-continue-odd', place, describe(output['continue'])));
  const specific = output['hookSpecificOutput'];
  if (specific !== undefined && specific !== null && (typeof specific !== 'object' || Array.isArray(specific)))
    problems.push(say('gemini-specific-not-object', place, describe(specific)));
  const inner = typeof specific === 'object' && specific !== null ? (specific as Json) : {};
  for (const key of foreignKeys)
    if (Object.hasOwn(output, key) || Object.hasOwn(inner, key))
      problems.push(say('gemini-foreign-dialect', place, key));
  if (typeof inner['additionalContext'] === 'string' && !contextEvents.has(event.name))
    problems.push(say('gemini-no-context', place, event.name));
  if (output['hook_event_name'] === event.name && output['session_id'] !== undefined && decision === undefined)
    problems.push(say('gemini-output-is-payload', place));
  return problems;
}

/** Hints about plain text. */
export function lintText(text: string, code: number, stdout: string, hook: GeminiHook, place: Place): Problem[] {
  if (code === 1 && /\b(block|den(y|ied)|refus|forbid|not allowed|reject)/i.test(text))
    return [say('gemini-exit-1', place)];
  if (code >= 3 && code !== 126 && code !== 127) return [say('gemini-exit-other', place, code)];
  if (code !== 0 || stdout.trim() === '') return [];
  const seen = pollution(stdout.trim());
  if (seen !== undefined)
    return [say('gemini-output-polluted', { ...place, key: `${place.key} (${hook.name})` }, seen)];
  return /^[[{]/.test(text) ? [say('gemini-output-broken-json', place)] : [];
}

/** Whether what might be a decision stands somewhere in a text. */
export function holdsDecision(text: string): boolean {
  const brace = text.indexOf('{');
  return brace >= 0 && /"(?:decision|continue)"\s*:/.test(text.slice(brace));
}

/** How far into an output is looked for a decision that cannot be seen. */
const searchLimit = 256 * 1024;

/** What keeps a decision on stdout from being seen, or undefined where there is none to see. */
function pollution(stdout: string): string | undefined {
  const lines = stdout.slice(0, searchLimit).split('\n');
  const documents = lines.filter(isDecision).length;
  if (documents === 0) return holdsDecision(stdout) ? 'there is text around it' : undefined;
  const objects = lines.filter((line) => parses(line)).length;
  return objects > 1 && objects === lines.length ? `there are ${objects} JSON documents` : 'there is text around it';
}

function parsed(line: string): unknown {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const parses = (line: string): boolean => parsed(line) !== undefined;

function isDecision(line: string): boolean {
  const value = parsed(line) as Json | undefined;
  return value !== undefined && (Object.hasOwn(value, 'decision') || value['continue'] === false);
}
