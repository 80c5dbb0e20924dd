import { asBuffer } from '../trusted/base/bytes.ts'
import { putTextsBack, takeTextsOut } from './long-texts.ts'

/** What crosses between host and vault: many messages to a frame, so that a turn of the event loop costs one write. */
type Frame = readonly unknown[]

const LENGTH_BYTES = 4
export const FRAME_BYTES_MAX = 256 * 1024 * 1024

/**
 * Length of all that follows (4 bytes, big-endian) ‖ length of the JSON (4) ‖ JSON of the list of messages and of where their long
 * texts belong ‖ those texts as UTF-8.
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
 * The same in as many frames as it takes.
 *
 * @param instead  what is said instead of a message that no frame can hold; nothing when undefined
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

/** Undefined when it would be longer than a frame may be, or than a text can be. */
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

/** Stands among the messages where a frame could not be read. */
export class Unreadable {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

/**
 * Puts frames together again from the pieces a socket delivers. What is no frame of ours is passed over, and said. It keeps no more
 * than twice what has come of one frame, however long it says that it will be.
 */
export class FrameReader {
  /** Of a length, fewer bytes than it has. */
  #head: Buffer = NOTHING
  /** Of a frame that came in pieces: how long it will be, and as much as has come. */
  #length = 0
  #frame: Buffer | undefined
  #filled = 0
  /** Bytes still to come of a frame that is too long to be kept. */
  #passing = 0

  /** How many bytes of frames that are not complete it keeps. */
  get kept(): number {
    return this.#head.length + this.#filled
  }

  /** The messages of all frames that are complete with this piece; an `Unreadable` for each that is none. */
  push(chunk: Uint8Array): readonly unknown[] {
    const messages: unknown[] = []
    for (let rest = asBuffer(chunk); rest.length > 0; ) rest = this.#take(rest, messages)
    return messages
  }

  /** Reads from the beginning of these bytes, and leaves those behind it. */
  #take(bytes: Buffer, messages: unknown[]): Buffer {
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
    return bytes.subarray(taken)
  }
}

const NOTHING = Buffer.alloc(0)
const FIRST_BYTES = 256 * 1024

/** The same bytes where as many have room as are needed now; it grows by doubling, so that each is copied a few times at most. */
function withRoom(
  frame: Buffer,
  filled: number,
  { needed, most }: { readonly needed: number; readonly most: number },
): Buffer {
  if (needed <= frame.length) return frame
  const larger = Buffer.allocUnsafe(Math.min(most, Math.max(needed, 2 * frame.length)))
  frame.copy(larger, 0, 0, filled)
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
    // What JSON.parse says quotes what it read, which may be secret.
    if (error instanceof SyntaxError) return [new Unreadable('a frame is no JSON')]
    throw error
  }
}

/** A host has as many calls as it has connections, and some of its own. */
const MESSAGES_MAX = 65_536
const DEPTH_MAX = 64
// Below this the deepest nesting is parsed in some ten milliseconds; 20 MB of brackets took 13 s.
const SHALLOW_BYTES = 64 * 1024

/**
 * More than the longest frame has that is made of rows. Three bytes of JSON become a value of up to sixty in memory, so that a
 * frame of nothing but brackets would take more than a process has.
 */
const VALUES_MAX = 4_000_000

/** Texts are passed over by looking for the quotation marks alone, which is nearly all of a frame. */
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
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
