/**
 * Bytes as the parts of an upload: each of this length, the last one shorter or as long, and one at least. A part is
 * there until the next one is asked for, since all of them are in the same memory.
 */
export async function* partsOf(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafe(length)
  let filled = 0
  let count = 0
  for await (const piece of pieces)
    for (let from = 0; from < piece.length; ) {
      if (filled === length) {
        yield part
        count++
        filled = 0
      }
      const taken = Math.min(length - filled, piece.length - from)
      part.set(piece.subarray(from, from + taken), filled)
      filled += taken
      from += taken
    }
  if (filled > 0 || count === 0) yield part.subarray(0, filled)
}
