import { piecesOf, writeFrames } from './frames.ts'

/** A message with more characters is long: it goes in pieces, and does not hold up the others. */
export const LONG_CHARACTERS = 64 * 1024

/** What it uses of a socket. */
type Socket = {
  readonly write: (bytes: Uint8Array, taken?: (error?: Error | null) => void) => unknown
  readonly cork: () => void
  readonly uncork: () => void
}

type Waiting<Message> = {
  readonly message: Message
  readonly characters: number
  readonly whenSent: () => void
}

/**
 * One end of the socket between host and vault. A socket takes some 200 KB in a turn of the other end, and whatever is
 * written behind a message of eight megabytes waits for forty of these turns. Therefore a long message goes in pieces,
 * each after the socket has taken the one before, and short messages go between the pieces.
 */
export class FrameSender<Message> {
  readonly #socket: Socket
  readonly #instead: (message: Message) => Message | undefined
  readonly #waiting: Waiting<Message>[] = []
  #isSending = false
  #unsent = 0

  /** @param instead  gives the replacement for a message that is too long for a frame */
  constructor(socket: Socket, instead: (message: Message) => Message | undefined) {
    this.#socket = socket
    this.#instead = instead
  }

  /** The characters of the long messages that have not been sent whole. */
  get unsent(): number {
    return this.#unsent
  }

  /** Sends short messages at once. */
  send(messages: readonly Message[]): void {
    if (messages.length === 0) return
    for (const frame of writeFrames(messages, this.#instead)) this.#socket.write(frame)
  }

  /**
   * Sends a message after all those that were given here before.
   *
   * @param characters  about how long it is
   * @param whenSent    called when the socket has taken all of it
   */
  sendInPieces(message: Message, characters: number, whenSent: () => void = () => {}): void {
    this.#waiting.push({ message, characters, whenSent })
    this.#unsent += characters
    if (!this.#isSending) this.#sendNext()
  }

  #sendNext(): void {
    const next = this.#waiting.shift()
    this.#isSending = next !== undefined
    if (next === undefined) return
    const pieces = writeFrames([next.message], this.#instead).flatMap(piecesOf)
    this.#sendPieces(pieces.values(), () => {
      this.#unsent -= next.characters
      next.whenSent()
      this.#sendNext()
    })
  }

  #sendPieces(pieces: Iterator<readonly [head: Buffer, bytes: Buffer]>, whenSent: () => void): void {
    const piece = pieces.next()
    if (piece.done === true) return whenSent()
    const [head, bytes] = piece.value
    this.#socket.cork()
    this.#socket.write(head)
    this.#socket.write(bytes, (error) => {
      // Of a socket that is closed, both ends forget everything.
      if (error === null || error === undefined) this.#sendPieces(pieces, whenSent)
    })
    this.#socket.uncork()
  }
}

/** About how many characters a message has. */
export function lengthOf(message: unknown): number {
  if (typeof message === 'string') return message.length
  if (typeof message !== 'object' || message === null) return SHORT_VALUE
  let sum = SHORT_VALUE
  if (Array.isArray(message)) for (const item of message) sum += lengthOf(item)
  else for (const name in message) sum += lengthOf((message as { readonly [name: string]: unknown })[name])
  return sum
}

/** A number, and what a value takes besides its text. */
const SHORT_VALUE = 8
