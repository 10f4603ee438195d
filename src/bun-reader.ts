/** Hands over everything that comes from a stream of bun's, piece by piece, up to its end. Rejects with what went wrong. */
export async function eachPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  take: (chunk: Buffer) => void,
): Promise<void> {
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) take(asBuffer(piece.value));
}

/** The same bytes, not a copy. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
