// Builds dist/: one ESM entry, the libraries that a run rarely needs as lazily loaded chunks, the type declarations, and the JSON Schema of the
// result.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { noticesFor } from './notices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  define: { __VERSION__: JSON.stringify(version), __BUILD__: '"npm"' },
  // jsonc-parser's UMD build, which `main` names, hides its requires from the bundler.
  mainFields: ['module', 'main'],
  // What cosmiconfig would run or read settings with by itself.
  alias: Object.fromEntries(
    ['import-fresh', 'typescript', 'js-yaml', 'parse-json'].map((name) => [name, join(root, 'scripts', 'no-code.cjs')]),
  ),
  logLevel: 'warning',
};

// What is loaded by `await import` of its package becomes a chunk of its own. hookrun's own modules stay in the entry: node takes about a
// millisecond for each file of a program, and functions that are never called are not compiled anyway.
const lazy = {
  chalk: ['chalk', 'Chalk'],
  'jsonc-parser': ['jsonc-parser', 'stripComments'],
  yaml: ['yaml', 'parse, parseDocument'],
  'cosmiconfig/dist/ExplorerSync.js': ['cosmiconfig', 'ExplorerSync'],
};
/** In the entry: the import of such a package is left to run time. */
const leaveOut = {
  name: 'lazy-chunks',
  setup({ onResolve }) {
    onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && Object.hasOwn(lazy, path)
        ? { path: `./lib/${lazy[path][0]}.js`, external: true }
        : undefined,
    );
  },
};
/**
 * Node's own modules by require: for an `import` of one node makes a namespace object with everything in it, which calls getters that load twenty
 * more modules, on every start.
 */
const requireBuiltins = {
  name: 'require-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' && path !== 'node:module' ? { path, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      loader: 'js',
    }));
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

// commander and cosmiconfig are CommonJS and ask for node's own modules by require.
const banner = { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" };
const common = { ...shared, metafile: true, minify: true, banner };
const results = await Promise.all([
  build({ ...common, entryPoints: ['src/index.ts'], outdir: dist, plugins: [leaveOut, requireBuiltins] }),
  build({
    ...common,
    entryPoints: Object.fromEntries(Object.entries(lazy).map(([path, [name]]) => [name, `lazy:${path}`])),
    outdir: join(dist, 'lib'),
    plugins: [reExport],
  }),
]);
const bundled = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));

// Rust's regex engine, read by name from beside the chunks.
copyFileSync(join(dirname(createRequire(import.meta.url).resolve('rregex')), 'rregex.wasm'), join(dist, 'rregex.wasm'));

writeFileSync(join(dist, 'NOTICES.txt'), noticesFor(root, bundled, ['rregex']));

// The schema is the one that the types come from; full zod is needed for it here and nowhere at run time.
const schemaModule = join(dist, '.schema.mjs');
await build({ ...shared, entryPoints: ['scripts/decision-schema-json.ts'], outfile: schemaModule });
const { schemaText } = await import(pathToFileURL(schemaModule).href);
writeFileSync(join(dist, 'decision.schema.json'), schemaText);
rmSync(schemaModule);

const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
