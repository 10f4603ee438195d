/** Every payload that Gemini CLI really sent is accepted, recognised, and reaches a hook byte for byte. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { callHookrun } from '../helpers/hookrun.ts';
import { temporaryFolder } from '../helpers/world.ts';

const captures = join(import.meta.dirname, '../../fixtures/captures/gemini');

describe.concurrent('captured payloads of Gemini CLI', () => {
  for (const file of readdirSync(captures).filter((name) => name.endsWith('.json'))) {
    it(file, async () => {
      const scratch = temporaryFolder('hookrun-capture-');
      try {
        const home = join(scratch.path, 'home');
        const project = join(home, 'project');
        mkdirSync(join(project, '.gemini'), { recursive: true });
        const payload = readFileSync(join(captures, file), 'utf8').replaceAll('/home/dev', home);
        const { hook_event_name: event } = JSON.parse(payload) as { hook_event_name: string };
        const hook = { type: 'command', name: 'keep', command: 'cat > got.json' };
        writeFileSync(
          join(project, '.gemini', 'settings.json'),
          JSON.stringify({ hooks: { [event]: [{ hooks: [hook] }] } }),
        );
        const { code, stdout } = await callHookrun(['--trust'], { cwd: home, home, stdin: payload });
        const decision = JSON.parse(stdout) as Decision;
        expect(code, stdout).toBe(0);
        expect(decision.event).toMatchObject({ format: 'gemini', name: event });
        expect(readFileSync(join(project, 'got.json'), 'utf8')).toBe(payload);
      } finally {
        scratch.remove();
      }
    });
  }
});
