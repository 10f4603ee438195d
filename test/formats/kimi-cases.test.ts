/** Every recorded case of Kimi Code's own engine: hookrun's `native` is the engine's result, or the pin beside it says why not. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseCall } from '../../src/cli.ts';
import type { Decision } from '../../src/decision-schema.ts';
import { differences } from '../../src/differences.ts';
import { prepare } from '../../src/prepare.ts';
import { callHookrun } from '../helpers/hookrun.ts';
import { type TestWorld, temporaryFolder, testWorld } from '../helpers/world.ts';

interface Native {
  readonly results: readonly unknown[];
  readonly block: unknown;
  readonly userPrompt: { readonly append: { readonly text: string } | null; readonly block: unknown };
}

interface Expected {
  readonly matched: readonly { matcher: string | null; command: string; timeout: number; cwd?: string }[];
  readonly results: Native['results'];
  readonly blockDecision: unknown;
  readonly userPrompt: Native['userPrompt'];
  readonly blockable: boolean;
  readonly stdin: unknown;
  readonly diagnostics: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

/** `hookrun.json` beside a case: the row of the table of differences, and what hookrun does there. */
interface Pin {
  readonly difference: string;
  readonly decision?: string;
  readonly native?: Native;
  readonly files?: Readonly<Record<string, string>>;
  readonly settleMs?: number;
  readonly warnings?: readonly string[];
}

interface CaseFile {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: boolean;
  readonly settleMs?: number;
  readonly elapsedMs?: readonly [number, number];
}

const folder = fileURLToPath(new URL('../../fixtures/cases/kimi/', import.meta.url));
/**
 * Other tests run beside this one, so nothing is as quick as it was for the engine alone. That hooks run at the same time and that
 * nobody waits for a background process is proved by other means (kimi-run.test.ts, and the files that cases leave).
 */
const slackMs = 2000;

/** A copy of a case, laid out as the engine saw it. */
function layOut(name: string, root: string) {
  const copy = join(root, 'case');
  const tmp = join(root, 'tmp');
  cpSync(join(folder, name), copy, { recursive: true });
  const fill = (text: string): string =>
    text
      .replaceAll('@CASE@', copy)
      .replaceAll('@TMP@', tmp)
      .replace(/@A\*(\d+)@/g, (_, count) => 'A'.repeat(Number(count)));
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) writeFileSync(path, fill(readFileSync(path, 'utf8')));
  }
  const home = join(tmp, '.kimi-code');
  mkdirSync(home, { recursive: true });
  cpSync(join(copy, 'config.toml'), join(home, 'config.toml'));
  if (existsSync(join(copy, 'plugins'))) cpSync(join(copy, 'plugins'), join(home, 'plugins'), { recursive: true });
  const json = (file: string): unknown =>
    existsSync(join(copy, file)) ? JSON.parse(readFileSync(join(copy, file), 'utf8')) : undefined;
  return {
    tmp,
    payload: readFileSync(join(copy, 'payload.json'), 'utf8'),
    expected: json('expected.json') as Expected,
    file: (json('case.json') ?? {}) as CaseFile,
    pin: json('hookrun.json') as Pin | undefined,
  };
}

function filesIn(tmp: string): Record<string, string> {
  const names = readdirSync(tmp).filter((name) => name !== '.kimi-code' && statSync(join(tmp, name)).isFile());
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(tmp, name), 'utf8')]));
}

/** A value as expected.json writes it: null for what is not there, long strings by length and hash. */
function asRecorded(actual: unknown, expected: unknown, tmp: string): unknown {
  if (actual === undefined) return null;
  if (typeof actual === 'string' && typeof expected === 'object' && expected !== null && 'sha256' in expected) {
    const text = actual.replaceAll(tmp, '@TMP@');
    return { ...expected, length: text.length, sha256: createHash('sha256').update(text).digest('hex') };
  }
  if (Array.isArray(actual))
    return actual.map((one, index) => asRecorded(one, (expected as unknown[] | undefined)?.[index], tmp));
  if (typeof actual !== 'object' || actual === null) return actual;
  const wanted = (expected ?? {}) as Record<string, unknown>;
  const keys = new Set([...Object.keys(wanted), ...Object.keys(actual)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, asRecorded((actual as Record<string, unknown>)[key], wanted[key], tmp)]),
  );
}

