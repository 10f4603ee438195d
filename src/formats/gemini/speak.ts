import { toJson } from '../../to-json.ts';
import type { Spoken } from '../format.ts';

type Json = Record<string, unknown>;

/**
 * What one hook of Gemini CLI would print to say this result: the merged output as JSON, with exit code 0, since the engine reads
 * JSON whatever the code. Pure.
 */
export function speak({ ruling, reason, effects }: Spoken): { stdout: string; stderr: string; code: number } {
  const output: Json = {};
  if (ruling === 'stop') Object.assign(output, { continue: false, stopReason: reason });
  else if (ruling === 'deny' || ruling === 'ask') Object.assign(output, { decision: ruling, reason });
  else output['decision'] = 'allow';
  if (effects.systemMessage !== undefined) output['systemMessage'] = effects.systemMessage;
  if (effects.suppressOutput === true) output['suppressOutput'] = true;
  const specific: Json = {};
  if (effects.toolInput !== undefined) specific['tool_input'] = effects.toolInput;
  // The engine above escapes it on reading, and what stood there escaped already comes out the same.
  if (effects.additionalContext !== undefined)
    specific['additionalContext'] = effects.additionalContext.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  if (effects.llmRequest !== undefined) specific['llm_request'] = effects.llmRequest;
  if (effects.llmResponse !== undefined) specific['llm_response'] = effects.llmResponse;
  if (effects.toolConfig !== undefined) specific['toolConfig'] = effects.toolConfig;
  if (effects.clearContext === true) specific['clearContext'] = true;
  if (effects.tailToolCall !== undefined) specific['tailToolCallRequest'] = effects.tailToolCall;
  if (Object.keys(specific).length > 0) output['hookSpecificOutput'] = specific;
  return { stdout: `${toJson(output)}\n`, stderr: '', code: 0 };
}
