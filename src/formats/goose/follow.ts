/** The events that follow from one event in goose (goose, "What follows from a tool call"). Pure: whether anybody subscribes is not asked. */

import { getText } from '../../json-text.ts';
import type { HookEvent, Outcome } from '../../types.ts';
import type { FollowUp } from '../format.ts';
import { type ChainOutcome, countedChain } from './chain.ts';
import { eventKinds } from './events.ts';
import { fieldOrder } from './payload.ts';
import { commandIn, pathIn } from './target.ts';

/** All that follows, in goose's order; the events of finer grain only where they are asked for, and before a tool only if it may run. */
export function followEvents(event: HookEvent, outcomes: readonly Outcome[], derived: boolean): FollowUp[] {
  const chain = countedChain(outcomes);
  const results = followUps(event, chain).map((one) => ({ event: one, nativeKey: 'preToolUseResult' }));
  const isDenied = event.name === 'PreToolUse' && chain.decision === 'deny';
  return [...results, ...(derived && !isDenied ? derivedEvents(event) : []).map((one) => ({ event: one }))];
}

/**
 * After PreToolUse, allowed or denied: PreToolUseResult, whose payload goose builds anew, so unknown fields do not come along and
 * `matcher_context` is the tool's name (goose corner 45). Nothing follows another event.
 */
export function followUps(event: HookEvent, chain: ChainOutcome): HookEvent[] {
  if (event.name !== 'PreToolUse') return [];
  const toolName = event.payload['tool_name'];
  const denied = chain.decision === 'deny';
  const own: Readonly<Record<string, unknown>> = {
    matcher_context: typeof toolName === 'string' ? toolName : null,
    decision: chain.decision,
    policy_evaluated: chain.policy_evaluated,
    blocked_by: denied ? chain.plugin : undefined,
    reason: denied ? chain.reason : undefined,
    cause: chain.cause,
  };
  return [eventFrom(event, 'PreToolUseResult', own, ['tool_call_id', 'tool_name', 'tool_input', 'working_dir'])];
}

/** What a tool does, by the last part of its name; undefined for any other tool. */
export function categoryOf(tool: string): 'shell' | 'read' | 'write' | undefined {
  const name = tool.slice(tool.lastIndexOf('__') === -1 ? 0 : tool.lastIndexOf('__') + 2);
  return Object.hasOwn(categories, name) ? categories[name] : undefined;
}

const categories: Readonly<Record<string, 'shell' | 'read' | 'write'>> = {
  shell: 'shell',
  bash: 'shell',
  exec: 'shell',
  run: 'shell',
  read: 'read',
  view: 'read',
  cat: 'read',
  read_file: 'read',
  write: 'write',
  edit: 'write',
  patch: 'write',
  write_file: 'write',
  edit_file: 'write',
};

/**
 * The events that goose derives from a tool event for hooks that think in commands and files: before a tool that was allowed, and after one that
 * succeeded. Only where the command or the path is there; without `tool_call_id` (goose corner 47).
 */
export function derivedEvents(event: HookEvent): HookEvent[] {
  const { tool_name: tool, tool_input: input } = event.payload;
  const category = typeof tool === 'string' ? categoryOf(tool) : undefined;
  const [name, target] = derived(event.name, category, input);
  if (name === undefined || target === undefined) return [];
  return [eventFrom(event, name, { matcher_context: target }, ['tool_name', 'tool_input', 'working_dir'])];
}

function derived(
  event: string,
  category: 'shell' | 'read' | 'write' | undefined,
  input: unknown,
): [name?: string, target?: string | undefined] {
  if (event === 'PreToolUse') {
    if (category === 'shell') return ['BeforeShellExecution', commandIn(input)];
    if (category === 'read') return ['BeforeReadFile', pathIn(input)];
  }
  if (event === 'PostToolUse') {
    if (category === 'shell') return ['AfterShellExecution', commandIn(input)];
    if (category === 'write') return ['AfterFileEdit', pathIn(input)];
  }
  return [];
}

/** An event with fields of its own and others taken over to the byte, in goose's order. */
function eventFrom(
  from: HookEvent,
  name: string,
  own: Readonly<Record<string, unknown>>,
  taken: readonly string[],
): HookEvent {
  const parts = fieldOrder.flatMap((field): string[] => {
    if (field === 'event') return [`"event":${JSON.stringify(name)}`];
    const isTaken = field === 'session_id' || taken.includes(field);
    const value = isTaken ? getText(from.text, [field]) : JSON.stringify(own[field]);
    return value === undefined ? [] : [`${JSON.stringify(field)}:${value}`];
  });
  const text = `{${parts.join(',')}}`;
  const target = own['matcher_context'];
  return {
    name,
    target: typeof target === 'string' ? target : null,
    canBlock: eventKinds[name]!.canBlock,
    payload: JSON.parse(text) as Record<string, unknown>,
    text,
    cwd: from.cwd,
    sessionId: from.sessionId,
  };
}
