// The least that a program like hookrun does: take the payload in, start one hook, wait for its end, print a document. Not one line more; what
// hookrun costs beyond it is hookrun's own.
import { spawn } from 'node:child_process';

const words = ['bash', '-c', 'true'];
const document = '{"schemaVersion":1,"decision":"allow"}\n';

if ('Bun' in globalThis) {
  const { Bun } = globalThis;
  const payload = await Bun.stdin.text();
  const child = Bun.spawn({ cmd: words, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', detached: true });
  try {
    child.stdin.write(payload);
    await child.stdin.end();
  } catch {
    // It has ended without reading.
  }
  await child.exited;
  await Bun.write(Bun.stdout, document);
} else {
  let payload = '';
  process.stdin.on('data', (chunk) => {
    payload += chunk;
  });
  process.stdin.on('end', () => {
    const child = spawn(words[0], words.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
    child.stdout.resume();
    child.stderr.resume();
    child.once('exit', () => process.stdout.write(document));
  });
}
