// Measures hookrun, both builds, against its peers, side by side in one run, and prints medians and ratios as Markdown.
//   npm run bench                          both builds (the standalone one where it has been built)
//   npm run bench -- --rounds 40 --node24  also on Node 24, from the npm registry
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mediansOf, memoryOf, peakOf, timeOf } from './measure.mjs';
import { payloadOf, writeScenes } from './scenes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    events: { type: 'string', default: '10000' },
    node24: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const events = Number(values.events);

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'hookrun-bench-')));
const home = join(scratch, 'home');
mkdirSync(home);
const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', XDG_STATE_HOME: join(scratch, 'state') };
const scenes = writeScenes(join(scratch, 'scenes'));
const entry = join(root, 'bin', 'hookrun.cjs');
const standalone = join(root, 'dist', 'hookrun');
const hasStandalone = existsSync(standalone);
const node24 = values.node24 ? installNode24() : undefined;
const builds = [
  ...(hasStandalone ? [{ label: 'standalone', start: [standalone] }] : []),
  { label: `npm, node ${process.version.slice(1)}`, start: [process.execPath, entry] },
  ...(node24 === undefined ? [] : [{ label: 'npm, node 24', start: [node24, entry] }]),
];

const flags = ['--quiet', '--trust'];
const run = (build, scene, tool, content) => ({
  name: `${build.label}, ${scene}`,
  command: [...build.start, ...flags],
  input: payloadOf(scenes[scene].project, tool, content),
  cwd: scenes[scene].project,
  env,
});
const peer = (name, command, scene, input = payloadOf(scenes[scene].project)) => ({
  name,
  command,
  input,
  cwd: scenes[scene].project,
  env,
});
const nodeOf = (program, label) => peer(label, [program, '-e', '0'], 'one', '');
/** Certificates that a bare node reads on every start, where the machine asks for it: part of what it costs there, and of what hookrun costs. */
const certificates = process.env.NODE_EXTRA_CA_CERTS;
const withCertificates = (program) => ({
  ...program,
  name: `${program.name}, with NODE_EXTRA_CA_CERTS`,
  env: { ...program.env, NODE_EXTRA_CA_CERTS: certificates },
});

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
console.log(
  `hookrun ${version}, node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0].model}`,
);
console.log(`medians of ${rounds} rounds, measured in turns\n`);

const rows = [];
const ratios = [];
const ratio = (name, a, b) => ratios.push([name, a / b]);

/** Measures some programs in turns and keeps a row for each. */
function measure(programs, count = rounds) {
  const medians = mediansOf(programs, count);
  for (const [index, { name }] of programs.entries()) rows.push([name, medians[index]]);
  return medians;
}

{
  const floor = hasStandalone ? compiled('floor') : [];
  const empty = hasStandalone ? compiled('empty') : [];
  const bareName = (build) => `bare ${build.start[0] === node24 ? 'node 24' : 'node'} -e 0`;
  const nothing = (build) => ({ ...run(build, 'one', 'read_file'), name: `${build.label}, nothing matched` });
  const clean = [
    nodeOf(process.execPath, 'bare node -e 0'),
    ...(node24 === undefined ? [] : [nodeOf(node24, 'bare node 24 -e 0')]),
    ...builds.flatMap((build) => [run(build, 'one'), nothing(build)]),
  ];
  const programs = [
    ...clean,
    ...(certificates === undefined ? [] : clean.map(withCertificates)),
    peer('bash+jq dispatcher, one no-op hook', ['bash', join(here, 'dispatcher.sh'), scenes.one.settings], 'one'),
    peer('the bare hook (bash -c true)', ['bash', '-c', 'true'], 'one'),
    ...(empty[0] === undefined ? [] : [peer('floor: an empty bun executable', empty, 'one')]),
    ...(floor[0] === undefined ? [] : [peer('floor: a bun executable that starts one hook', floor, 'one')]),
    peer('floor: node, a script that starts one hook', [process.execPath, join(here, 'floor.mjs')], 'one'),
  ];
  const medians = measure(programs);
  const at = (name) => medians[programs.findIndex((one) => one.name === name)];
  const suffixes = certificates === undefined ? [''] : ['', ', with NODE_EXTRA_CA_CERTS'];
  for (const build of builds) {
    for (const suffix of suffixes) {
      const bare = at(bareName(build) + suffix);
      ratio(`${build.label}: one no-op hook / ${bareName(build)}${suffix}`, at(`${build.label}, one${suffix}`), bare);
      ratio(
        `${build.label}: nothing matched / ${bareName(build)}${suffix}`,
        at(`${build.label}, nothing matched${suffix}`),
        bare,
      );
    }
    ratio(
      `${build.label}: one no-op hook / bash+jq dispatcher`,
      at(`${build.label}, one`),
      at('bash+jq dispatcher, one no-op hook'),
    );
  }
}

