import { LONG_CHARACTERS } from '../../protocol/frame-sender.ts'

/**
 * Of what waits to be sent, about so many characters go in one turn of the event loop: one end or the other is held by
 * them.
 */
const TURN_CHARACTERS = 256 * 1024

type Waiting<Message> = { readonly message: Message; readonly characters: number }

/** The messages that wait to be sent, in order. A long one is sent alone. */
export class Outbox<Message> {
  #waiting: Waiting<Message>[] = []
  #characters = 0

  get size(): number {
    return this.#waiting.length
  }

  /** @param characters  about how long it is */
  put(message: Message, characters: number): void {
    this.#waiting.push({ message, characters })
    this.#characters += characters
  }

  /** Removes the messages for this turn: the first, and unless it is long, the following short ones that fit. */
  take(): readonly Waiting<Message>[] {
    let left = TURN_CHARACTERS
    let count = this.#waiting.length
    if (this.#characters > LONG_CHARACTERS) {
      const end = this.#waiting.findIndex(
        ({ characters }) => characters > LONG_CHARACTERS || (left -= characters) < 0,
      )
      if (end >= 0) count = Math.max(1, end)
    }
    const taken = this.#waiting.splice(0, count)
    for (const { characters } of taken) this.#characters -= characters
    return taken
  }
}
