/** Gemini CLI's payloads: which fields there are, what fills in for missing ones, and what is checked at the door. */

import { HookrunError } from '../../errors.ts';
import { describe, payloadError } from '../../payload.ts';
import { type Fields, mustFit, type Shape } from '../../shape.ts';
import type { HookEvent } from '../../types.ts';
import { eventUnknown } from '../../words.ts';
import type { Edit, Filling, PayloadFlags } from '../format.ts';
import { gemini } from './entry.ts';
import { kindOf } from './events.ts';

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

const tool: Fields = {
  'tool_name?': 'string',
  'tool_input?': 'object',
  'mcp_context?': {
    fields: {
      'server_name?': 'string',
      'tool_name?': 'string',
      'command?': 'string',
      'args?': { list: 'string' },
      'cwd?': 'string',
      'url?': 'string',
    },
  },
  'original_request_name?': 'string',
};

const message: Shape = {
  fields: { 'role?': 'string', 'content?': { either: ['string', { list: 'any' }] } },
};
const config: Shape = {
  fields: { 'temperature?': 'number', 'maxOutputTokens?': 'number', 'topP?': 'number', 'topK?': 'number' },
};
const llmRequest: Fields = {
  'llm_request?': {
    fields: {
      'model?': 'string',
      'messages?': { list: message },
      'config?': config,
      'toolConfig?': 'object',
    },
  },
};

const candidate: Shape = {
  fields: { 'content?': { fields: { 'role?': 'string', 'parts?': { list: 'any' } } }, 'finishReason?': 'string' },
};
const llmResponse: Fields = {
  'llm_response?': { fields: { 'text?': 'string', 'candidates?': { list: candidate }, 'usageMetadata?': 'object' } },
};

const base: Fields = { session_id: 'string', transcript_path: 'string', cwd: 'string', timestamp: 'string' };

/** The known fields of each event beyond the base ones; everything else passes through untouched. */
const own: Readonly<Record<string, Fields>> = {
  SessionStart: { 'source?': 'string' },
  SessionEnd: { 'reason?': 'string' },
  BeforeAgent: { 'prompt?': 'string' },
  AfterAgent: { 'prompt?': 'string', 'prompt_response?': 'string', 'stop_hook_active?': 'boolean' },
  BeforeModel: llmRequest,
  AfterModel: { ...llmRequest, ...llmResponse },
  BeforeToolSelection: llmRequest,
  BeforeTool: tool,
  AfterTool: { ...tool, 'tool_response?': 'object' },
  PreCompress: { 'trigger?': 'string' },
  Notification: { 'notification_type?': 'string', 'message?': 'string', 'details?': 'object' },
};

/** What an event's payload looks like. */
export const payloadShape = (event: string): Shape => ({ fields: { ...base, ...own[event] } });

/** Checks the known fields and makes the event. Throws `HookrunError` (payload), or `Misfit` for a field that is not what it should be. */
export function readEvent(payload: Json, json: string): HookEvent {
  const name = payload['hook_event_name'];
  if (typeof name !== 'string')
    throw payloadError({ at: 'hook_event_name', expected: 'a string', found: describe(name) });
  if (!gemini.events.includes(name)) {
    throw new HookrunError('payload', eventUnknown({ key: 'hook_event_name' }, name, gemini));
  }
  mustFit(payloadShape(name), payload);
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
