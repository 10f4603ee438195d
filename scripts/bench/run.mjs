// Measures hookrun against its peers, side by side in one run (A B C A B C …), and prints medians and ratios.
//   npm run bench [-- --rounds 40]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } });
const rounds = Number(values.rounds);

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'hookrun-bench-')));
const project = join(scratch, 'project');
const settings = join(project, '.gemini', 'settings.json');
mkdirSync(dirname(settings), { recursive: true });
mkdirSync(join(scratch, 'home'));
writeFileSync(
  settings,
  JSON.stringify({
    hooks: { BeforeTool: [{ matcher: 'write_.*', hooks: [{ type: 'command', name: 'noop', command: 'true' }] }] },
  }),
);
const payloadOf = (tool) =>
  JSON.stringify({
    session_id: 'bench',
    transcript_path: '',
    cwd: project,
    hook_event_name: 'BeforeTool',
    timestamp: '2026-01-02T03:04:05.678Z',
    tool_name: tool,
    tool_input: { file_path: 'a.txt', content: 'hi' },
  });

const hookrun = [process.execPath, join(root, 'bin', 'hookrun.js'), '--quiet', '--trust'];
const peers = [
  { name: 'hookrun, one no-op hook', command: hookrun, input: payloadOf('write_file') },
  { name: 'hookrun, nothing matched', command: hookrun, input: payloadOf('read_file') },
  { name: 'bare node -e 0', command: [process.execPath, '-e', '0'], input: '' },
  {
    name: 'bash+jq dispatcher, one no-op hook',
    command: ['bash', join(here, 'dispatcher.sh'), settings],
    input: payloadOf('write_file'),
  },
  { name: 'the bare hook (bash -c true)', command: ['bash', '-c', 'true'], input: payloadOf('write_file') },
];

const env = { PATH: process.env.PATH, HOME: join(scratch, 'home'), LANG: 'C.UTF-8' };
const times = peers.map(() => []);
for (let round = 0; round < rounds + 3; round += 1) {
  for (const [index, { name, command, input }] of peers.entries()) {
    const began = performance.now();
    const run = spawnSync(command[0], command.slice(1), { cwd: project, env, input });
    const took = performance.now() - began;
    if (run.status !== 0) throw new Error(`${name} ended with ${run.status}: ${run.stderr}`);
    // The first rounds only warm the caches of the system.
    if (round >= 3) times[index].push(took);
  }
}
rmSync(scratch, { recursive: true, force: true });

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const medians = times.map(median);
const [one, none, node, dispatcher, bare] = medians;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
console.log(
  `hookrun ${version}, node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0].model}`,
);
console.log(`medians of ${rounds} rounds, measured in turns\n`);
console.log('| what | ms |\n| --- | ---: |');
for (const [index, { name }] of peers.entries()) console.log(`| ${name} | ${medians[index].toFixed(1)} |`);
console.log('\n| ratio | |\n| --- | ---: |');
const ratios = [
  ['one no-op hook / bare node -e 0', one / node],
  ['one no-op hook / bash+jq dispatcher', one / dispatcher],
  ['nothing matched / bare node -e 0', none / node],
  ['one no-op hook / the bare hook', one / bare],
];
for (const [name, ratio] of ratios) console.log(`| ${name} | ${ratio.toFixed(2)} |`);
