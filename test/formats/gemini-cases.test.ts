/** What Gemini CLI's own engine made of these inputs, hookrun makes of them too, or a row of the table of differences says why not. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { differences } from '../../src/differences.ts';
import { layOut } from '../helpers/gemini-case.ts';
import { callHookrun } from '../helpers/hookrun.ts';
import { temporaryFolder } from '../helpers/world.ts';

const cases = join(import.meta.dirname, '../../fixtures/cases/gemini');

describe.concurrent('recorded cases of Gemini CLI', () => {
  for (const name of readdirSync(cases)) {
    it(name, async () => {
      const scratch = temporaryFolder('hookrun-gemini-');
      try {
        const { project, home, env, payload, expected, pinned, fs } = layOut(join(cases, name), scratch.path);
        const argv = ['--format', 'gemini', '--verbose', '--project', project];
        const options = { cwd: project, home, env, stdin: payload, ...(fs === undefined ? {} : { fs }) };
        const { code, stdout, stderr } = await callHookrun(argv, options);
        const decision = JSON.parse(stdout) as Decision;

        if (expected.fatal !== undefined) {
          expect(decision.error?.exit, stderr).toBe(78);
          expect(code).toBe(78);
          return;
        }
        const native = pinned !== undefined && 'native' in pinned ? pinned.native : (expected.finalOutput ?? null);
        if (pinned?.systemMessage !== undefined)
          expect((decision.native as { systemMessage: string }).systemMessage).toMatch(
            new RegExp(pinned.systemMessage),
          );
        else if (code !== 77) expect(decision.native, stdout).toEqual(native);
        const ran = (decision.hooks ?? []).map((hook) => hook.name);
        expect(ran, stdout).toEqual(pinned?.hooks ?? expected.plan?.hooks.map((hook) => hook.name) ?? []);
        if (decision.mode !== undefined && ran.length > 0 && pinned?.hooks === undefined)
          expect(decision.mode).toBe(expected.plan?.sequential === true ? 'sequential' : 'parallel');
        if ((expected.settingsErrors ?? []).length > 0) expect(decision.warnings?.length).toBeGreaterThan(0);

        const engine = engineDecision(native, decision);
        if (pinned === undefined) {
          expect(decision.decision, stdout).toBe(engine);
          expect(decision.engine?.decision).toBeUndefined();
        } else {
          expect(differences.map((row) => row.id)).toContain(pinned.difference);
          if (pinned.decision !== undefined) expect(decision.decision, stdout).toBe(pinned.decision);
          if (pinned.exitCode !== undefined) expect(code).toBe(pinned.exitCode);
          if (decision.decision !== engine && code !== 77) {
            expect(decision.engine?.decision).toBe(engine);
            const said = (decision.warnings ?? []).filter((warning) => warning.code === 'engine-differs');
            expect(said.map((warning) => warning.message).join('\n')).toContain(pinned.difference);
          }
        }
      } finally {
        scratch.remove();
      }
    });
  }
});

function engineDecision(native: unknown, decision: Decision): string {
  if (native === null || decision.event?.canBlock !== true) return 'allow';
  const output = native as { continue?: boolean; decision?: string };
  if (output.continue === false) return 'stop';
  return output.decision === 'block' ? 'deny' : (output.decision ?? 'allow');
}
