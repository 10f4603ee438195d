// Starts the same no-op hook again and again, one after the other, and does nothing else: what a stream of events can't be faster than. In the
// way that the runtime does it best, which in bun is not its copy of node:child_process.
import { spawn } from 'node:child_process';

const [count, payload] = process.argv.slice(2);
const words = ['bash', '-c', 'true'];

const byNode = () =>
  new Promise((resolve) => {
    const child = spawn(words[0], words.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
    child.stdout.resume();
    child.stderr.resume();
    child.once('close', resolve);
  });

async function byBun() {
  const child = globalThis.Bun.spawn({ cmd: words, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', detached: true });
  const write = async () => {
    child.stdin.write(payload);
    await child.stdin.end();
  };
  const read = async (stream) => {
    const reader = stream.getReader();
    while (!(await reader.read()).done);
  };
  await Promise.all([write().catch(() => {}), read(child.stdout), read(child.stderr), child.exited]);
}

const start = 'Bun' in globalThis ? byBun : byNode;
for (let index = 0; index < Number(count); index += 1) await start();
