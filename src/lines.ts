/** One line of a stream: its bytes, or that it was longer than is taken. */
export type Line = { readonly bytes: Buffer } | { readonly tooLong: true };

const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines, without their ends; the last one needs none. Of a line that is longer than `limit` bytes nothing is kept, and
 * the next one begins where it ends.
 */
export async function* linesIn(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let tooLong = false;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length > limit) {
      tooLong = true;
      parts = [];
    } else if (part.length > 0) parts.push(part);
  };
  const line = (): Line => {
    const whole: Line = tooLong ? { tooLong } : { bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts) };
    parts = [];
    length = 0;
    tooLong = false;
    return whole;
  };
  for await (const chunk of chunks) {
    let at = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
      take(chunk.subarray(at, end));
      yield line();
      at = end + 1;
    }
    // A copy, so that a short rest does not hold on to the whole piece.
    take(at === 0 ? chunk : Buffer.from(chunk.subarray(at)));
  }
  if (length > 0) yield line();
}
