import { isObject } from './read-run.ts';

/** The output dialects of other agents: what in an object was meant to block, or to do something that Kimi Code does not. */

type Json = Readonly<Record<string, unknown>>;

/** What in an output asks for a block, in Kimi Code's words or another agent's: the key and value as they stand there. */
export function blockIn(value: Json): string | undefined {
  const specific = isObject(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  if (specific['permissionDecision'] === 'deny') return 'hookSpecificOutput.permissionDecision "deny"';
  return foreignBlockIn(value);
}

const blocking = /^(?:block|deny|denied|reject|rejected|stop|ask)$/i;

/** What in an output asks for a block, or for a question, in words that Kimi Code does not know. */
export function foreignBlockIn(value: Json): string | undefined {
  const specific = isObject(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const inner = specific['permissionDecision'];
  if (typeof inner === 'string' && inner !== 'deny' && blocking.test(inner.trim()))
    return `hookSpecificOutput.permissionDecision ${JSON.stringify(inner)}`;
  for (const key of ['permissionDecision', 'decision'] as const) {
    const said = value[key];
    if (typeof said === 'string' && blocking.test(said.trim())) return `${key} ${JSON.stringify(said)}`;
  }
  const nested = specific['decision'];
  const behavior = isObject(nested) ? nested['behavior'] : nested;
  if (typeof behavior === 'string' && blocking.test(behavior))
    return `hookSpecificOutput.decision ${JSON.stringify(behavior)}`;
  if (value['continue'] === false) return 'continue false';
  return undefined;
}

const outerKeys = ['systemMessage', 'suppressOutput', 'stopReason', 'additionalContext', 'updatedInput'];
const innerKeys = ['updatedInput', 'additionalContext', 'tool_input', 'updatedPermissions'];

/** Keys of an output that other agents act on and Kimi Code does not. */
export function foreignKeysIn(value: Json): string[] {
  const specific = isObject(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  return [
    ...outerKeys.filter((key) => Object.hasOwn(value, key)),
    ...innerKeys.filter((key) => Object.hasOwn(specific, key)).map((key) => `hookSpecificOutput.${key}`),
  ];
}
