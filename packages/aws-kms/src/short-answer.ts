/** What this service answers has a few KiB. */
const BYTES_MAX = 1024 * 1024

class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
}

/** Collects an answer, for the client: one without end does not fill the memory. */
export async function shortAnswer(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of stream) {
    length += piece.length
    // Leaving the loop ends the stream, and with it the connection.
    if (length > BYTES_MAX) throw new InvalidAnswer('more bytes than an answer has')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
