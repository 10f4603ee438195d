// Starts the same no-op hook again and again, one after the other, and does nothing else: what a stream of events can't be faster than.
import { spawn } from 'node:child_process';

const [count, payload] = process.argv.slice(2);
for (let index = 0; index < Number(count); index += 1) {
  await new Promise((resolve) => {
    const child = spawn('bash', ['-c', 'true'], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
    child.stdout.resume();
    child.stderr.resume();
    child.once('close', resolve);
  });
}
