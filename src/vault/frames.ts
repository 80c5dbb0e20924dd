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

/** Stands among the messages where a frame could not be read. */
export class Unreadable {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

/** Puts frames together again from the pieces a socket delivers. What is no frame of ours is passed over, and said. */
export class FrameReader {
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes still to come of a frame that is too long to be kept. */
  #passing = 0

  /** The messages of all frames that are complete with this piece; an `Unreadable` for each that is none. */
  push(chunk: Uint8Array): readonly unknown[] {
    this.#chunks.push(asBuffer(chunk))
    this.#length += chunk.length
    const messages: unknown[] = []
    for (let frame = this.#next(); frame !== undefined; frame = this.#next())
      for (const message of frame) messages.push(message)
    return messages
  }

  #next(): Frame | undefined {
    this.#pass()
    if (this.#length < HEADER_BYTES) return undefined
    const first = this.#chunks[0]
    const head = first !== undefined && first.length >= HEADER_BYTES ? first : this.#joined()
    const length = head.readUInt32BE(0)
    if (length > FRAME_BYTES_MAX) {
      this.#drop(HEADER_BYTES)
      this.#passing = length
      return [new Unreadable(`a frame of ${length} bytes is longer than any of ours`)]
    }
    if (this.#length < HEADER_BYTES + length) return undefined
    const json = this.#joined().subarray(HEADER_BYTES, HEADER_BYTES + length)
    this.#drop(HEADER_BYTES + length)
    return messagesOf(json)
  }

  #pass(): void {
    if (this.#passing === 0) return
    const passed = Math.min(this.#passing, this.#length)
    this.#passing -= passed
    this.#drop(passed)
  }

  #drop(bytes: number): void {
    const rest = this.#joined().subarray(bytes)
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#length = rest.length
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

function messagesOf(json: Buffer): Frame {
  if (isTooDeep(json)) return [new Unreadable(`a frame is nested deeper than ${DEPTH_MAX} levels`)]
  try {
    const messages: unknown = JSON.parse(json.toString('utf8'))
    return Array.isArray(messages) ? messages : [new Unreadable('a frame is no list of messages')]
  } catch (error) {
    // What JSON.parse says quotes what it read, which may be secret.
    if (error instanceof SyntaxError) return [new Unreadable('a frame is no JSON')]
    throw error
  }
}

const DEPTH_MAX = 64
// Below this the deepest nesting is parsed in some ten milliseconds; 20 MB of brackets took 13 s.
const SHALLOW_BYTES = 64 * 1024

/** Texts are passed over by looking for the quotation marks alone, which is nearly all of a frame. */
function isTooDeep(json: Buffer): boolean {
  if (json.length < SHALLOW_BYTES) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTATION_MARK) at = endOfText(json, at)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > DEPTH_MAX) return true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
  }
  return false
}

/** Where the text that begins here ends: at a quotation mark after an even number of backslashes. */
function endOfText(json: Buffer, start: number): number {
  for (
    let end = json.indexOf(QUOTATION_MARK, start + 1);
    end >= 0;
    end = json.indexOf(QUOTATION_MARK, end + 1)
  ) {
    let first = end
    while (json[first - 1] === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
  }
  return json.length
}

const QUOTATION_MARK = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
