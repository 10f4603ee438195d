/** A fourth agent costs one folder, its fixtures and one line of a registry: here is one that does not exist. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Decision } from '../../src/decision-schema.ts';
import * as formats from '../../src/formats/index.ts';
import { main } from '../../src/main.ts';
import { madeUp } from '../helpers/made-up/entry.ts';
import { temporaryFolder, testWorld } from '../helpers/world.ts';

async function run(config: string, payload: string, args: readonly string[] = []) {
  const scratch = temporaryFolder();
  try {
    writeFileSync(join(scratch.path, '.made-up'), config);
    const { world, stdout } = testWorld({
      cwd: scratch.path,
      home: scratch.path,
      stdin: payload,
      formats: [...Object.values(formats), madeUp],
    });
    const code = await main(args, world);
    return { code, decision: JSON.parse(stdout() || '{}') as Decision };
  } finally {
    scratch.remove();
  }
}

it('is recognised by its payload, runs in its own order and ends its chain', async () => {
  const { code, decision } = await run(
    'Before true\nBefore echo no >&2; exit 9\nBefore true\nAfter exit 9\n',
    '{"made_up_event":"Before"}',
  );
  expect(code).toBe(2);
  expect(decision).toMatchObject({
    decision: 'deny',
    reason: 'no',
    decidedBy: ['line-2'],
    event: { format: 'made-up' },
    native: 'deny',
  });
  expect(decision.hooks?.map(({ name }) => name)).toEqual(['line-1', 'line-2']);
  expect(decision.skipped).toMatchObject([{ name: 'line-3', why: 'chain-ended', source: { line: 3 } }]);
});

it('can be named, and obeys the failure policy', async () => {
  const { code, decision } = await run('Before exit 5\n', '', [
    '--format',
    'made-up',
    '--event',
    'Before',
    '--on-failure',
    'block',
  ]);
  expect(code).toBe(2);
  expect(decision).toMatchObject({
    decision: 'deny',
    cause: 'hook_failure',
    reason: 'exit code 5',
    engine: { decision: 'allow' },
  });
});

it('speaks its own protocol with -o hook', async () => {
  const { code } = await run('Before exit 9\n', '{"made_up_event":"Before"}', ['-o', 'hook']);
  expect(code).toBe(9);
});
