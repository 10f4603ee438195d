/** What every format owes the stages, whatever agent it is for. */

import { describe, expect, it } from 'vitest';
import { HookrunError } from '../../src/errors.ts';
import { diskFs } from '../../src/file-system.ts';
import type { Format, FormatEntry, Where } from '../../src/formats/format.ts';
import * as registry from '../../src/formats/index.ts';
import { countsAs } from '../../src/policy.ts';
import { createRegexBudget } from '../../src/regex.ts';
import type { Exit, Hook, HookEvent, HookRun, Outcome } from '../../src/types.ts';
import { madeUp } from '../helpers/made-up/entry.ts';
import { readEvent } from '../helpers/read-event.ts';
import { temporaryFolder } from '../helpers/world.ts';

const entries: readonly FormatEntry[] = [...Object.values(registry), madeUp];

const exits: readonly Exit[] = [
  { kind: 'exited', code: 0 },
  { kind: 'exited', code: 1 },
  { kind: 'exited', code: 2 },
  { kind: 'exited', code: 3 },
  { kind: 'exited', code: 126 },
  { kind: 'exited', code: 127 },
  { kind: 'signalled', signal: 'SIGKILL' },
  { kind: 'timed-out', afterMs: 10, by: 'timeout' },
  { kind: 'timed-out', afterMs: 10, by: 'deadline', code: 2 },
  { kind: 'not-started', why: 'no such shell' },
  { kind: 'output-limit' },
  { kind: 'output-limit', code: 2 },
];
const outputs = [
  '',
  'text',
  '{}',
  '{',
  '[]',
  '7',
  '"x"',
  'null',
  '\uFEFF{}',
  '{"decision":"block"}',
  '{"decision":"deny"}',
];

const runOf = (exit: Exit, stdout: string, stderr: string): HookRun => ({
  exit,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
  durationMs: 1,
  held: false,
  interrupted: false,
  unread: 0,
});

for (const entry of entries) {
  describe(`format ${entry.name}`, async () => {
    const format = await entry.load();

    it('is what its entry says', () => {
      expect(format.name).toBe(entry.name);
      expect(entry.events.length).toBeGreaterThan(0);
      expect(format.scopes.length).toBeGreaterThan(0);
      expect(format.engine.version).toMatch(/^\d/);
    });

    it.each(entry.events)('its sample of %s is recognised and read', (event) => {
      const sample = format.sample(event);
      expect(entry.recognise(sample).score).toBeGreaterThan(0);
      const text = JSON.stringify(sample);
      const read = format.readEvent(sample, text);
      expect(read).toMatchObject({ name: event, text });
      for (const other of entries)
        if (other !== entry)
          expect(other.recognise(sample).score, other.name).toBeLessThanOrEqual(entry.recognise(sample).score);
    });

    it('refuses junk, with a path', () => {
      const event = entry.events[0]!;
      const junk = { ...format.sample(event), session_id: { not: 'a text' } };
      expect(() => readEvent(format, junk, JSON.stringify(junk))).toThrow(
        expect.objectContaining({ kind: 'payload', problem: expect.objectContaining({ key: 'session_id' }) }),
      );
      const unknown = { ...format.sample(event), [entry.eventField]: 'NoSuchEvent' };
      expect(() => format.readEvent(unknown, JSON.stringify(unknown))).toThrow(HookrunError);
    });

    it('fills in what is missing, and nothing else', () => {
      const filling = { cwd: '/somewhere', uuid: () => 'id', now: () => '2026-01-02T03:04:05.678Z' };
      const event = entry.events[0]!;
      const filled = format.fields.fill({ [entry.eventField]: event }, filling).map(([path]) => path.join('.'));
      expect(filled).not.toContain(entry.eventField);
      expect(format.fields.fill(format.sample(event), filling)).toEqual([]);
      for (const path of filled) expect(format.fields.order).toContain(path);
    });

    it('has no hooks where nothing is configured', async () => {
      const scratch = temporaryFolder();
      try {
        const config = await format.load(whereIn(scratch.path));
        for (const event of entry.events) expect(config.setup(event, true)).toEqual({ hooks: [], problems: [] });
      } finally {
        scratch.remove();
      }
    });

    it.each(entry.events)('judges every way to end of a hook for %s, and makes a result of it', (name) => {
      const sample = format.sample(name);
      const event = format.readEvent(sample, JSON.stringify(sample));
      const hook = hookOf(format, event);
      for (const exit of exits)
        for (const stdout of outputs)
          for (const stderr of ['', 'why']) {
            const run = runOf(exit, stdout, stderr);
            const verdict = format.judge(run, hook, event);
            expect(['allow', 'deny', 'ask', 'stop', 'no-decision']).toContain(verdict.kind);
            // Could not decide is not allow: it always says why.
            if (verdict.kind === 'no-decision') expect(verdict.failure?.text).toBeTruthy();
            if (exit.kind !== 'exited' && verdict.kind === 'allow') expect.fail(`${exit.kind} is no allow`);
            const counts = countsAs(verdict, 'native');
            const outcome: Outcome = {
              hook,
              start: {
                file: 'sh',
                args: [],
                shown: '',
                env: {},
                cwd: '/',
                stdio: 'sockets',
                graceMs: 1,
                removedEnv: [],
                problems: [],
              },
              run,
              verdict,
              engineReading: verdict.reading,
              early: false,
              counts,
            };
            const ruling = event.canBlock ? counts : 'allow';
            const merged = format.merge([outcome], event, ruling, 'parallel');
            expect(['allow', 'deny', 'ask', 'stop']).toContain(merged.engineRuling);
            if (!event.canBlock) expect(merged.engineRuling).toBe('allow');
            if (ruling === 'deny') expect(merged.reason).toBeTruthy();
            format.advance(event, outcome);
            const said = format.speak({
              event,
              ruling,
              reason: merged.reason ?? '',
              effects: merged.effects,
              native: merged.native,
              failed: false,
            });
            expect(said.code).toBeGreaterThanOrEqual(0);
          }
    });

    it('a hook without a matcher is for every event of its name', () => {
      for (const name of entry.events) {
        const sample = format.sample(name);
        const event = format.readEvent(sample, JSON.stringify(sample));
        expect(format.matches(hookOf(format, event), event, createRegexBudget()).kind).toBe('match');
      }
    });
  });
}

const whereIn = (folder: string): Where => ({
  project: folder,
  home: folder,
  cwd: folder,
  env: { HOME: folder },
  fs: diskFs,
  platform: process.platform,
  explicit: [],
});

/** A hook as each format could have loaded it; `detail` has what any of them looks into. */
function hookOf(_format: Format, event: HookEvent): Hook {
  return {
    name: 'h',
    event: event.name,
    command: 'true',
    timeoutMs: 1000,
    source: { scope: 'user', path: '/config', key: 'hooks[0]' },
    detail: {
      ownName: '',
      title: 'h',
      sequential: false,
      plugin: 'p',
      onFailure: 'allow',
      redaction: { enabled: undefined, allowed: [], blocked: [] },
    },
  };
}
