import { resolve } from 'node:path';
import type { UntrustOptions } from '../options.ts';
import { recordView } from '../trust-document.ts';
import { changeTrustStore, readTrustStore } from '../trust-store.ts';
import type { World } from '../world.ts';
import { sayTrust } from './trust.ts';

/**
 * `hookrun untrust`: forgets what was decided about a folder, which need not exist any more. Returns the exit code. Throws `HookrunError`
 * (input-file) for a store that can't be used.
 */
export async function untrust(options: UntrustOptions, world: World): Promise<number> {
  const named = resolve(world.cwd, options.dir ?? '.');
  const folder = world.fs.real(named) ?? named;
  const records = readTrustStore(world.trustFile, world.fs).filter(
    ({ path, format }) => path === folder && (options.format === 'auto' || options.format === format),
  );
  if (records.length > 0) await changeTrustStore(world.trustFile, world.fs, [], records);
  const text = records.map(({ format, decision }) => `forgotten: ${folder} was ${decision} (${format})`);
  return sayTrust(
    {
      trust: { action: 'untrust', folder, records: records.map(recordView) },
      text: text.length === 0 ? [`nothing was decided about ${folder}`] : text,
      code: 0,
    },
    options,
    world,
  );
}
