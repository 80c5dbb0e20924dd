import { asBuffer, release } from '../trusted/base/bytes.ts'
import { putTextsBack, takeTextsOut } from './long-texts.ts'

/**
 * The unit of transfer between host and vault: several messages in a frame, so that a turn of the event loop costs one
 * write.
 */
type Frame = readonly unknown[]

const LENGTH_BYTES = 4
export const FRAME_BYTES_MAX = 256 * 1024 * 1024

/**
 * Length of all that follows (4 bytes, big-endian) ‖ length of the JSON (4) ‖ JSON of the list of messages and of where
 * their long texts belong ‖ those texts as UTF-8.
 */
export function writeFrame(messages: Frame): Buffer {
  const { messages: rest, notes, texts } = takeTextsOut(messages)
  const json = JSON.stringify([rest, notes])
  const jsonLength = Buffer.byteLength(json)
  const textsLength = notes.reduce((sum, { bytes }) => sum + bytes, 0)
  const frame = Buffer.allocUnsafe(2 * LENGTH_BYTES + jsonLength + textsLength)
  frame.writeUInt32BE(frame.length - LENGTH_BYTES, 0)
  frame.writeUInt32BE(jsonLength, LENGTH_BYTES)
  let at = 2 * LENGTH_BYTES
  at += frame.write(json, at)
  for (const text of texts) at += frame.write(text, at)
  return frame
}

/**
 * A piece of a frame: PIECE + its length (4 bytes, big-endian) ‖ that many bytes. The bytes of all pieces, one after
 * the other, are frames again. Whole frames may stand between two pieces.
 */
const PIECE = 0x8000_0000
const PIECE_BYTES_MAX = 64 * 1024

/** A frame in pieces: the length of each, and its bytes. */
export function piecesOf(frame: Buffer): readonly (readonly [head: Buffer, bytes: Buffer])[] {
  return Array.from({ length: Math.ceil(frame.length / PIECE_BYTES_MAX) }, (_, at) => {
    const bytes = frame.subarray(at * PIECE_BYTES_MAX, (at + 1) * PIECE_BYTES_MAX)
    const head = Buffer.allocUnsafe(LENGTH_BYTES)
    head.writeUInt32BE(PIECE + bytes.length, 0)
    return [head, bytes]
  })
}

/**
 * The same in as many frames as needed.
 *
 * @param instead  gives the replacement for a message that is too long for a frame; the message is dropped when
 *                 undefined
 */
export function writeFrames<Message>(
  messages: readonly Message[],
  instead: (message: Message) => Message | undefined,
  bytesMax: number = FRAME_BYTES_MAX,
): readonly Buffer[] {
  const whole = wholeFrame(messages, bytesMax)
  if (whole !== undefined) return [whole]
  const half = messages.length >> 1
  if (half > 0)
    return [messages.slice(0, half), messages.slice(half)].flatMap((part) =>
      writeFrames(part, instead, bytesMax),
    )
  return messages.flatMap((message) => {
    const other = instead(message)
    return other === undefined ? [] : [writeFrame([other])]
  })
}

