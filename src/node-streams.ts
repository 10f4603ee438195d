import type { SlowOutput, SlowStreams } from './standard-streams.ts';

/** Node's own standard streams, each made when it is first needed. */
export const nodeStreams: SlowStreams = {
  stdin: {
    chunks: () => process.stdin as AsyncIterable<Buffer>,
    // By events, since making an iterator of a stream takes almost as long as making the stream.
    each: (take) =>
      new Promise((resolve, reject) => {
        const { stdin } = process;
        stdin.on('data', take);
        stdin.once('end', resolve);
        stdin.once('close', resolve);
        stdin.once('error', reject);
      }),
    close: () => void process.stdin.destroy(),
  },
  stdout: outputTo(() => process.stdout),
  stderr: outputTo(() => process.stderr),
};

function outputTo(stream: () => NodeJS.WriteStream): SlowOutput {
  let made: NodeJS.WriteStream | undefined;
  const ready = (): NodeJS.WriteStream => {
    if (made === undefined) {
      made = stream();
      // Without a listener a reader that went away (`hookrun | head -1`) would end the program before its exit code is known.
      made.on('error', () => {});
    }
    return made;
  };
  return {
    write: (bytes) => new Promise((resolve) => void ready().write(bytes, () => resolve())),
    get columns() {
      return ready().columns;
    },
  };
}
