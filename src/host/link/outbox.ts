/**
 * Of what waits to be sent, about so many characters go in one turn of the event loop: one end or the other is held by
 * them.
 */
const TURN_CHARACTERS = 256 * 1024

/** The messages that wait to be sent, in order. A message above the limit of one turn is sent alone. */
export class Outbox<Message> {
  #waiting: { readonly message: Message; readonly characters: number }[] = []
  #characters = 0

  get size(): number {
    return this.#waiting.length
  }

  /** @param characters  about how long it is */
  put(message: Message, characters: number): void {
    this.#waiting.push({ message, characters })
    this.#characters += characters
  }

  /** Removes the messages for this turn: the first, and the following ones that fit. */
  take(): readonly Message[] {
    let left = TURN_CHARACTERS
    let count = this.#waiting.length
    if (this.#characters > left)
      count = Math.max(
        1,
        this.#waiting.findIndex(({ characters }) => (left -= characters) < 0),
      )
    const taken = this.#waiting.splice(0, count)
    for (const { characters } of taken) this.#characters -= characters
    return taken.map(({ message }) => message)
  }
}
