/** What goes from one hook of a chain to the next, and how hookrun speaks as one hook itself. */

import { describe, expect, it } from 'vitest';
import type { Spoken } from '../../src/formats/format.ts';
import { format } from '../../src/formats/gemini/index.ts';
import type { Effects, Exit, Hook, HookEvent, Ruling } from '../../src/types.ts';
import { eventOf, exited, hooksOf, outcomeOf, runOf } from '../helpers/gemini.ts';

/** The event that the hook after one which ended like this gets. */
async function following(event: HookEvent, output: unknown, exit: Exit = exited(0)): Promise<HookEvent> {
  const [hook] = (await hooksOf(event.name, ['h'])) as [Hook];
  const stdout = typeof output === 'string' ? output : JSON.stringify({ hookSpecificOutput: output });
  const next = format.advance(event, outcomeOf(runOf(exit, stdout), hook, event));
  if (next === 'end') expect.fail('a chain of Gemini CLI never ends early');
  // What is known of the payload and what the hook reads must never drift apart.
  expect(JSON.parse(next.text)).toEqual(next.payload);
  return next;
}

describe('advance', () => {
  const tool = eventOf('BeforeTool', { tool_input: { path: 'a', content: 'x' } });
  const agent = eventOf('BeforeAgent', { prompt: 'hi' });
  const model = eventOf('BeforeModel', { llm_request: { model: 'm', config: { topK: 1, topP: 1 } } });

  it.each<[what: string, event: HookEvent, output: unknown, field: string, value: unknown]>([
    [
      'a rewrite is laid over',
      tool,
      { tool_input: { content: 'y', more: [1] } },
      'tool_input',
      { path: 'a', content: 'y', more: [1] },
    ],
    ['a list counts by its indices', tool, { tool_input: ['z'] }, 'tool_input', { path: 'a', content: 'x', 0: 'z' }],
    ['context goes behind the prompt, unescaped', agent, { additionalContext: '<b>' }, 'prompt', 'hi\n\n<b>'],
    ['an empty context too', agent, { additionalContext: '' }, 'prompt', 'hi\n\n'],
    [
      'config is replaced whole',
      model,
      { llm_request: { config: { topK: 2 } } },
      'llm_request',
      { model: 'm', config: { topK: 2 } },
    ],
    [
      'constructor is a key like any other',
      tool,
      { tool_input: { constructor: 1 } },
      'tool_input',
      { path: 'a', content: 'x', constructor: 1 },
    ],
  ])('%s', async (_, event, output, field, value) => {
    const next = await following(event, output);
    expect(next.payload).toEqual({ ...event.payload, [field]: value });
    expect(Object.keys(next.payload)).toEqual(Object.keys(event.payload));
  });

  const rewrite = { tool_input: { content: 'y' } };
  it.each<[what: string, event: HookEvent, output: unknown, exit?: Exit]>([
    ['exit 1', tool, rewrite, exited(1)],
    ['exit 2', tool, rewrite, exited(2)],
    ['a timeout', tool, rewrite, { kind: 'timed-out', afterMs: 1, by: 'timeout' }],
    ['death by a signal', tool, rewrite, { kind: 'signalled', signal: 'SIGKILL' }],
    ['plain text', tool, 'tool_input'],
    ['nothing', tool, ''],
    ['an input that is no object', tool, { tool_input: 'y' }],
    ['null', tool, { tool_input: null }],
    ['a hookSpecificOutput that is a text', tool, 'x'],
    ['context on a tool', tool, { additionalContext: 'x' }],
    ['an input on a prompt', agent, rewrite],
    ['context that is no text', agent, { additionalContext: 5 }],
    ['another event', eventOf('AfterTool', { tool_input: { content: 'x' } }), rewrite],
    ['a prompt that is not there', eventOf('BeforeAgent', { prompt: undefined }), { additionalContext: 'x' }],
  ])('%s changes nothing', async (_, event, output, exit) => {
    expect(await following(event, output, exit)).toBe(event);
  });

  it('a denial does not end the chain, and its rewrite is passed on', async () => {
    const output = JSON.stringify({ decision: 'deny', hookSpecificOutput: rewrite });
    expect((await following(tool, output)).payload['tool_input']).toEqual({ path: 'a', content: 'y' });
  });

  it('everything else of the payload stays to the byte', async () => {
    const text =
      '{"z":1e400,"hook_event_name":"BeforeTool","tool_input":{"b":12345678901234567890,"a":"\\u00e9"},"y":-0}';
    const next = await following({ ...tool, text, payload: JSON.parse(text) }, { tool_input: { a: 1, c: 2 } });
    expect(next.text).toBe(text.replace('"\\u00e9"', '1').replace('},"y"', ',"c":2},"y"'));
  });

  it('a rewrite of any depth is passed on', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const [hook] = (await hooksOf('BeforeTool', ['h'])) as [Hook];
    const run = runOf(exited(0), `{"hookSpecificOutput":{"tool_input":{"content":${deep}}}}`);
    const next = format.advance(tool, outcomeOf(run, hook, tool)) as HookEvent;
    expect(next.text === tool.text.replace('"x"', deep)).toBe(true);
  });

  it('a key __proto__ reaches the next hook and nothing else', async () => {
    const next = await following(tool, '{"hookSpecificOutput":{"tool_input":{"__proto__":{"polluted":1}}}}');
    expect(next.text).toContain('"__proto__":{"polluted":1}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('speak', () => {
  const said = (name: string, ruling: Ruling, effects: Effects = {}, reason = 'because'): unknown => {
    const spoken: Spoken = { event: eventOf(name), ruling, reason, effects, native: undefined, failed: false };
    const { stdout, stderr, code } = format.speak(spoken);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout.endsWith('}\n')).toBe(true);
    return JSON.parse(stdout);
  };

  it.each<[name: string, ruling: Ruling, effects: Effects, output: object]>([
    ['BeforeTool', 'allow', {}, { decision: 'allow' }],
    ['BeforeTool', 'deny', {}, { decision: 'deny', reason: 'because' }],
    ['BeforeTool', 'ask', {}, { decision: 'ask', reason: 'because' }],
    ['BeforeTool', 'stop', {}, { continue: false, stopReason: 'because' }],
    [
      'BeforeTool',
      'allow',
      { toolInput: { a: 1 } },
      { decision: 'allow', hookSpecificOutput: { tool_input: { a: 1 } } },
    ],
    [
      'BeforeTool',
      'deny',
      { systemMessage: 'm', suppressOutput: true },
      { decision: 'deny', reason: 'because', systemMessage: 'm', suppressOutput: true },
    ],
    [
      'BeforeAgent',
      'allow',
      { additionalContext: '&lt;b&gt; & c' },
      { decision: 'allow', hookSpecificOutput: { additionalContext: '<b> & c' } },
    ],
    [
      'BeforeModel',
      'allow',
      { llmRequest: { model: 'x' } },
      { decision: 'allow', hookSpecificOutput: { llm_request: { model: 'x' } } },
    ],
    [
      'AfterModel',
      'allow',
      { llmResponse: { text: 'x' } },
      { decision: 'allow', hookSpecificOutput: { llm_response: { text: 'x' } } },
    ],
    [
      'BeforeToolSelection',
      'allow',
      { toolConfig: { mode: 'NONE' } },
      { decision: 'allow', hookSpecificOutput: { toolConfig: { mode: 'NONE' } } },
    ],
    ['AfterAgent', 'allow', { clearContext: true }, { decision: 'allow', hookSpecificOutput: { clearContext: true } }],
    [
      'AfterTool',
      'allow',
      { tailToolCall: { name: 't' } },
      { decision: 'allow', hookSpecificOutput: { tailToolCallRequest: { name: 't' } } },
    ],
  ])('%s, %s, %j', (name, ruling, effects, output) => {
    expect(said(name, ruling, effects)).toEqual(output);
  });

  it('says what the engine above then reads as the same', async () => {
    for (const ruling of ['allow', 'deny', 'ask', 'stop'] as const) {
      const event = eventOf('BeforeTool');
      const [hook] = (await hooksOf('BeforeTool', ['hookrun'])) as [Hook];
      const { stdout, code } = format.speak({ event, ruling, reason: 'why', effects: {}, native: null, failed: false });
      const outcome = outcomeOf(runOf(exited(code), stdout), hook, event);
      expect(outcome.verdict.kind).toBe(ruling);
      expect(format.merge([outcome], event, ruling, 'parallel')).toMatchObject({ engineRuling: ruling });
      if (ruling !== 'allow') expect(outcome.verdict.reason).toBe('why');
    }
  });
});
