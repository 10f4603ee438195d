/** What one run says (rules 1 to 18, and hookrun's differences from them); pure. */

import { leadingObject } from '../../leading-object.ts';
import { describe } from '../../payload.ts';
import type { Problem } from '../../problems.ts';
import { readsLikeShellFailure } from '../../shell-failure.ts';
import type { Exit, Failure, HookEvent, HookRun, Ruling, Verdict } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import type { GeminiHook } from './detail.ts';
import { type EngineReading, parseOutput, textOutput } from './engine.ts';
import { holdsDecision, lintOutput, lintText } from './lint-output.ts';

type Json = Readonly<Record<string, unknown>>;

/** What is kept of a run for the merge. */
export interface GeminiReading {
  readonly engine: EngineReading;
  /** The output as hookrun counts it; undefined for none, and for that of a run that failed in a way that voids it. */
  readonly counted: Json | undefined;
  /** Its rewrite counts for the next hook and for the result (rule 25). */
  readonly clean: boolean;
}

type GeminiVerdict = Verdict<GeminiReading>;

/** @returns the verdict of a run of this hook. Never throws, whatever the bytes. */
export function judge(run: HookRun, hook: GeminiHook, event: HookEvent): GeminiVerdict {
  const stdout = run.stdout.toString('utf8');
  const stderr = run.stderr.toString('utf8');
  const parsed = parseOutput(stdout, stderr);
  const engine = engineReading(run.exit, parsed);
  const place = { path: hook.source.path, key: hook.source.key };
  const failed = failureOf(run.exit);
  const base = { reading: { engine, counted: engine.output, clean: engine.success } };
  const problems: Problem[] = [];
  const leading = parsed.kind === 'text' && wasShared(run) ? leadingDenial(parsed.text) : undefined;
  if (
    /\/dev\/(stdin|stdout|stderr|fd\/\d)/.test(hook.command + stderr) &&
    /No such device or address|ENXIO/.test(stderr)
  )
    problems.push(sayStage('socket-stdio', place, hook.name));

  if (leading !== undefined) {
    const said = statedIn(leading);
    const reading = { engine, counted: leading, clean: false };
    const differs = engine.output !== undefined && statedIn(engine.output) === said ? [] : ['gemini-lost-deny'];
    return { kind: said, ...reasonIn(leading, said), output: leading, differs, problems, reading };
  }

  if (failed !== undefined) {
    // Only what it stated in so many words counts: text was perhaps not finished (differences 11, 14).
    const said = parsed.kind === 'object' ? statedIn(parsed.value) : 'allow';
    const counted = parsed.kind === 'object' && (said === 'deny' || said === 'stop') ? parsed.value : undefined;
    const reading = { engine, counted, clean: false };
    if (counted === undefined) return { kind: 'no-decision', failure: failed, problems, reading };
    const lost = run.exit.kind === 'signalled' ? [] : ['gemini-lost-deny'];
    return { kind: said, ...reasonIn(counted, said), output: counted, differs: lost, problems, reading };
  }

  const code = (run.exit as Extract<Exit, { kind: 'exited' | 'output-limit' }>).code ?? 0;
  switch (parsed.kind) {
    case 'object': {
      problems.push(...lintOutput(parsed.value, event, place));
      return judgeObject(parsed.value, code, stderr, hook, { ...base, output: parsed.value, problems });
    }
    case 'text':
      problems.push(...lintText(parsed.text, code, stdout, hook, place));
      return judgeText(parsed.text, code, stdout, stderr, hook, { ...base, problems });
    case 'scalar':
    case 'none':
      return judgeNothing(code, stderr, hook, { ...base, problems });
  }
}

/** Whether something else may have written to the hook's output, or gone on writing when the hook was done. */
const wasShared = ({ held, early, exit }: HookRun): boolean =>
  held || early !== undefined || exit.kind === 'timed-out' || exit.kind === 'output-limit';

/**
 * The denial that a text begins with: it was stated, whatever a background process has added to it by the time the hook itself ended
 * (differences 11, 13). The early output alone does not tell: the process may have written before that.
 */
function leadingDenial(text: string): Json | undefined {
  const piece = leadingObject(text);
  if (piece === undefined) return undefined;
  try {
    const value = JSON.parse(piece) as Json;
    const said = statedIn(value);
    return said === 'deny' || said === 'stop' ? value : undefined;
  } catch {
    return undefined;
  }
}

function engineReading(exit: Exit, parsed: ReturnType<typeof parseOutput>): EngineReading {
  if (exit.kind === 'timed-out' || exit.kind === 'not-started') return { output: undefined, success: false };
  const code = 'code' in exit ? (exit.code ?? 0) : 0;
  const success = exit.kind === 'exited' && code === 0;
  if (parsed.kind === 'object') return { output: parsed.value as Record<string, unknown>, success };
  return { output: parsed.kind === 'text' ? textOutput(parsed.text, code) : undefined, success };
}

