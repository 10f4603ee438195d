/** Gemini CLI's payloads: which fields there are, what fills in for missing ones, and what is checked at the door. */

import * as z from 'zod/mini';
import { HookrunError } from '../../errors.ts';
import { describe, type PayloadField, payloadError } from '../../payload.ts';
import type { HookEvent } from '../../types.ts';
import { eventUnknown } from '../../words.ts';
import type { Edit, Filling, PayloadFlags } from '../format.ts';
import { gemini } from './entry.ts';
import { kindOf } from './events.ts';

// One payload a run: a parser that is compiled for it costs more than it saves.
z.config({ jitless: true });

type Json = Readonly<Record<string, unknown>>;

/** The order in which Gemini CLI sends the base fields (rule 17). */
export const baseOrder = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp'];

/** The fields that flags stand for. */
export function edits(flags: PayloadFlags): Edit[] {
  const fields: [string, string | undefined][] = [
    ['session_id', quoted(flags.sessionId)],
    ['cwd', quoted(flags.cwd)],
    ['hook_event_name', quoted(flags.event)],
    ['tool_name', quoted(flags.tool)],
    ['tool_input', flags.toolInput],
    ['tool_response', flags.toolResponse],
    ['prompt', quoted(flags.prompt)],
  ];
  return fields.flatMap(([name, json]): Edit[] => (json === undefined ? [] : [[[name], json]]));
}

const quoted = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : JSON.stringify(text);

/** The base fields that are missing, as Gemini CLI would send them. */
export function fill(payload: Json, filling: Filling): Edit[] {
  const fields: [string, () => string][] = [
    ['session_id', () => `hookrun-${filling.uuid()}`],
    ['transcript_path', () => ''],
    ['cwd', () => filling.cwd],
    ['timestamp', filling.now],
  ];
  return fields
    .filter(([name]) => payload[name] === undefined)
    .map(([name, value]): Edit => [[name], JSON.stringify(value())]);
}

/** Made only when an event needs it: building all schemas would cost every start. */
type Shape = Readonly<Record<string, z.core.$ZodType>>;

const text = () => z.optional(z.string());
const list = (item: z.core.$ZodType) => z.optional(z.array(item));
const map = () => z.optional(z.record(z.string(), z.unknown()));
const object = (shape: Shape) => z.optional(z.looseObject(shape));

const llmRequest = () => {
  const number = z.optional(z.number());
  return object({
    model: text(),
    messages: list(z.looseObject({ role: text(), content: z.optional(z.union([z.string(), z.array(z.unknown())])) })),
    config: object({ temperature: number, maxOutputTokens: number, topP: number, topK: number }),
    toolConfig: map(),
  });
};

const llmResponse = () =>
  object({
    text: text(),
    candidates: list(
      z.looseObject({ content: object({ role: text(), parts: list(z.unknown()) }), finishReason: text() }),
    ),
    usageMetadata: map(),
  });

const mcpContext = () =>
  object({
    server_name: text(),
    tool_name: text(),
    command: text(),
    args: list(z.string()),
    cwd: text(),
    url: text(),
  });

const base = (): Shape => ({
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  timestamp: z.string(),
});

const tool = (): Shape => ({
  tool_name: text(),
  tool_input: map(),
  mcp_context: mcpContext(),
  original_request_name: text(),
});

/** The known fields of each event beyond the base ones; everything else passes through untouched. */
const own: Readonly<Record<string, () => Shape>> = {
  SessionStart: () => ({ source: text() }),
  SessionEnd: () => ({ reason: text() }),
  BeforeAgent: () => ({ prompt: text() }),
  AfterAgent: () => ({ prompt: text(), prompt_response: text(), stop_hook_active: z.optional(z.boolean()) }),
  BeforeModel: () => ({ llm_request: llmRequest() }),
  AfterModel: () => ({ llm_request: llmRequest(), llm_response: llmResponse() }),
  BeforeToolSelection: () => ({ llm_request: llmRequest() }),
  BeforeTool: tool,
  AfterTool: () => ({ ...tool(), tool_response: map() }),
  PreCompress: () => ({ trigger: text() }),
  Notification: () => ({ notification_type: text(), message: text(), details: map() }),
};

/** Checks the known fields and makes the event. Throws `HookrunError` (payload) naming the path, what was expected and what is there. */
export function readEvent(payload: Json, json: string): HookEvent {
  const name = payload['hook_event_name'];
  if (typeof name !== 'string')
    throw payloadError({ at: 'hook_event_name', expected: 'a string', found: describe(name) });
  if (!gemini.events.includes(name)) {
    throw new HookrunError('payload', eventUnknown({ key: 'hook_event_name' }, name, gemini));
  }
  const result = z.looseObject({ ...base(), ...own[name]!() }).safeParse(payload);
  if (!result.success) throw payloadError(firstIssue(result.error, payload));
  const kind = kindOf(name);
  const target = kind.target === undefined ? undefined : payload[kind.target];
  const { cwd, sessionId } = { cwd: payload['cwd'] as string, sessionId: payload['session_id'] as string };
  return {
    name,
    target: typeof target === 'string' ? target : null,
    canBlock: kind.canBlock,
    payload,
    text: json,
    cwd,
    sessionId,
  };
}

function firstIssue(error: z.core.$ZodError, payload: Json): PayloadField {
  const issue = error.issues[0]!;
  const at = issue.path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
  const value = issue.path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part],
    payload,
  );
  const expected =
    issue.code === 'invalid_type' ? (expectedWords[issue.expected] ?? issue.expected) : 'text or a list of parts';
  return { at, expected, found: describe(value) };
}

const expectedWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};
