/** What Kimi Code's events are: what a matcher is tested against, and which of them a hook can block. */

/** The three events whose block counts; elsewhere it is computed and not used (Kimi protocol, What a block does). */
const blockable: ReadonlySet<string> = new Set(['PreToolUse', 'UserPromptSubmit', 'Stop']);

/** The payload field that holds the matcher's value. Events that are not here have none (Kimi protocol, Matching). */
const targetFields: ReadonlyMap<string, string> = new Map([
  ['PreToolUse', 'tool_name'],
  ['PostToolUse', 'tool_name'],
  ['PostToolUseFailure', 'tool_name'],
  ['PermissionRequest', 'tool_name'],
  ['PermissionResult', 'tool_name'],
  ['UserPromptSubmit', 'prompt'],
  ['UserPromptQueued', 'prompt'],
  ['TurnStarted', 'origin_kind'],
  ['SessionStart', 'source'],
  ['SessionEnd', 'reason'],
  ['SubagentStart', 'agent_name'],
  ['SubagentStop', 'agent_name'],
  ['TaskStarted', 'kind'],
  ['StopFailure', 'error_type'],
  ['PreCompact', 'trigger'],
  ['PostCompact', 'trigger'],
  ['Notification', 'notification_type'],
]);

/** Whether a hook's block has any effect on this event. */
export const canBlock = (event: string): boolean => blockable.has(event);

/** Whether this event's matcher is tested against the name of a tool. */
export const isToolEvent = (event: string): boolean => targetFields.get(event) === 'tool_name';

/**
 * What matchers are tested against: null for the three events that have no value (their matchers see an empty text), the empty
 * text where the payload leaves the field out. Content parts count by their text, joined by one space.
 */
export function targetOf(event: string, payload: Readonly<Record<string, unknown>>): string | null {
  const field = targetFields.get(event);
  if (field === undefined) return null;
  const value = payload[field];
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? textOf(value) : '';
}

function textOf(parts: readonly unknown[]): string {
  return parts
    .filter((part): part is { type: 'text'; text: string } => (part as { type?: unknown } | null)?.type === 'text')
    .map((part) => part.text)
    .join(' ');
}
