/** What was trusted and is no longer there refuses a run as well: a guard that is silently off is worse than a stop. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrustScene, type TrustScene } from './helpers/trust-scene.ts';

let scene: TrustScene;
beforeEach(() => {
  scene = createTrustScene();
});
afterEach(() => scene.remove());

const settings = 'project/.gemini/settings.json';
const guard = { type: 'command', name: 'guard', command: 'exit 2' };

describe('a trusted guard that is taken away', () => {
  it.each([
    [
      'its matcher misses now',
      () => scene.put(settings, { hooks: { BeforeTool: [{ matcher: 'x', hooks: [guard] }] } }),
    ],
    ['its event is misspelt', () => scene.put(settings, { hooks: { BeforeTol: [{ hooks: [guard] }] } })],
    ['it is removed', () => scene.put(settings, { hooks: {} })],
    ['the file is deleted', () => rmSync(join(scene.root, settings))],
  ])('%s', async (_how, change) => {
    scene.put(settings, { hooks: { BeforeTool: [{ hooks: [guard] }] } });
    expect((await scene.trust(['trust'])).code).toBe(0);
    expect((await scene.event()).code).toBe(2);
    change();
    const made = await scene.event();
    expect(made).toMatchObject({ code: 77, decision: { cause: 'untrusted' } });
    expect(made.decision.reason).toMatch(/removed hook guard|edited hook guard|everything that was trusted is gone/);
    // The user may say that this is as it should be.
    expect((await scene.trust(['untrust'])).code).toBe(0);
    expect((await scene.event()).code).toBe(0);
  });

  it('HOOKRUN_TRUST=<fingerprint> holds a checkout to it too', async () => {
    scene.put(settings, { hooks: { BeforeTool: [{ hooks: [guard] }] } });
    const value = (await scene.trust(['trust', '--fingerprint', '--plain'])).out.trim();
    expect((await scene.event({ env: { HOOKRUN_TRUST: value } })).code).toBe(2);
    scene.put(settings, { hooks: { BeforeTool: [{ matcher: 'x', hooks: [guard] }] } });
    expect((await scene.event({ env: { HOOKRUN_TRUST: value } })).code).toBe(77);
  });
});

describe('mistakes in a project that nobody has decided about', () => {
  const broken = { hooks: { BeforeTool: [{ hooks: [{ type: 'Command', name: 'guard', command: 'exit 2' }] }] } };

  it('are said, also in a dry run', async () => {
    scene.put(settings, broken);
    for (const args of [[], ['--dry-run']]) {
      const { decision } = await scene.event({ args });
      expect(decision.warnings).toMatchObject([{ code: 'gemini-entry-invalid' }]);
      expect(decision.skipped).toMatchObject([{ name: 'guard', why: 'invalid' }]);
    }
  });

  it('are failures where no failure may pass, and errors where no warning may', async () => {
    scene.put(settings, broken);
    expect(await scene.event({ args: ['--on-failure', 'block'] })).toMatchObject({
      code: 2,
      decision: { decision: 'deny', cause: 'hook_failure', decidedBy: ['guard'] },
    });
    expect((await scene.event({ args: ['--strict'] })).code).toBe(78);
    expect((await scene.event()).code).toBe(0);
  });
});
