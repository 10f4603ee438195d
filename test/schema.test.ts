/** The published JSON Schema is that of the type, and what hookrun prints keeps to it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaText } from '../scripts/decision-schema-json.ts';
import { decisionSchema } from '../src/decision-schema.ts';
import { hook, runInProject } from './helpers/gemini-project.ts';

const strict = decisionSchema.strict();

describe('the schema of the decision', () => {
  it('is the one that the build publishes', () => {
    expect(readFileSync(join(import.meta.dirname, '../dist/decision.schema.json'), 'utf8')).toBe(schemaText);
    expect(JSON.parse(schemaText)).toMatchObject({ type: 'object', required: ['schemaVersion', 'decision'] });
  });

  it.each([
    ['an allow', { hooks: { BeforeTool: [{ hooks: [hook('a', 'true')] }] } }],
    ['a denial', { hooks: { BeforeTool: [{ hooks: [hook('a', 'echo no >&2; exit 2')] }] } }],
    ['a failure', { hooks: { BeforeTool: [{ hooks: [hook('a', 'kill -9 $$')] }] } }],
    ['a timeout', { hooks: { BeforeTool: [{ hooks: [hook('a', 'exec sleep 60', { timeout: 50 })] }] } }],
    [
      'a dry run',
      { hooks: { BeforeTool: [{ matcher: 'x', hooks: [hook('a', 'true')] }, { hooks: [{}] }] }, args: ['-n'] },
    ],
    ['an error', { hooks: {}, payload: { hook_event_name: 'Nope' } }],
    ['nothing matched', { hooks: {}, args: ['--require-match'] }],
  ])('%s keeps to it', async (_name, run) => {
    const { decision } = await runInProject(run);
    expect(strict.safeParse(decision).error?.issues).toBeUndefined();
  });
});