/** The ways to end that leave nothing but a stated denial to count. An output limit with an exit code is judged by it. */
function failureOf(exit: Exit): Failure | undefined {
  switch (exit.kind) {
    case 'timed-out':
      return {
        kind: 'timed-out',
        text: `timed out after ${exit.afterMs} ms${exit.by === 'deadline' ? ' (the deadline)' : ''}`,
      };
    case 'signalled':
      return { kind: 'signalled', text: `killed by ${exit.signal}` };
    case 'not-started':
      return { kind: 'not-started', text: `could not be started: ${exit.why}` };
    case 'output-limit':
      return exit.code === undefined
        ? { kind: 'output-limit', text: 'wrote more output than hookrun takes' }
        : undefined;
    case 'exited':
      return undefined;
  }
}

/** What an output object states; only exact values count (rule 30). */
function statedIn(output: Json): Ruling {
  if (Array.isArray(output)) return 'allow';
  if (output['continue'] === false) return 'stop';
  const decision = output['decision'];
  if (decision === 'deny' || decision === 'block') return 'deny';
  return decision === 'ask' ? 'ask' : 'allow';
}

/** `[object Object]`, `7`, `x,y`: as the engine's join makes a text of anything (rule 32). */
export function asText(value: unknown): string {
  try {
    return [value].join('');
  } catch {
    return describe(value);
  }
}

/** As node's setTimeout makes a number of anything; NaN where that can't be done: a `toString` that is a value, a list too deep. */
export function asNumber(value: unknown): number {
  try {
    return Number(value);
  } catch {
    return Number.NaN;
  }
}

function reasonIn(output: Json, ruling: Ruling): { reason?: string } {
  const value = ruling === 'stop' ? output['stopReason'] || output['reason'] : output['reason'];
  return value ? { reason: asText(value) } : {};
}

type Rest = Pick<GeminiVerdict, 'reading' | 'problems' | 'output'>;

function judgeObject(output: Json, code: number, stderr: string, hook: GeminiHook, rest: Rest): GeminiVerdict {
  const stated = statedIn(output);
  if (stated === 'deny' || stated === 'stop') return { kind: stated, ...reasonIn(output, stated), ...rest };
  if (code === 2) return silentDenial(hook, stderr, rest);
  if (code === 126 || code === 127) return { kind: 'no-decision', failure: exitFailure(code), ...rest };
  const decides = ['ask', 'allow', 'approve'].includes(output['decision'] as string) && !Array.isArray(output);
  // Another exit code beside an object that decides nothing: the hook has failed, though the engine lets it pass.
  if (code !== 0 && !decides) return { kind: 'no-decision', failure: exitFailure(code), ...rest };
  return { kind: stated, ...reasonIn(output, stated), ...rest };
}

const exitFailure = (code: number): Failure => ({ kind: 'exit-code', text: `exit code ${code} without a decision` });

/** Exit 2 blocks by its documentation, whatever else is or is not there (differences 3, 4). */
function silentDenial(hook: GeminiHook, stderr: string, rest: Rest): GeminiVerdict {
  const reason = stderr.trim() || `Blocked by hook ${hook.name} (exit code 2)`;
  return { kind: 'deny', reason, differs: ['gemini-exit-2'], ...rest };
}

function judgeNothing(code: number, stderr: string, hook: GeminiHook, rest: Rest): GeminiVerdict {
  if (code === 0) return { kind: 'allow', ...rest };
  if (code === 2) return silentDenial(hook, stderr, rest);
  return { kind: 'no-decision', failure: exitFailure(code), ...rest };
}

function judgeText(
  text: string,
  code: number,
  stdout: string,
  stderr: string,
  hook: GeminiHook,
  rest: Rest,
): GeminiVerdict {
  if (code === 0) {
    const broken = brokenOutput(stdout);
    return broken === undefined ? { kind: 'allow', ...rest } : { kind: 'no-decision', failure: broken, ...rest };
  }
  if (code === 1) return { kind: 'no-decision', failure: exitFailure(code), ...rest };
  if (code === 2) {
    const place = { path: hook.source.path, key: hook.source.key };
    const problems = readsLikeShellFailure(stderr)
      ? [...(rest.problems ?? []), sayStage('exit-2-by-shell', place, hook.name)]
      : rest.problems;
    return { kind: 'deny', reason: text, ...rest, ...(problems === undefined ? {} : { problems }) };
  }
  // The engine denies on any other code with text, but nobody decided that: its cause is a failure (rule 2).
  return { kind: 'deny', reason: text, failure: { kind: 'exit-code', text: `exit code ${code}: ${text}` }, ...rest };
}

/** A stdout that was meant as JSON, as far as one can tell: it begins like JSON, or holds what could be a decision. */
function brokenOutput(stdout: string): Failure | undefined {
  const text = stdout.trim();
  if (/^[[{]/.test(text)) return { kind: 'broken-output', text: 'stdout looks like JSON but is not one JSON document' };
  if (holdsDecision(text)) return { kind: 'broken-output', text: 'stdout holds more than the JSON of a decision' };
  return undefined;
}
