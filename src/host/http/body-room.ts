/** A body of a request, from its first byte to the answer; or of an answer, until its client has read it. */
type Body = {
  readonly network: string
  /** Called when the body is to be forgotten. */
  readonly refuse: () => void
  bytes: number
}

/**
 * Bounds the memory for bodies of requests that are not answered yet, or of answers that are not read yet. Above the
 * bound a body that has not arrived whole is refused: the oldest of the network with the most bytes, so that a client
 * with many long bodies refuses its own.
 */
export class BodyRoom {
  readonly #bytesMax: number
  /** In the order in which they began. */
  readonly #arriving = new Set<Body>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  begin(network: string, refuse: () => void): Body {
    const body: Body = { network, refuse, bytes: 0 }
    this.#arriving.add(body)
    return body
  }

  /** More of a body has arrived. */
  grow(body: Body, bytes: number): void {
    body.bytes += bytes
    this.#bytes += bytes
    while (this.#bytes > this.#bytesMax) {
      const refused = this.#oldestOfLargest()
      if (refused === undefined) return
      this.leave(refused)
      refused.refuse()
    }
  }

  /** The whole body has arrived, and is not refused any more. */
  arrived(body: Body): void {
    this.#arriving.delete(body)
  }

  /** The request was answered, or the body was forgotten. */
  leave(body: Body): void {
    this.#arriving.delete(body)
    this.#bytes -= body.bytes
    body.bytes = 0
  }

  #oldestOfLargest(): Body | undefined {
    const bytesOf = new Map<string, number>()
    for (const { network, bytes } of this.#arriving) bytesOf.set(network, (bytesOf.get(network) ?? 0) + bytes)
    const most = Math.max(0, ...bytesOf.values())
    for (const body of this.#arriving) if (body.bytes > 0 && bytesOf.get(body.network) === most) return body
    return undefined
  }
}