for (const build of builds.slice(0, 2)) {
  const few = Math.max(5, Math.round(rounds / 3));
  const [slow, twenty, sequence] = measure(
    [run(build, 'slow'), run(build, 'twenty'), run(build, 'twentyInSequence')],
    few,
  );
  ratio(`${build.label}: 20 hooks of 50 ms in parallel / one`, twenty, slow);
  const [single, big] = measure(
    [{ ...run(build, 'one'), name: `${build.label}, one configured` }, run(build, 'tenThousand')],
    few,
  );
  ratio(`${build.label}: 10,000 configured hooks, one matches / one configured`, big, single);
  ratio(`${build.label}: 20 no-op hooks in sequence / one`, sequence, single);
  measure(
    [{ ...run(build, 'one', 'write_file', 'x'.repeat(10_000_000)), name: `${build.label}, a payload of 10 MB` }],
    few,
  );
}
{
  const commands = Array.from({ length: 20 }, (_, index) => `sleep 0.05; # ${index}`).join('\n');
  measure(
    [
      peer(
        'xargs -P 20, 20 commands of 50 ms',
        ['xargs', '-P', '20', '-d', '\\n', '-n', '1', 'bash', '-c'],
        'one',
        commands,
      ),
    ],
    5,
  );
}

const bareLoop = join(here, 'bare-hooks.mjs');
/** A loop of bare hooks takes the same for each; so many are enough. */
const bareCount = Math.min(events, 2000);
for (const build of builds.slice(0, 2)) {
  const input = `${payloadOf(scenes.one.project)}\n`.repeat(events);
  const inStream = {
    name: `${build.label}, stream`,
    command: [...build.start, 'stream', ...flags],
    input,
    cwd: scenes.one.project,
    env,
  };
  const loop = build.label === 'standalone' ? compiled('bare-hooks') : [process.execPath, bareLoop];
  if (loop[0] === undefined) continue;
  const bare = {
    name: `${build.label}, bare hooks`,
    command: [...loop, String(bareCount), payloadOf(scenes.one.project)],
    cwd: scenes.one.project,
    env,
  };
  const before = timeOf(bare);
  const event = timeOf(inStream) / events;
  const hook = (before + timeOf(bare)) / 2 / bareCount;
  rows.push(
    [`${build.label}, one event of a stream of ${events}`, event],
    [`${build.label}, one bare hook started by the same runtime`, hook],
  );
  ratio(`${build.label}: an event of a stream / the bare hook`, event, hook);
  const memory = await memoryOf(inStream, [100, events]);
  if (memory !== undefined) {
    const [early, late] = memory;
    ratio(`${build.label}: memory after ${events} events / after 100`, late.now, early.now);
    ratio(`${build.label}: peak memory up to ${events} events / up to 100`, late.peak, early.peak);
  }
}

const memories = [];
for (const build of builds) {
  const peak = await peakOf(run(build, 'one'));
  const large = await peakOf(run(build, 'one', 'write_file', 'x'.repeat(10_000_000)));
  if (peak !== undefined) memories.push([build.label, peak, large]);
}
rmSync(scratch, { recursive: true, force: true });

console.log('| what | ms |\n| --- | ---: |');
for (const [name, ms] of rows) console.log(`| ${name} | ${ms.toFixed(1)} |`);
console.log('\n| ratio | |\n| --- | ---: |');
for (const [name, value] of ratios) console.log(`| ${name} | ${value.toFixed(2)} |`);
console.log('\n| peak memory | one hook | a payload of 10 MB |\n| --- | ---: | ---: |');
for (const [name, one, large] of memories) console.log(`| ${name} | ${one.toFixed(0)} MB | ${large.toFixed(0)} MB |`);

function installNode24() {
  const folder = join(scratch, 'node24');
  mkdirSync(folder);
  const name = `node-${process.platform}-${process.arch}`;
  const npm = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@24`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (npm.status !== 0) throw new Error(`${name}@24 could not be installed`);
  return join(folder, 'node_modules', name, 'bin', 'node');
}

/** A script beside this one as a standalone executable, so that both are started by the same runtime. */
function compiled(name) {
  const outfile = join(scratch, name);
  const bun = join(root, 'node_modules', 'bun', 'bin', 'bun.exe');
  if (!existsSync(bun)) return [];
  const script = join(here, `${name}.mjs`);
  const args = ['build', script, '--compile', '--minify', '--bytecode', '--format=esm', `--outfile=${outfile}`];
  return spawnSync(bun, args, { stdio: 'ignore' }).status === 0 ? [outfile] : [];
}
