/** What Kimi Code 2.1.0 really sent: every payload is recognised, accepted and handed to a hook byte for byte. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import { kimi } from '../../src/formats/kimi/entry.ts';
import { callHookrun } from '../helpers/hookrun.ts';
import { temporaryFolder } from '../helpers/world.ts';

const folder = join(import.meta.dirname, '../../fixtures/captures/kimi');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('Kimi Code, captured payloads', () => {
  for (const name of names)
    it.concurrent(name, async () => {
      const root = temporaryFolder();
      try {
        const project = join(root.path, 'project');
        const home = join(root.path, 'home');
        const seen = join(root.path, 'seen.json');
        mkdirSync(project);
        mkdirSync(join(home, '.kimi-code'), { recursive: true });
        const event = name.split(/[-.]/, 1)[0]!;
        writeFileSync(
          join(home, '.kimi-code', 'config.toml'),
          `[[hooks]]\nevent = "${event}"\ncommand = 'cat > "$SEEN"; pwd'\n`,
        );
        const payload = readFileSync(join(folder, name), 'utf8').replaceAll('/home/dev/project', project);
        const env = { PATH: process.env['PATH'], HOME: home, SEEN: seen };
        const options = { env, cwd: root.path, home, stdin: payload };
        const { code, stdout } = await callHookrun(['--format', 'auto'], options);
        expect(code).toBe(0);

        const decision = JSON.parse(stdout) as Decision;
        expect(decision.event).toMatchObject({ format: 'kimi', name: event });
        expect(decision.hooks).toHaveLength(1);
        expect(decision.hooks![0]!.stdout).toBe(`${project}\n`);
        expect(decision.warnings).toEqual([]);
        expect(readFileSync(seen, 'utf8')).toBe(payload);
      } finally {
        root.remove();
      }
    });
});

it('has a capture of every event', () => {
  const events = new Set(names.map((name) => name.split(/[-.]/, 1)[0]));
  expect([...events].sort()).toEqual([...kimi.events].sort());
});
