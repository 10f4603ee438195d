/** What did not run stands in the order of the configuration, whatever kept it from running. */

import { describe, expect, it } from 'vitest';
import { main } from '../../src/main.ts';
import { hook, runInProject } from '../helpers/gemini-project.ts';
import { testWorld } from '../helpers/world.ts';

const hooks = {
  BeforeTool: [
    { matcher: 'other', hooks: [hook('unmatched', 'true')] },
    { hooks: [{ type: 'Command', name: 'invalid', command: 'true' }, hook('runs', 'true'), hook('off', 'true')] },
    { matcher: 'another', hooks: [hook('unmatched-too', 'true')] },
    { hooks: [hook('runs', 'true'), hook('left-out', 'true')] },
  ],
};

describe('skipped', () => {
  it('in a run that lists all', async () => {
    const args = ['--verbose', '--skip', 'left-out'];
    const { decision } = await runInProject({ hooks, settings: { hooksConfig: { disabled: ['off'] } }, args });
    expect(decision.skipped?.map(({ name, why }) => [name, why])).toEqual([
      ['unmatched', 'matcher'],
      ['invalid', 'invalid'],
      ['off', 'disabled'],
      ['unmatched-too', 'matcher'],
      ['runs', 'duplicate'],
      ['left-out', 'not-selected'],
    ]);
  });
});

it('-o hook has nothing to say about a dry run', async () => {
  const { world, stdout, stderr } = testWorld({ cwd: '/', home: '/none', stdin: '{"hook_event_name":"BeforeTool"}' });
  expect(await main(['--format', 'gemini', '-o', 'hook', '--dry-run'], world)).toBe(2);
  expect(stdout()).toBe('');
  expect(stderr()).toContain('--dry-run decides nothing');
});