async function runCase(name: string): Promise<void> {
  const root = temporaryFolder();
  try {
    const { tmp, payload, expected, file, pin } = layOut(name, root.path);
    const env = { PATH: process.env['PATH'], HOME: tmp, LANG: 'C.UTF-8', ...file.env };
    const world = (): TestWorld => testWorld({ env, cwd: tmp, home: tmp, stdin: payload });
    const run = async (argv: readonly string[]): Promise<{ decision: Decision; code: number }> => {
      const options = { env, cwd: tmp, home: tmp, stdin: payload };
      const { code, stdout } = await callHookrun(['--format', 'kimi', ...argv], options);
      return { decision: JSON.parse(stdout), code };
    };

    const parseFailure = expected.diagnostics.find((text) => text.startsWith('Failed to parse'));
    if (parseFailure !== undefined) {
      const { decision, code } = await run([]);
      // Versions of the parser differ in where they see the fault: before or after the line's end.
      const line = Number(/ \(line (\d+), column \d+\)$/.exec(parseFailure)![1]);
      expect(code).toBe(78);
      expect(decision.error).toMatchObject({ code: 'kimi-toml-syntax', column: expect.any(Number) });
      expect(decision.error!.line! - line).toBeOneOf([0, -1]);
      return;
    }

    const dry = await run(['--dry-run']);
    const planned = (dry.decision.hooks ?? []).map(({ matcher, command, timeoutMs, cwd }, index) => ({
      matcher: matcher ?? null,
      command,
      timeout: timeoutMs! / 1000,
      ...(expected.matched[index]?.cwd === undefined ? {} : { cwd }),
    }));
    const wanted = expected.matched.map(({ matcher, command, timeout, cwd }) => ({
      matcher,
      command,
      timeout,
      ...(cwd === undefined ? {} : { cwd }),
    }));
    expect(planned).toEqual(wanted);

    if (expected.stdin !== null) {
      const { world: one } = world();
      const call = await parseCall(['--format', 'kimi'], one);
      if (call.command !== 'run') throw new Error('no run');
      const { event } = await prepare(call.options, one);
      expect(asRecorded(event.text, expected.stdin, tmp)).toEqual(expected.stdin);
    }

    const { decision, code } = await run([]);
    const ended = performance.now();
    expect(decision.hooks?.map((hook) => hook.command)).toEqual(expected.matched.map((hook) => hook.command));
    const native: Native = pin?.native ?? {
      results: expected.results,
      block: expected.blockDecision,
      userPrompt: expected.userPrompt,
    };
    expect(asRecorded(decision.native, native, tmp)).toEqual(asRecorded(native, native, tmp));
    const ruling = pin?.decision ?? (expected.blockable && native.block !== null ? 'deny' : 'allow');
    expect(decision.decision).toBe(ruling);
    expect(code).toBe(ruling === 'deny' ? 2 : 0);
    expect(decision.effects?.appendedContext).toBe(native.userPrompt.append?.text);
    if (ruling === 'deny') expect(decision.reason).toBe((native.block as { reason: string }).reason);
    if (expected.diagnostics.length > 0) expect(decision.warnings).not.toEqual([]);
    for (const warning of pin?.warnings ?? []) expect(decision.warnings?.map((one) => one.code)).toContain(warning);

    const [min, max] = (pin === undefined ? file.elapsedMs : undefined) ?? [0, Number.POSITIVE_INFINITY];
    expect(decision.durationMs).toBeGreaterThanOrEqual(min);
    expect(decision.durationMs).toBeLessThanOrEqual(max + slackMs);
    if (file.files === true) {
      const left = (pin?.settleMs ?? file.settleMs ?? 0) - (performance.now() - ended);
      await new Promise((resolve) => setTimeout(resolve, left));
      expect(filesIn(tmp)).toEqual(pin?.files ?? expected.files);
    }
  } finally {
    root.remove();
  }
}

const names = readdirSync(folder).sort();

describe('Kimi Code, recorded cases', () => {
  for (const name of names) it.concurrent(name, () => runCase(name));
});

it('pins only rows of the table of differences', () => {
  const pins = names
    .map((name) => join(folder, name, 'hookrun.json'))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Pin);
  const known = differences.filter((row) => row.format === 'kimi').map((row) => row.id);
  for (const pin of pins) expect(known).toContain(pin.difference);
});
