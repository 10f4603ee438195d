/** What beyond the ruling comes of the hooks of one event, as hookrun counts it; pure. */

import { describe } from '../../payload.ts';
import type { Problem } from '../../problems.ts';
import type { Effects, HookEvent, Mode, Outcome } from '../../types.ts';
import type { EventKind } from './events.ts';
import { asText, type GeminiReading } from './judge.ts';
import { say } from './words.ts';

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const readingOf = (outcome: Outcome): GeminiReading => outcome.verdict.reading as GeminiReading;

/** The `hookSpecificOutput` objects of the hooks whose output counts, with the hook they are from. */
function specifics(outcomes: readonly Outcome[]): { outcome: Outcome; specific: Json }[] {
  return outcomes.flatMap((outcome) => {
    const specific = readingOf(outcome).counted?.['hookSpecificOutput'];
    return isJson(specific) ? [{ outcome, specific }] : [];
  });
}

/** Makes the effects of all outcomes, in plan order, and says which differences they rest on. */
export function effectsOf(
  outcomes: readonly Outcome[],
  event: HookEvent,
  kind: EventKind,
  mode: Mode,
): { effects: Effects; differs: string[]; problems: Problem[] } {
  const effects: Effects = {};
  const differs: string[] = [];
  const problems: Problem[] = [];
  const outputs = outcomes
    .map((outcome) => readingOf(outcome).counted)
    .filter((output): output is Json => output !== undefined && !Array.isArray(output));
  const inner = specifics(outcomes);
  if (outputs.some((output) => output['hookSpecificOutput'] && typeof output['hookSpecificOutput'] !== 'object'))
    differs.push('gemini-bad-specific');

  const messages = outputs.map((output) => output['systemMessage']).filter(Boolean);
  if (kind.merge !== 'tools' && messages.length > 0) effects.systemMessage = joinMessages(messages, kind);
  if (outputs.some((output) => output['suppressOutput'])) effects.suppressOutput = true;

  const contexts = inner.map(({ specific }) => specific['additionalContext']).filter((one) => typeof one === 'string');
  if (contexts.length > 0 && kind.merge === 'or') {
    const raw = contexts.join('\n');
    effects.additionalContext = escapeContext(raw);
    if (effects.additionalContext !== raw) differs.push('gemini-context');
  }
  if (event.name === 'BeforeTool') addToolInput(effects, inner, event, mode, differs, problems);
  if (event.name === 'AfterAgent' && inner.some(({ specific }) => specific['clearContext'] === true))
    effects.clearContext = true;
  if (event.name === 'AfterTool') last(inner, 'tailToolCallRequest', (value) => (effects.tailToolCall = value));
  if (event.name === 'BeforeModel') addRequest(effects, inner, event, mode);
  if (kind.merge === 'replace') last(inner, 'llm_response', (value) => (effects.llmResponse = value));
  if (kind.merge === 'tools' && outputs.length > 0) addTools(effects, inner, differs, problems);
  return { effects, differs, problems };
}

/** Messages of all hooks are joined; where later fields replace earlier ones only the last is left (rules 29, 34). */
function joinMessages(messages: readonly unknown[], kind: EventKind): string {
  return kind.merge === 'or' ? messages.map(asText).join('\n') : asText(messages.at(-1));
}

/** As the model gets it: the engine escapes these two on reading, so that no hook can close the surrounding tag (rule 31). */
const escapeContext = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

type Specifics = readonly { readonly outcome: Outcome; readonly specific: Json }[];

function last(inner: Specifics, field: string, take: (value: unknown) => void): void {
  const value = inner.map(({ specific }) => specific[field]).findLast(isJson);
  if (value !== undefined) take(value);
}

/** The rewrites that count: objects, from hooks that did not fail. */
function rewrites(inner: Specifics, field: string): { name: string; value: Json }[] {
  return inner.flatMap(({ outcome, specific }) => {
    const value = specific[field];
    return isJson(value) && readingOf(outcome).clean ? [{ name: outcome.hook.name, value }] : [];
  });
}

/**
 * The tool's input with the rewrites (differences 26, 27): in sequence every one, as each hook has seen it; in parallel the last
 * one over the payload's, since nobody has seen the others.
 */
function addToolInput(
  effects: Effects,
  inner: Specifics,
  event: HookEvent,
  mode: Mode,
  differs: string[],
  problems: Problem[],
): void {
  const own = event.payload['tool_input'];
  const before = isJson(own) ? own : {};
  const found = rewrites(inner, 'tool_input');
  if (inner.some(({ specific }) => specific['tool_input'] !== undefined)) differs.push('gemini-tool-input');
  if (found.length === 0) return;
  const used = mode === 'sequential' ? found : found.slice(-1);
  effects.toolInput = overlaid(before, used);
  if (mode === 'parallel')
    for (const [index, { name, value }] of found.slice(0, -1).entries())
      problems.push(
        say('gemini-tool-input-conflict', { key: found[index + 1]!.name }, name, Object.keys(value).join(', ')),
      );
}

/** The request with the rewrites: `config` and the like are replaced whole (rules 25, 34). */
function addRequest(effects: Effects, inner: Specifics, event: HookEvent, mode: Mode): void {
  const own = event.payload['llm_request'];
  const found = rewrites(inner, 'llm_request');
  if (found.length === 0) return;
  const used = mode === 'sequential' ? found : found.slice(-1);
  effects.llmRequest = overlaid(isJson(own) ? own : {}, used);
}

/** The fields of all rewrites over those that were there. Through a map, since a key may be `__proto__`. */
function overlaid(before: Json, found: readonly { readonly value: Json }[]): Json {
  const fields = new Map([before, ...found.map(({ value }) => value)].flatMap((one) => Object.entries(one)));
  return Object.fromEntries(fields);
}

/** The union of the tools, NONE before ANY before AUTO (rule 35). A list that is none is dropped (difference 35). */
function addTools(effects: Effects, inner: Specifics, differs: string[], problems: Problem[]): void {
  const names = new Set<unknown>();
  const modes = new Set<unknown>();
  for (const { outcome, specific } of inner) {
    const config = specific['toolConfig'];
    if (!isJson(config)) continue;
    modes.add(config['mode']);
    const list = config['allowedFunctionNames'];
    if (Array.isArray(list)) for (const name of list) names.add(name);
    else if (list !== undefined && list !== null) {
      problems.push(say('gemini-tool-names-not-list', placeOf(outcome), describe(list)));
      differs.push('gemini-tool-names');
    }
  }
  effects.toolConfig = modes.has('NONE')
    ? { mode: 'NONE', allowedFunctionNames: [] }
    : { mode: modes.has('ANY') ? 'ANY' : 'AUTO', allowedFunctionNames: [...names].map(asText).sort() };
}

const placeOf = ({ hook }: Outcome) => ({ path: hook.source.path, key: hook.source.key });
