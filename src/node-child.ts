import type { Readable, Writable } from 'node:stream';
import { builtin } from './builtin.ts';
import type { Child, Ended, Sink, Source, StartChild } from './child.ts';

/** A process as node starts it. */
export const startNodeChild: StartChild = ({ file, args, cwd, env }, streams): Child => {
  const child = builtin.childProcess().spawn(file, args, { cwd, env, stdio: [...streams], detached: true });
  return {
    pid: child.pid,
    ended: new Promise<Ended>((resolve) => {
      child.once('exit', (code, signal) => resolve([code, signal]));
    }),
    failed: new Promise((resolve) => {
      child.on('error', (error) => {
        // 'error' also follows a failed kill; only a child without a pid was never there.
        if (child.pid === undefined) resolve(error);
      });
    }),
    // Not even null where the process could not be started for want of descriptors.
    stdin: child.stdin ? sinkOf(child.stdin) : undefined,
    stdout: child.stdout ? sourceOf(child.stdout) : undefined,
    stderr: child.stderr ? sourceOf(child.stderr) : undefined,
    unref: () => child.unref(),
    kill: () => void child.kill('SIGKILL'),
  };
};

function sinkOf(stream: Writable): Sink {
  // EPIPE and ECONNRESET say no more than that nobody reads it.
  stream.on('error', () => {});
  return { end: (text) => void stream.end(text), destroy: () => void stream.destroy() };
}

function sourceOf(stream: Readable): Source {
  stream.on('error', () => {});
  return {
    read(take, closed) {
      stream.on('data', take);
      stream.once('close', closed);
    },
    destroy: () => void stream.destroy(),
  };
}
