/** One output stream kept in memory up to a limit; what comes beyond it is thrown away so that the writer is not blocked. */
export class Kept {
  readonly chunks: Buffer[] = [];
  length = 0;
  over = false;
  readonly #limit: number;

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Holds on to the chunk; the caller must not write to it again. */
  take(chunk: Buffer): void {
    const room = this.#limit - this.length;
    if (chunk.length > room) this.over = true;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (part.length === 0) return;
    this.chunks.push(part);
    this.length += part.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}
