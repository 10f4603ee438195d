/**
 * A process that writes to a trust store again and again, for tests that kill it: says on stdout which of its writes are done.
 * Arguments: folder of the store, its own name, how many writes.
 */

import { diskFs } from '../../src/file-system.ts';
import { diskTrustFile } from '../../src/state.ts';
import { changeTrustStore } from '../../src/trust-store.ts';

const [folder = '', name = '', times = '1'] = process.argv.slice(2);

for (let count = 1; count <= Number(times); count += 1) {
  const record = {
    path: `/writers/${name}`,
    format: 'gemini',
    decision: 'denied',
    date: `${count}`,
    hookrun: '',
  } as const;
  await changeTrustStore(diskTrustFile(folder), diskFs, [record]);
  process.stdout.write(`${count}\n`);
}
