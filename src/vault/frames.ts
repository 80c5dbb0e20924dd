import { asBuffer } from '../base/bytes.ts'

/** What crosses between host and vault: many messages to a frame, so that a turn of the event loop costs one write. */
export type Frame = readonly unknown[]

const HEADER_BYTES = 4
const FRAME_BYTES_MAX = 256 * 1024 * 1024

/** Length of the JSON in bytes (4, big-endian) ‖ JSON list of the messages. */
export function writeFrame(messages: Frame): Buffer {
  const json = JSON.stringify(messages)
  const length = Buffer.byteLength(json)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length)
  frame.writeUInt32BE(length, 0)
  frame.write(json, HEADER_BYTES)
  return frame
}

/** Puts frames together again from the pieces a socket delivers. */
export class FrameReader {
  #chunks: Buffer[] = []
  #length = 0

  /** The messages of all frames that are complete with this piece. */
  push(chunk: Uint8Array): readonly unknown[] {
    this.#chunks.push(asBuffer(chunk))
    this.#length += chunk.length
    const messages: unknown[] = []
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) messages.push(...frame)
    return messages
  }

  #next(): Frame | undefined {
    if (this.#length < HEADER_BYTES) return undefined
    const first = this.#chunks[0]
    const head = first !== undefined && first.length >= HEADER_BYTES ? first : this.#joined()
    const length = head.readUInt32BE(0)
    if (length > FRAME_BYTES_MAX) throw new Error(`a frame of ${length} bytes is no frame of ours`)
    if (this.#length < HEADER_BYTES + length) return undefined
    const all = this.#joined()
    const rest = all.subarray(HEADER_BYTES + length)
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#length = rest.length
    // Both ends are ours, and the other end wrote a list.
    return JSON.parse(all.toString('utf8', HEADER_BYTES, HEADER_BYTES + length)) as Frame
  }

  #joined(): Buffer {
    const joined =
      this.#chunks.length === 1 && this.#chunks[0] !== undefined
        ? this.#chunks[0]
        : Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}
