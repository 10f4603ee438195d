import type { SlowInput } from './standard-streams.ts';

/** What is used here of bun's own; its types would change those of everything else. */
declare const Bun: { readonly stdin: { stream(): ReadableStream<Uint8Array> } };

let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

/**
 * Stdin in the standalone executable. bun's copy of `process.stdin` takes 3 to 7 ms to make, and takes a signal for the end of the input; its own
 * stream takes a quarter of one and does not.
 */
export const bunInput: SlowInput = {
  async *chunks() {
    reader ??= Bun.stdin.stream().getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const { buffer, byteOffset, byteLength } = piece.value;
      yield Buffer.from(buffer, byteOffset, byteLength);
    }
  },
  close: () => void reader?.cancel().catch(() => {}),
};
