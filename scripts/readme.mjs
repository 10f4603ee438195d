// Writes the parts of the README that are made from data: npm run readme.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(root, 'node_modules', '.hookrun-readme-'));
const bundle = join(scratch, 'sections.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['scripts/readme-sections.ts'],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
  define: { __VERSION__: '""', __BUILD__: '""' },
  logLevel: 'warning',
});
const { generatedSections } = await import(pathToFileURL(bundle).href);
rmSync(scratch, { recursive: true });

const path = join(root, 'README.md');
let text = readFileSync(path, 'utf8');
for (const [name, section] of Object.entries(await generatedSections())) {
  const marks = new RegExp(`<!-- ${name} -->.*?<!-- /${name} -->`, 's');
  if (!marks.test(text)) throw new Error(`README.md has no <!-- ${name} --> … <!-- /${name} -->`);
  text = text.replace(marks, () => `<!-- ${name} -->\n${section}\n<!-- /${name} -->`);
}
writeFileSync(path, text);
