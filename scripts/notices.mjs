// The licences of everything that is bundled, as one text to lie beside a build.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param root the project's folder
 * @param inputs paths of the files that went into a bundle, relative to it
 * @param more packages that come along in another way
 */
export function noticesFor(root, inputs, more = []) {
  const used = new Set(more);
  for (const input of inputs) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found !== null) used.add(found[1]);
  }
  const parts = [...used].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = existsSync(folder) ? readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one)) : undefined;
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n${'-'.repeat(name.length + version.length + 1)}\n\n${text}\n`;
  });
  return `hookrun contains these packages, under their own licences.\n\n${parts.join('\n\n')}`;
}
