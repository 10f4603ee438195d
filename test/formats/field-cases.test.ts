/** Trouble that people reported with hooks of these agents, and what hookrun makes of it. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import * as formats from '../../src/formats/index.ts';
import { type FieldExpectation, layOutField, readRuns } from '../helpers/field-case.ts';
import { callHookrun } from '../helpers/hookrun.ts';
import { temporaryFolder } from '../helpers/world.ts';

const cases = join(import.meta.dirname, '../../fixtures/cases/field');

describe.concurrent('reported trouble', () => {
  for (const name of readdirSync(cases)) {
    const folder = join(cases, name);
    for (const [index, run] of readRuns(folder).entries()) {
      if (!Object.hasOwn(formats, run.format)) continue;
      it(`${name} run ${index + 1} (${run.format})`, async () => {
        const scratch = temporaryFolder('hookrun-field-');
        try {
          const { project, home, env, payload } = layOutField(folder, run, scratch.path);
          const trust = run.untrusted === true ? [] : ['--trust'];
          const began = performance.now();
          const argv = ['--format', run.format, '--verbose', ...trust];
          const { code, stdout, stderr } = await callHookrun(argv, { cwd: project, home, env, stdin: payload });
          const seconds = (performance.now() - began) / 1000;
          const decision = JSON.parse(stdout) as Decision;
          check(decision, code, run.hookrun, stderr);
          // On a busy machine everything takes longer; the bound proves that it ends at all.
          if (run.hookrun.max_seconds !== undefined) expect(seconds).toBeLessThan(run.hookrun.max_seconds + 4);
          if (run.hookrun.min_seconds !== undefined) expect(seconds).toBeGreaterThanOrEqual(run.hookrun.min_seconds);
          if (run.hookrun.settle !== undefined) await setTimeout(run.hookrun.settle * 1000);
          checkFiles(project, run.hookrun);
        } finally {
          scratch.remove();
        }
      });
    }
  }
});

function check(decision: Decision, code: number, expected: FieldExpectation, stderr: string): void {
  const shown = JSON.stringify(decision);
  if (expected.config === 'rejected') {
    expect(code, shown).toBe(expected.exitCode ?? 78);
    expect(decision.error?.line, shown).toBeGreaterThan(0);
    expect(decision.error?.column, shown).toBeGreaterThan(0);
    return;
  }
  expect(decision.decision, shown).toBe(expected.decision);
  if (expected.exitCode !== undefined) expect(code).toBe(expected.exitCode);
  expect(decision.hooks?.length, shown).toBe(expected.fires);
  for (const text of expected.reason_contains ?? []) expect(decision.reason, shown).toContain(text);
  for (const text of expected.reason_lacks ?? []) expect(decision.reason ?? '', shown).not.toContain(text);
  for (const text of expected.message_contains ?? []) expect(decision.effects?.systemMessage, shown).toContain(text);
  for (const text of expected.context_contains ?? [])
    expect(decision.effects?.additionalContext, shown).toContain(text);
  if (expected.tool_input !== undefined) expect(decision.effects?.toolInput, shown).toEqual(expected.tool_input);
  const codes = [
    ...(decision.warnings ?? []).map((warning) => warning.code),
    ...(decision.skipped ?? []).filter((one) => one.why !== 'matcher').map((one) => `skipped:${one.why}`),
    ...(decision.hooks ?? []).flatMap((hook) => (hook.failure === undefined ? [] : [`failure:${hook.failure}`])),
    ...(decision.hooks ?? []).flatMap((hook) => (hook.truncated === true ? ['truncated'] : [])),
    ...(decision.hooks ?? []).flatMap((hook) => (hook.strippedEnv === undefined ? [] : ['stripped-env'])),
  ];
  for (const one of expected.codes ?? []) expect(codes, shown).toContain(one);
  if (expected.codes === undefined) expect(codes, stderr).toEqual([]);
}

function checkFiles(project: string, expected: FieldExpectation): void {
  const text = (name: string): string => readFileSync(join(project, name), 'utf8');
  for (const name of expected.files_present ?? []) expect(existsSync(join(project, name)), name).toBe(true);
  for (const name of expected.files_absent ?? []) expect(existsSync(join(project, name)), name).toBe(false);
  for (const [name, part] of Object.entries(expected.file_text ?? {})) expect(text(name)).toContain(part);
  for (const [name, part] of Object.entries(expected.file_text_lacks ?? {})) expect(text(name)).not.toContain(part);
}
