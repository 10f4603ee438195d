// The main job on fixtures: each scene is an event with its configuration; prints the decision and the exit code of each.
// Ends with 1 when one of them is not as the scene says.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scenes = join(root, 'fixtures', 'demo');
const bold = (text) => (process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text);

/** What of the result document is worth reading in a demo. */
const shown = ['decision', 'reason', 'cause', 'decidedBy', 'message', 'effects', 'followed', 'native', 'error'];

let wrong = 0;
for (const name of readdirSync(scenes).sort()) {
  const scene = JSON.parse(readFileSync(join(scenes, name, 'scene.json'), 'utf8'));
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'hookrun-demo-')));
  cpSync(join(scenes, name), scratch, { recursive: true });
  const project = join(scratch, 'project');
  const home = join(scratch, 'home');
  const payload = readFileSync(join(scratch, 'payload.json'), 'utf8').replaceAll('@PROJECT@', project);
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', NO_COLOR: '1' };
  const program = [join(root, 'bin', 'hookrun.cjs'), ...scene.args];
  const run = spawnSync(process.execPath, program, { cwd: project, env, input: payload, encoding: 'utf8' });
  const decision = JSON.parse(run.stdout);
  const tidy = (text) => text.replaceAll(scratch, '…');
  console.log(bold(`\n${name}: ${scene.title}`));
  console.log(`$ hookrun ${scene.args.join(' ')} < payload.json`);
  console.log(tidy(run.stderr).trimEnd().replace(/^/gm, '  '));
  const known = Object.fromEntries(
    shown.filter((key) => decision[key] !== undefined).map((key) => [key, decision[key]]),
  );
  console.log(tidy(JSON.stringify(known, undefined, 2)).replace(/^/gm, '  '));
  const right = run.status === scene.exit;
  if (!right) wrong += 1;
  console.log(bold(`  exit code ${run.status}${right ? '' : `, but ${scene.exit} was expected`}`));
  rmSync(scratch, { recursive: true, force: true });
}
if (wrong > 0) process.exitCode = 1;