/** Undefined when it would exceed the limit of a frame, or of a string. */
function wholeFrame(messages: Frame, bytesMax: number): Buffer | undefined {
  if (messages.length > MESSAGES_MAX) return undefined
  try {
    const frame = writeFrame(messages)
    return frame.length > LENGTH_BYTES + bytesMax ? undefined : frame
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Takes the place of the messages of a frame that could not be read. */
export class Unreadable {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

/**
 * Reassembles frames from what a socket brings. Invalid frames are skipped and reported. There are two buffers, for a
 * whole frame and for one in pieces. Each is at most twice the received part, regardless of the declared length.
 */
export class FrameReader {
  /** The first bytes of an incomplete length. */
  #head: Buffer = NOTHING
  /** For a frame that arrives in pieces: its length, and the received part. */
  #length = 0
  #frame: Buffer | undefined
  #filled = 0
  /** The remaining bytes of a frame that is too long and is skipped. */
  #passing = 0
  /** The remaining bytes of a piece. */
  #piece = 0
  /** Reads the frames that come in pieces; undefined in itself, as no piece consists of pieces. */
  readonly #inPieces: FrameReader | undefined

  constructor(isOfPieces = false) {
    this.#inPieces = isOfPieces ? undefined : new FrameReader(true)
  }

  /** The number of buffered bytes of incomplete frames. */
  get kept(): number {
    return this.#head.length + this.#filled + (this.#inPieces?.kept ?? 0)
  }

  /**
   * The messages of all frames that are complete with this piece; an `Unreadable` for each invalid frame.
   *
   * @param chunk  nobody else may use it afterwards: its memory is freed
   */
  push(chunk: Uint8Array): readonly unknown[] {
    const messages: unknown[] = []
    this.#readAll(asBuffer(chunk), messages)
    release(chunk)
    return messages
  }

  #readAll(bytes: Buffer, messages: unknown[]): void {
    for (let rest = bytes; rest.length > 0; ) rest = this.#take(rest, messages)
  }

  /** Reads from the beginning of these bytes, and returns the rest. */
  #take(bytes: Buffer, messages: unknown[]): Buffer {
    const inPieces = this.#inPieces
    if (this.#piece > 0 && inPieces !== undefined) {
      const piece = bytes.subarray(0, this.#piece)
      this.#piece -= piece.length
      inPieces.#readAll(piece, messages)
      return bytes.subarray(piece.length)
    }
    if (this.#passing > 0) {
      const passed = Math.min(this.#passing, bytes.length)
      this.#passing -= passed
      return bytes.subarray(passed)
    }
    if (this.#frame !== undefined) return this.#fill(this.#frame, bytes, messages)
    const joined = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    this.#head = NOTHING
    if (joined.length < LENGTH_BYTES) {
      // A copy: the piece itself may be a small part of something large.
      this.#head = Buffer.from(joined)
      return NOTHING
    }
    return this.#begin(joined.readUInt32BE(0), joined.subarray(LENGTH_BYTES), messages)
  }

  #begin(length: number, bytes: Buffer, messages: unknown[]): Buffer {
    if (this.#inPieces !== undefined && length > PIECE && length <= PIECE + PIECE_BYTES_MAX) {
      this.#piece = length - PIECE
      return bytes
    }
    if (length > FRAME_BYTES_MAX) {
      messages.push(new Unreadable(`a frame of ${length} bytes is longer than any of ours`))
      this.#passing = length
      return bytes
    }
    if (bytes.length >= length) {
      append(messages, messagesOf(bytes.subarray(0, length)))
      return bytes.subarray(length)
    }
    this.#length = length
    this.#filled = 0
    return this.#fill(Buffer.allocUnsafe(Math.min(length, FIRST_BYTES)), bytes, messages)
  }

  #fill(frame: Buffer, bytes: Buffer, messages: unknown[]): Buffer {
    const taken = Math.min(bytes.length, this.#length - this.#filled)
    const roomy = withRoom(frame, this.#filled, { needed: this.#filled + taken, most: this.#length })
    bytes.copy(roomy, this.#filled, 0, taken)
    this.#filled += taken
    this.#frame = roomy
    if (this.#filled < this.#length) return NOTHING
    this.#frame = undefined
    this.#filled = 0
    append(messages, messagesOf(roomy.subarray(0, this.#length)))
    release(roomy)
    return bytes.subarray(taken)
  }
}

const NOTHING = Buffer.alloc(0)
const FIRST_BYTES = 256 * 1024

/**
 * The same bytes in a buffer with the needed size; it grows by doubling, so that each byte is copied a few times at
 * most.
 */
function withRoom(
  frame: Buffer,
  filled: number,
  { needed, most }: { readonly needed: number; readonly most: number },
): Buffer {
  if (needed <= frame.length) return frame
  const larger = Buffer.allocUnsafe(Math.min(most, Math.max(needed, 2 * frame.length)))
  frame.copy(larger, 0, 0, filled)
  release(frame)
  return larger
}

function append(messages: unknown[], frame: Frame): void {
  for (const message of frame) messages.push(message)
}

function messagesOf(frame: Buffer): Frame {
  const jsonEnd = frame.length < LENGTH_BYTES ? 0 : LENGTH_BYTES + frame.readUInt32BE(0)
  if (jsonEnd < LENGTH_BYTES || jsonEnd > frame.length)
    return [new Unreadable('a frame is shorter than its JSON')]
  const json = frame.subarray(LENGTH_BYTES, jsonEnd)
  const trouble = troubleIn(json)
  if (trouble !== undefined) return [new Unreadable(trouble)]
  try {
    const content: unknown = JSON.parse(json.toString('utf8'))
    const [messages, notes] = Array.isArray(content) ? (content as readonly unknown[]) : []
    if (!Array.isArray(messages)) return [new Unreadable('a frame is no list of messages')]
    if (messages.length > MESSAGES_MAX)
      return [new Unreadable(`a frame holds more than ${MESSAGES_MAX} messages`)]
    const misplaced = putTextsBack(messages, notes, frame.subarray(jsonEnd))
    return misplaced === undefined ? messages : [new Unreadable(misplaced)]
  } catch (error) {
    // The error of JSON.parse quotes its input, which may be secret.
    if (error instanceof SyntaxError) return [new Unreadable('a frame is no JSON')]
    throw error
  }
}

/** A host has at most one call for each connection, and some of its own. */
const MESSAGES_MAX = 65_536
const DEPTH_MAX = 64
// Below this the deepest nesting is parsed in some ten milliseconds; 20 MB of brackets took 13 s.
const SHALLOW_BYTES = 64 * 1024

/**
 * More than the longest frame of rows has. Three bytes of JSON can become a value of sixty bytes in memory, so a frame
 * of brackets only would exhaust the memory of the process.
 */
const VALUES_MAX = 4_000_000

function troubleIn(json: Buffer): string | undefined {
  if (json.length < SHALLOW_BYTES) return undefined
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTATION_MARK) at = endOfText(json, at)
    else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++depth > DEPTH_MAX) return `a frame is nested deeper than ${DEPTH_MAX} levels`
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (values > VALUES_MAX) return `a frame holds more than ${VALUES_MAX} values`
  }
  return undefined
}

/**
 * The end of the string that begins here. Long strings stand behind the JSON, and many short ones hold JSON themselves,
 * so that a search for each quotation mark would cost more than a look at each byte.
 */
function endOfText(json: Buffer, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTATION_MARK) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

const QUOTATION_MARK = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
