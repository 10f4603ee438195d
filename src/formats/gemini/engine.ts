/**
 * What Gemini CLI's own engine makes of runs, corners and faults included: only for `native`. hookrun's own reading stands in
 * judge.ts and merge.ts. The rule numbers are those of the recorded facts about Gemini CLI 0.61.
 */

import type { Mode } from '../../types.ts';
import type { Merge } from './events.ts';

type Json = Record<string, unknown>;

/** How the engine sees a run: its output object, if any, and whether it takes the run for a success. */
export interface EngineReading {
  readonly output: Json | undefined;
  readonly success: boolean;
}

/** Plain text as an output (rules 1, 2). `code` is 0 for a death by signal (rule 14). */
export function textOutput(text: string, code: number): Json {
  if (code === 0) return { decision: 'allow', systemMessage: text };
  if (code === 1) return { decision: 'allow', systemMessage: `Warning: ${text}` };
  return { decision: 'deny', reason: text };
}

/** What the engine parses: stdout, or stderr where that is blank; a JSON string is parsed once more (rules 5 to 7). */
export function parseOutput(
  stdout: string,
  stderr: string,
):
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'scalar'; readonly value: unknown }
  | { readonly kind: 'object'; readonly value: Json } {
  const text = stdout.trim() || stderr.trim();
  if (text === '') return { kind: 'none' };
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (typeof value === 'string') value = JSON.parse(value);
  } catch {
    return { kind: 'text', text };
  }
  return typeof value === 'object' && value !== null
    ? { kind: 'object', value: value as Json }
    : { kind: 'scalar', value };
}

const isBlock = (output: Json): boolean => output['decision'] === 'block' || output['decision'] === 'deny';

/**
 * The engine's `finalOutput`, or null where there is none: no output at all, or an error inside its merge, which costs every hook's
 * verdict (rule 33).
 */
export function finalOutput(readings: readonly EngineReading[], merge: Merge, event: string, mode: Mode): Json | null {
  const outputs = readings.flatMap(({ output }) => (output === undefined ? [] : [output]));
  if (outputs.length === 0) return null;
  try {
    if (mode === 'sequential') failWhereChainFails(readings, event);
    return known(mergers[merge](outputs));
  } catch (error) {
    // A RangeError: nested too deeply for a join, or too long to be spread.
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Which fields the engine keeps of a merged output (rule 32). */
function known(merged: Json): Json {
  const fields = [
    'continue',
    'stopReason',
    'suppressOutput',
    'systemMessage',
    'decision',
    'reason',
    'hookSpecificOutput',
  ];
  return Object.fromEntries(
    fields.filter((field) => merged[field] !== undefined).map((field) => [field, merged[field]]),
  );
}

/** What the next hook's input takes from an output; `in` on a text is the error that ends the engine's chain (rules 25, 33). */
const chained: Readonly<Record<string, string>> = {
  BeforeTool: 'tool_input',
  BeforeAgent: 'additionalContext',
  BeforeModel: 'llm_request',
};

function failWhereChainFails(readings: readonly EngineReading[], event: string): void {
  const field = chained[event];
  if (field === undefined) return;
  for (const { output, success } of readings) {
    const specific = output?.['hookSpecificOutput'];
    if (success && specific && typeof specific !== 'object') throw new TypeError(`'in' on ${typeof specific}`);
  }
}

const mergers: Readonly<Record<Merge, (outputs: readonly Json[]) => Json>> = {
  or: mergeOr,
  replace: mergeReplace,
  tools: mergeTools,
  // Through entries and not Object.assign, which would take a key `__proto__` for the prototype.
  simple: (outputs) => Object.fromEntries(outputs.flatMap((output) => Object.entries(output))),
};

/** The OR decision (rules 28 to 33). */
function mergeOr(outputs: readonly Json[]): Json {
  const merged: Json = { continue: true, suppressOutput: false };
  const joined: Record<'stopReason' | 'reason' | 'systemMessage', unknown[]> = {
    stopReason: [],
    reason: [],
    systemMessage: [],
  };
  const contexts: string[] = [];
  let blocked = false;
  let asked = false;
  let specific: Json | undefined;
  for (const output of outputs) {
    if (output['continue'] === false) {
      merged['continue'] = false;
      if (output['stopReason']) joined.stopReason.push(output['stopReason']);
    }
    if (isBlock(output)) {
      blocked = true;
      merged['decision'] = output['decision'];
    } else if (output['decision'] === 'ask') {
      asked = true;
      if (!blocked) merged['decision'] = 'ask';
    }
    if (output['reason']) joined.reason.push(output['reason']);
    if (output['systemMessage']) joined.systemMessage.push(output['systemMessage']);
    if (output['suppressOutput']) merged['suppressOutput'] = true;
    const own = output['hookSpecificOutput'];
    if (!own) continue;
    // A text or a number here is the TypeError of rule 33.
    if (typeof own !== 'object') throw new TypeError(`'in' on ${typeof own}`);
    const { clearContext, ...rest } = own as Json;
    specific = {
      ...specific,
      ...rest,
      ...(clearContext === true || specific?.['clearContext'] === true ? { clearContext: true } : {}),
    };
    const context = (own as Json)['additionalContext'];
    if (typeof context === 'string') contexts.push(context);
  }
  for (const [field, texts] of Object.entries(joined)) if (texts.length > 0) merged[field] = texts.join('\n');
  if (!blocked && !asked && merged['continue'] !== false) merged['decision'] = 'allow';
  if (specific !== undefined) {
    if (contexts.length > 0) specific['additionalContext'] = contexts.join('\n');
    merged['hookSpecificOutput'] = specific;
  }
  return merged;
}

/** A text longer than this is not taken apart into its letters, which would take a hundred times its memory. */
const longestSpread = 100_000;

/** Later fields replace earlier ones, `hookSpecificOutput` one level deep (rule 34). A text there is spread into its letters (33). */
function mergeReplace(outputs: readonly Json[]): Json {
  let merged: Json = {};
  for (const output of outputs) {
    const specific = output['hookSpecificOutput'];
    if (typeof specific === 'string' && specific.length > longestSpread) throw new RangeError('too long to be spread');
    merged = {
      ...merged,
      ...output,
      hookSpecificOutput: { ...(merged['hookSpecificOutput'] as Json), ...(specific as unknown as Json) },
    };
  }
  return merged;
}

/** The union of the tools (rule 35). */
function mergeTools(outputs: readonly Json[]): Json {
  const names = new Set<unknown>();
  const modes = new Set<unknown>();
  for (const output of outputs) {
    const config = (output['hookSpecificOutput'] as Json | null | undefined)?.['toolConfig'] as Json | null | undefined;
    if (!config) continue;
    modes.add(config['mode']);
    const list = config['allowedFunctionNames'];
    if (!list) continue;
    for (const name of list as Iterable<unknown>) names.add(name);
  }
  const toolConfig = modes.has('NONE')
    ? { mode: 'NONE', allowedFunctionNames: [] }
    : { mode: modes.has('ANY') ? 'ANY' : 'AUTO', allowedFunctionNames: [...names].sort() };
  return { hookSpecificOutput: { hookEventName: 'BeforeToolSelection', toolConfig } };
}
