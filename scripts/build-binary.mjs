// Builds the standalone executable with bun, which needs neither Node nor node_modules to run:
//   npm run build:binary                                    for this machine, as dist/hookrun
//   npm run build:binary -- --target linux-arm64 --target darwin-arm64
// Targets: linux-x64, linux-arm64, linux-x64-musl, linux-arm64-musl, darwin-x64, darwin-arm64. bun fetches what it needs for another
// machine than this from the npm registry. A SHA-256 checksum and the notices are written beside each.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { noticesFor } from './notices.mjs';

const known = ['linux-x64', 'linux-arm64', 'linux-x64-musl', 'linux-arm64-musl', 'darwin-x64', 'darwin-arm64'];
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values } = parseArgs({ options: { target: { type: 'string', multiple: true, default: [] } } });
for (const target of values.target)
  if (!known.includes(target)) {
    console.error(`there is no target ${target}; known are ${known.join(', ')}`);
    process.exit(1);
  }

const bun = join(dirname(createRequire(import.meta.url).resolve('bun/package.json')), 'bin', 'bun.exe');
mkdirSync(dist, { recursive: true });

for (const target of values.target.length === 0 ? [undefined] : values.target) {
  const outfile = join(dist, target === undefined ? 'hookrun' : `hookrun-${target}`);
  const args = [
    'build',
    'src/standalone.ts',
    '--compile',
    // Not --minify: with its syntax part functions are merged into larger ones, and optimizing those takes 20 MB more at the peak of a stream.
    ...['--minify-whitespace', '--minify-identifiers'],
    '--bytecode',
    '--format=esm',
    // What lies in the current folder is none of the program's business: by default bun loads its .env into the environment, and runs what its
    // bunfig.toml names.
    ...['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((name) => `--no-compile-autoload-${name}`),
    '--splitting',
    '--asset-naming=[name].[ext]',
    `--define=__VERSION__=${JSON.stringify(version)}`,
    '--define=__BUILD__="standalone"',
    `--outfile=${outfile}`,
    ...(target === undefined ? [] : [`--target=bun-${target}`]),
  ];
  execFileSync(bun, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const hash = createHash('sha256');
  await pipeline(createReadStream(outfile), hash);
  writeFileSync(`${outfile}.sha256`, `${hash.digest('hex')}  ${basename(outfile)}\n`);
  console.log(`${outfile}  ${Math.round(statSync(outfile).size / 1e6)} MB`);
}

// bun says nothing about what it bundled; esbuild finds the same files.
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/index.ts'],
  bundle: true,
  splitting: true,
  outdir: dist,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
  define: { __VERSION__: '""', __BUILD__: '""' },
  logLevel: 'error',
});
writeFileSync(join(dist, 'hookrun.NOTICES.txt'), noticesFor(root, Object.keys(metafile.inputs), ['bun', 'rregex']));
