/**
 * The standard streams in the standalone executable. bun's copies of `process.stdin` and `process.stdout` take 3 to 7 ms to make, and a signal passes
 * for the end of the input there; its own take a quarter of one.
 */

import { asBuffer, eachPiece } from './bun-reader.ts';
import type { SlowOutput, SlowStreams } from './standard-streams.ts';

type File = { stream(): ReadableStream<Uint8Array> };

/** What is used here of bun's own; its types would change those of everything else. */
declare const Bun: {
  readonly stdin: File;
  readonly stdout: File;
  readonly stderr: File;
  write(file: File, bytes: Uint8Array): Promise<number>;
  gc(isSynchronous: boolean): void;
};

/** Left to itself the heap of a stream grows to twice what one event needs before it is looked through. */
export const collectInBun = (): void => Bun.gc(true);

let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

const outputTo = (file: File, stream: () => NodeJS.WriteStream): SlowOutput => ({
  // A reader that went away is not ours to mend.
  write: (bytes) =>
    Bun.write(file, bytes).then(
      () => {},
      () => {},
    ),
  get columns() {
    return stream().columns;
  },
});

const readerOfStdin = (): ReadableStreamDefaultReader<Uint8Array> => {
  reader ??= Bun.stdin.stream().getReader();
  return reader;
};

export const bunStreams: SlowStreams = {
  stdin: {
    async *chunks() {
      const stdin = readerOfStdin();
      for (let piece = await stdin.read(); !piece.done; piece = await stdin.read()) yield asBuffer(piece.value);
    },
    each: (take) => eachPiece(readerOfStdin(), take),
    close: () => void reader?.cancel().catch(() => {}),
  },
  stdout: outputTo(Bun.stdout, () => process.stdout),
  stderr: outputTo(Bun.stderr, () => process.stderr),
};
