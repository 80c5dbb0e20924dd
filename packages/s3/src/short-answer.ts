import { InvalidAnswer } from './trouble-of.ts'

/** A page of a list has 1,000 names of 1,024 bytes at most, each in some markup. */
const BYTES_MAX = 4 * 1024 * 1024

/**
 * Collects an answer that the client reads as a whole, such as a page of a list: one without end does not fill the
 * memory.
 */
export async function shortAnswer(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return await collected(stream, BYTES_MAX)
}

/** @throws InvalidAnswer where there are more bytes */
export async function collected(stream: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of stream) {
    length += piece.length
    // Leaving the loop ends the stream, and with it the connection.
    if (length > bytesMax) throw new InvalidAnswer('more bytes than were asked for')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
