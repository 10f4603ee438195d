import { join } from 'node:path';
import { tryConfigText } from '../../../src/config-file.ts';
import type { Config, Format, Where } from '../../../src/formats/format.ts';
import { describe, payloadError } from '../../../src/payload.ts';
import type { Hook, HookEvent, HookRun, Verdict } from '../../../src/types.ts';
import { madeUp } from './entry.ts';

async function load(where: Where): Promise<Config> {
  const path = where.explicit[0] ?? join(where.home, '.made-up');
  const file = tryConfigText(where.fs, path);
  const lines = 'text' in file ? file.text.split('\n') : [];
  const hooks = lines.flatMap((line, index): Hook[] => {
    const [event = '', ...command] = line.split(' ');
    if (!madeUp.events.includes(event)) return [];
    const source = { scope: 'user', path, key: `line ${index + 1}`, line: () => index + 1 };
    return [
      { name: `line-${index + 1}`, event, command: command.join(' '), timeoutMs: 5000, source, detail: undefined },
    ];
  });
  return {
    trust: { state: 'trusted', by: 'it has no project scope' },
    setup: (event) => ({ hooks: hooks.filter((hook) => hook.event === event), problems: [] }),
  };
}

function judge(run: HookRun): Verdict {
  const { exit } = run;
  if (exit.kind !== 'exited')
    return { kind: 'no-decision', failure: { kind: 'exit-code', text: exit.kind }, reading: 'allow' };
  if (exit.code === 9) return { kind: 'deny', reason: run.stderr.toString().trim() || 'nine', reading: 'deny' };
  if (exit.code === 0) return { kind: 'allow', reading: 'allow' };
  return { kind: 'no-decision', failure: { kind: 'exit-code', text: `exit code ${exit.code}` }, reading: 'allow' };
}

function readEvent(payload: Readonly<Record<string, unknown>>, text: string): HookEvent {
  const { made_up_event: name, session_id: sessionId } = payload;
  if (typeof sessionId !== 'string')
    throw payloadError({ at: 'session_id', expected: 'a string', found: describe(sessionId) });
  if (!madeUp.events.includes(name as string))
    throw payloadError({ at: 'made_up_event', expected: 'Before or After', found: describe(name) });
  return { name: name as string, target: null, canBlock: name === 'Before', payload, text, cwd: undefined, sessionId };
}

export const format: Format = {
  name: 'made-up',
  engine: { name: 'made-up', version: '1.0' },
  words: {},
  scopes: ['user'],
  fields: {
    edits: ({ event }) => (event === undefined ? [] : [[['made_up_event'], JSON.stringify(event)]]),
    fill: (payload) => (payload['session_id'] === undefined ? [[['session_id'], '"made-up"']] : []),
    order: ['made_up_event', 'session_id'],
  },
  readEvent,
  load,
  matches: () => ({ kind: 'match' }),
  duplicateKey: () => undefined,
  schedule: () => 'sequential',
  start: (hook, _event, where) => ({
    file: 'sh',
    args: ['-c', hook.command],
    shown: hook.command,
    env: { PATH: where.env['PATH'] ?? '' },
    cwd: where.project,
    stdio: 'sockets',
    graceMs: 100,
    removedEnv: [],
    problems: [],
  }),
  judge,
  advance: (event, { counts }) => (counts === 'deny' ? 'end' : event),
  merge: (outcomes, event, ruling) => {
    const denial = outcomes.find(({ counts }) => counts === 'deny');
    const engineRuling =
      event.canBlock && outcomes.some(({ engineReading }) => engineReading === 'deny') ? 'deny' : 'allow';
    const reason = ruling === 'deny' ? (denial?.verdict.reason ?? denial?.verdict.failure?.text) : undefined;
    return { reason, effects: {}, native: engineRuling, engineRuling, differs: [], problems: [] };
  },
  speak: ({ ruling, reason }) => ({ stdout: '', stderr: reason, code: ruling === 'deny' ? 9 : 0 }),
  sample: (event) => ({ made_up_event: event, session_id: 's' }),
};
