// Builds dist/: the program (which bin/hookrun.cjs starts), the libraries that a run rarely needs as lazily loaded chunks, the entry for those who import
// hookrun, the type declarations, and the JSON Schema of the result.
//
// The sources are ES modules; what is built of them is CommonJS, since node takes 4 ms to get its loader of ES modules ready.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { noticesFor } from './notices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// Not the standalone executables, which scripts/build-binary.mjs puts there.
const old = existsSync(dist) ? readdirSync(dist).filter((name) => !/^hookrun(?:[-.]|$)/.test(name)) : [];
for (const name of old) rmSync(join(dist, name), { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Chunks are required when their turn comes.
  supported: { 'dynamic-import': false },
  define: {
    'import.meta.url': '__filename',
    'import.meta.dirname': '__dirname',
    __VERSION__: JSON.stringify(version),
    __BUILD__: '"npm"',
  },
  // jsonc-parser's UMD build, which `main` names, hides its requires from the bundler.
  mainFields: ['module', 'main'],
  // What cosmiconfig would run or read settings with by itself.
  alias: Object.fromEntries(
    ['import-fresh', 'typescript', 'js-yaml', 'parse-json'].map((name) => [name, join(root, 'scripts', 'no-code.cjs')]),
  ),
  logLevel: 'warning',
};

/** What of zod/mini is used: exported whole, it would bring its messages in forty languages. */
function namesOfZod() {
  const users = readdirSync(join(root, 'src'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  const texts = users.map((name) => readFileSync(join(root, 'src', name), 'utf8'));
  const calls = texts
    .filter((text) => text.includes("from 'zod/mini'"))
    .join('')
    .matchAll(/\bz\.([a-z]\w*)\(/g);
  return [...new Set([...calls].map(([, name]) => name))];
}

// These packages become chunks of their own, loaded when the module that imports them is. hookrun's own modules stay in one file: functions that
// are never called are not compiled anyway.
const lazy = {
  chalk: ['chalk', 'Chalk'],
  'jsonc-parser': ['jsonc-parser', 'stripComments'],
  yaml: ['yaml', 'parse, parseDocument'],
  'cosmiconfig/dist/ExplorerSync.js': ['cosmiconfig', 'ExplorerSync'],
  commander: ['commander', 'Command, CommanderError, InvalidArgumentError, Option'],
  'zod/mini': ['zod-mini', namesOfZod().join(', ')],
};
/** Even where they are imported plainly: by modules that themselves are loaded only when they are needed. */
const apart = ['commander', 'zod/mini'];
/** In the entry: the import of such a package is left to run time. */
const leaveOut = {
  name: 'lazy-chunks',
  setup({ onResolve }) {
    onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
      kind !== 'entry-point' && Object.hasOwn(lazy, path) && (kind === 'dynamic-import' || apart.includes(path))
        ? { path: `./lib/${lazy[path][0]}.cjs`, external: true }
        : undefined,
    );
  },
};
/** As an entry of its own: with its names, which a CommonJS package would else not export. */
const reExport = {
  name: 'named-exports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^lazy:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'lazy' }));
    onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({
      contents: `export { ${lazy[path][1]} } from ${JSON.stringify(path)};`,
      resolveDir: root,
    }));
  },
};

const common = { ...shared, metafile: true, minify: true, outExtension: { '.js': '.cjs' } };
const results = await Promise.all([
  build({
    ...common,
    entryPoints: { '.program': 'src/npm-program.ts' },
    outdir: dist,
    plugins: [leaveOut],
    // As node wraps a CommonJS module, and bin/hookrun.cjs then need not.
    banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
    footer: { js: '})' },
  }),
  build({
    ...common,
    entryPoints: Object.fromEntries(Object.entries(lazy).map(([path, [name]]) => [name, `lazy:${path}`])),
    outdir: join(dist, 'lib'),
    plugins: [reExport],
  }),
]);
const program = join(dist, 'program.cjs');
const made = join(dist, '.program.cjs');
const text = readFileSync(made, 'latin1');
rmSync(made);
if (/[^\x00-\x7f]/.test(text)) throw new Error(`${program} is to be ASCII, since it is read as such`);
// By its first line one program is told from another: to V8 two of the same length are one.
const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
// In one step: half of it would be no program.
writeFileSync(`${program}.new`, `//${id}\n${text}`);
renameSync(`${program}.new`, program);
copyFileSync(join(root, 'scripts', 'library.mjs'), join(dist, 'index.js'));
const bundled = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));

// Rust's regex engine, read by name from beside the chunks.
copyFileSync(join(dirname(createRequire(import.meta.url).resolve('rregex')), 'rregex.wasm'), join(dist, 'rregex.wasm'));

writeFileSync(join(dist, 'NOTICES.txt'), noticesFor(root, bundled, ['rregex']));

// The schema is the one that the types come from; full zod is needed for it here and nowhere at run time.
const schemaModule = join(dist, '.schema.mjs');
await build({ ...shared, format: 'esm', entryPoints: ['scripts/decision-schema-json.ts'], outfile: schemaModule });
const { schemaText, typesText } = await import(pathToFileURL(schemaModule).href);
writeFileSync(join(dist, 'decision.schema.json'), schemaText);
rmSync(schemaModule);

const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
// What tsc makes of this one asks for zod, which the package does not bring.
writeFileSync(join(dist, 'types', 'decision-schema.d.ts'), typesText);
