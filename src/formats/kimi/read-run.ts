import type { HookRun } from '../../types.ts';

/** What Kimi Code's engine makes of one run. Fields that are undefined there are absent here. */
export interface KimiResult {
  readonly action: 'allow' | 'block';
  readonly message?: string;
  readonly reason?: string;
  readonly exitCode?: number;
  readonly timedOut?: true;
  readonly structuredOutput?: true;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** The decision in a structured output. */
export interface Structured {
  readonly denies: boolean;
  readonly message: string | undefined;
  readonly reason: string | undefined;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What the engine reads in a run, and the structured output that stands in it, counted by the engine or not. */
export interface Reading {
  readonly result: KimiResult;
  readonly stdout: string;
  readonly stderr: string;
  readonly structured: Structured | undefined;
}

/**
 * Reads one run as the engine does (Kimi protocol, Reading one run); pure, never throws. Of a run that was timed out or broken off
 * only what stood there at that moment counts: the engine resolves at once.
 */
export function readRun(run: HookRun): Reading {
  const { exit } = run;
  const isCut = run.early !== undefined && (exit.kind === 'timed-out' || run.interrupted);
  const stdout = (isCut ? run.stdout.subarray(0, run.early.stdout) : run.stdout).toString('utf8');
  const stderr = (isCut ? run.stderr.subarray(0, run.early.stderr) : run.stderr).toString('utf8');
  const structured = readStructured(stdout);
  return { result: resultOf(run, stdout, stderr, structured), stdout, stderr, structured };
}

function resultOf(
  { exit, interrupted }: HookRun,
  stdout: string,
  stderr: string,
  structured: Structured | undefined,
): KimiResult {
  // The engine hands the command to node's own shell, where its name in such a message is `file`.
  if (exit.kind === 'not-started')
    return { action: 'allow', stderr: (exit.error ?? exit.why).replace("'args[1]'", "'file'") };
  if (exit.kind === 'timed-out') return { action: 'allow', timedOut: true, stdout, stderr };
  // The engine's own interruption answers at once, without an exit code.
  if (interrupted) return { action: 'allow', stdout, stderr };
  // Death by a signal has no exit code; the engine writes -1.
  const exitCode = exit.kind === 'signalled' ? -1 : (exit.code ?? -1);
  if (exitCode === 2) {
    const message = stderr.trim();
    return { action: 'block', message, reason: message, exitCode, stdout, stderr };
  }
  if (exitCode !== 0 || structured === undefined) return { action: 'allow', exitCode, stdout, stderr };
  const { denies, reason } = structured;
  const message = structured.message ?? (denies ? reason : undefined);
  return {
    action: denies ? 'block' : 'allow',
    ...(message === undefined ? {} : { message }),
    ...(denies && reason !== undefined ? { reason } : {}),
    exitCode,
    structuredOutput: true,
    stdout,
    stderr,
  };
}

/** The structured output in a stdout: the whole trimmed text as one JSON object, or nothing. */
export function readStructured(stdout: string): Structured | undefined {
  const text = stdout.trim();
  // Nothing else can become an object; a megabyte of plain text need not be parsed to know that.
  if (!text.startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isObject(value) ? structuredOf(value) : undefined;
}

/** The decision in an object. */
export function structuredOf(value: Readonly<Record<string, unknown>>): Structured {
  const specific = isObject(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const reason = specific['permissionDecisionReason'];
  return {
    denies: specific['permissionDecision'] === 'deny',
    message: asText(value['message']) ?? asText(specific['message']),
    reason: typeof reason === 'string' ? reason : undefined,
    value,
  };
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Whether a JSON value is an object: no list, not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
