/** Every recorded case of goose's own engine: hookrun's `native` is the engine's result, or the pin beside it says why not. */

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { differences } from '../../src/differences.ts';
import { load } from '../../src/formats/goose/load.ts';
import { isValidMatcher } from '../../src/formats/goose/match.ts';
import type { Problem } from '../../src/problems.ts';
import { caseFolder, type GooseCase, layOut, sortedLines } from '../helpers/goose-case.ts';
import { callHookrun } from '../helpers/hookrun.ts';
import { temporaryFolder } from '../helpers/world.ts';

const names = readdirSync(caseFolder, { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map((one) => one.name);

async function decide(one: GooseCase, payload: string): Promise<Decision> {
  const options = { env: one.env, cwd: one.project, home: one.home, stdin: payload };
  return JSON.parse((await callHookrun(['--trust', '--quiet'], options)).stdout) as Decision;
}

describe.concurrent('recorded cases of goose', () => {
  it.each(names)('%s', async (name) => {
    const folder = temporaryFolder();
    try {
      const one = layOut(name, folder.path);
      await checkLoading(one);
      await checkRunning(one);
    } finally {
      folder.remove();
    }
  });
});

async function checkRunning(one: GooseCase): Promise<void> {
  const { expected, pin } = one;
  const decision = await decide(one, one.payload);
  const ran = one.ran();
  const files = one.files();
  if (one.settleMs > 0) await new Promise((resolve) => setTimeout(resolve, one.settleMs));

  const { preToolUseResult, ...native } = decision.native as Record<string, unknown>;
  const sent = files['out.result']?.join('');
  if (sent !== undefined && one.event === 'PreToolUse') expect(JSON.stringify(preToolUseResult)).toBe(sent);
  expect(native).toEqual(pin?.native ?? nativeOf(expected));
  expect(decision.decision).toBe(pin?.decision ?? expected.outcome?.['decision'] ?? 'allow');
  if (pin === undefined) expect(decision.message ?? null).toBe(expected.outcome?.['modelMessage'] ?? null);
  else expect(differences.map(({ id }) => id)).toContain(pin.difference);
  if (pin?.reason !== undefined) expect(decision.reason).toBe(pin.reason);
  expect(ran).toEqual(pin?.ran ?? expected.ran);
  const after = pin?.ranAfterSettle ?? expected.ranAfterSettle;
  if (after !== undefined) expect(one.ran()).toEqual(after);
  const wanted = Object.entries(pin?.files ?? expected.files ?? {});
  expect(files).toEqual(Object.fromEntries(wanted.map(([key, text]) => [key, sortedLines(text)])));
}

function nativeOf({ outcome, banners }: GooseCase['expected']): Record<string, unknown> {
  if (banners !== null) return { banners };
  const own = ['decision', 'reason', 'plugin', 'policy_evaluated', 'cause'];
  return Object.fromEntries(
    Object.entries(outcome ?? {}).filter(([key, value]) => own.includes(key) && value !== null),
  );
}

async function checkLoading(one: GooseCase): Promise<void> {
  const config = await load(one.where);
  const plugins = config
    .arranged(true)
    .filter(({ off }) => off === undefined)
    .map(({ plugin }) => plugin);
  expect(plugins.map(({ name: called, root, scope }) => ({ name: called, root, scope }))).toEqual(one.expected.plugins);

  const loaded = plugins.flatMap((plugin) => {
    const file = config.file(plugin);
    return file?.kind === 'loaded' ? file.rules.map((rule) => ({ ...rule, plugin: plugin.name })) : [];
  });
  const rules = loaded
    .filter(({ matcher }) => matcher === undefined || isValidMatcher(matcher))
    .map(({ plugin, event, matcher, actions }) => ({
      plugin,
      event,
      matcher: matcher ?? null,
      commands: actions.map(({ command }) => command),
      onFailure: actions.map(({ onFailure }) => onFailure),
      timeoutSecs: actions.map(({ timeout }) => Number(timeout)),
    }));
  expect(byEvent(rules)).toEqual(byEvent(one.expected.rules));

  const problems = [
    ...config.setup('SessionEnd', true).problems,
    ...plugins.flatMap((plugin) => said(config.file(plugin))),
  ];
  const invalid = loaded.filter(({ matcher }) => matcher !== undefined && !isValidMatcher(matcher));
  expect([...warned(problems), ...invalid.map(() => 'matcher')].sort()).toEqual(recordedWarnings(one));
}

const byEvent = <T extends { event: string }>(rules: readonly T[]): Record<string, T[]> =>
  Object.fromEntries(
    [...new Set(rules.map(({ event }) => event))].map((event) => [event, rules.filter((rule) => rule.event === event)]),
  );

function said(file: ReturnType<Awaited<ReturnType<typeof load>>['file']>): Problem[] {
  if (file === undefined) return [];
  return file.kind === 'refused' ? [file.problem] : file.notes.map(({ problem }) => problem);
}

/** What goose itself has a word for, as code and file; each once. */
const kinds: Readonly<Record<string, string>> = {
  'goose-file-skipped': 'file',
  'goose-action-without-command': 'no command',
  'goose-action-type': 'type',
  'goose-unknown-event': 'event',
  'goose-settings-left-out': 'settings',
  'goose-config-syntax': 'config',
};

function warned(problems: readonly Problem[]): string[] {
  const seen = problems.flatMap(({ code, path, key, line, column }) => {
    const kind = kinds[code];
    if (kind === undefined) return [];
    return [kind === 'file' || kind === 'settings' ? `${kind} ${path}` : `${kind}\0${key}\0${line}\0${column}`];
  });
  return [...new Set(seen)].map((one) => one.split('\0')[0]!);
}

function recordedWarnings({ expected }: GooseCase): string[] {
  const path = (text: string): string => /path=(.*?) error=/s.exec(text)?.[1] ?? '';
  return [...expected.loadWarnings, ...expected.loadNotes]
    .map((text) => {
      if (text.startsWith('Failed to load plugin hooks')) return `file ${path(text)}`;
      if (text.startsWith('Failed to read plugin settings')) return `settings ${path(text)}`;
      if (text.startsWith('Failed to load config')) return 'config';
      if (text.startsWith('Invalid hook matcher regex')) return 'matcher';
      if (text.startsWith('Ignoring command hook action')) return 'no command';
      if (text.startsWith('Ignoring unsupported hook action')) return 'type';
      return text.startsWith('Ignoring unknown hook event') ? 'event' : text;
    })
    .sort();
}
