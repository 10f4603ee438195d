/** What is known of the payloads, field by field, as 2.1.0 sent them (captures/kimi). Everything else passes through. */

import * as z from 'zod/mini';

// One payload a run: a parser that is compiled for it costs more than it saves.
z.config({ jitless: true });

const text = z.optional(z.string());
const number = z.optional(z.number());
const flag = z.optional(z.boolean());
const object = z.optional(z.looseObject({}));

const base = { hook_event_name: z.string(), session_id: text, cwd: text, client_type: text, session_title: text };
const call = { tool_name: text, tool_input: object, tool_call_id: text };
const permission = { ...call, id: text, agent_id: text, turn_id: number, action: text, display: object };
const task = { task_id: text, kind: text, description: text, status: text, detached: flag, started_at: number };
const note = { sink: text, agent_id: text, notification_type: text, title: text, body: text, severity: text };
const error = z.optional(z.looseObject({ code: text, message: text, retryable: flag }));

/** `prompt` as content parts is not in here: how a part is checked depends on its type (see read-event.ts). */
const fields: Readonly<Record<string, z.core.$ZodLooseShape>> = {
  PreToolUse: call,
  PostToolUse: { ...call, tool_output: text },
  // A call with arguments that did not pass comes as the model wrote them.
  PostToolUseFailure: { ...call, tool_input: z.optional(z.unknown()), error },
  PermissionRequest: permission,
  PermissionResult: { ...permission, decision: text, feedback: text, scope: text },
  UserPromptSubmit: { is_steer: flag },
  UserPromptQueued: { prompt_id: text, queue_length: number },
  TurnStarted: { turn_id: number, origin_kind: text, origin_name: text, prompt: text },
  Stop: { stop_hook_active: flag },
  StopFailure: { error_type: text, error_message: text },
  Interrupt: { turn_id: number, reason: text },
  SessionStart: { source: text, model: text, profile: text },
  SessionEnd: { reason: text },
  SessionHeartbeat: { uptime_ms: number },
  SubagentStart: { agent_name: text, prompt: text },
  SubagentStop: { agent_name: text, response: text },
  TaskStarted: task,
  PreCompact: { trigger: text, token_count: number },
  PostCompact: { trigger: text, estimated_token_count: number },
  Notification: { ...note, source_kind: text, source_id: text },
};

export type Schema = z.core.$ZodType;

/** The schema of an event's payload; only the one that is asked for is built, since building is what costs. */
export const payloadSchema = (event: string): Schema => z.looseObject({ ...base, ...fields[event] });

/** The schema of one content part of a prompt, by its type; of an unknown type only that it has one. */
export function partSchema(part: unknown): Schema {
  const type = (part as { type?: unknown } | null)?.type;
  if (type === 'text') return z.looseObject({ type: z.string(), text: z.string() });
  if (type === 'image_url') return z.looseObject({ type: z.string(), imageUrl: z.looseObject({ url: z.string() }) });
  return z.looseObject({ type: z.string() });
}

/** The first thing in a value that is not as the schema has it: where, what was expected, and what stands there. */
export function firstFault(
  schema: Schema,
  value: unknown,
): { path: readonly PropertyKey[]; expected: string; found: unknown } | undefined {
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (issue === undefined) return undefined;
  const found = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  return { path: issue.path, expected: issue.code === 'invalid_type' ? article(issue.expected) : issue.message, found };
}

const article = (type: string): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
