import { type Linked, LinkedList } from '../../trusted/base/linked-list.ts'
import { Counts } from '../outside/counts.ts'

/** A body of a request, from its first byte to the answer; or of an answer, until its client has read it. */
interface Body extends Linked<Body> {
  readonly network: string
  /** Called when the body is to be forgotten. */
  readonly refuse: () => void
  bytes: number
  hasArrived: boolean
}

/**
 * Bounds the memory for bodies of requests that are not answered yet, or of answers that are not read yet. Above the
 * bound a body that has not arrived whole is refused: the oldest of the network with the most bytes, so that a client
 * with many long bodies refuses its own.
 *
 * Whole bodies of requests are not refused. Therefore a network may also have no more bytes than it leaves free: alone
 * it has half of the room, beside another one a third. Some room is left for one more network at any time.
 */
export class BodyRoom {
  readonly #bytesMax: number
  readonly #leavesRoom: boolean
  /** In the order in which they began. */
  readonly #arriving = new LinkedList<Body>()
  /** Of all bodies, also of those that have arrived. */
  readonly #bytesOf = new Counts()
  #bytes = 0

  /**
   * @param leavesRoom  whether a network has to leave as much free as it has; not needed where no body arrives whole
   */
  constructor(bytesMax: number, { leavesRoom }: { readonly leavesRoom: boolean }) {
    this.#bytesMax = bytesMax
    this.#leavesRoom = leavesRoom
  }

  begin(network: string, refuse: () => void): Body {
    const body = { network, refuse, bytes: 0, hasArrived: false, previous: undefined, next: undefined }
    this.#arriving.insert(body)
    return body
  }

  /** More of a body has arrived. */
  grow(body: Body, bytes: number): void {
    body.bytes += bytes
    this.#count(body.network, bytes)
    while (this.#bytes + this.#toLeaveBy(body.network) > this.#bytesMax) {
      const refused = this.#oldestOfLargest()
      if (refused === undefined) return
      this.leave(refused)
      refused.refuse()
    }
  }

  /** The whole body has arrived, and is not refused any more. */
  arrived(body: Body): void {
    if (!body.hasArrived) this.#arriving.remove(body)
    body.hasArrived = true
  }

  /** The request was answered, or the body was forgotten. */
  leave(body: Body): void {
    this.arrived(body)
    this.#count(body.network, -body.bytes)
    body.bytes = 0
  }

  #count(network: string, bytes: number): void {
    if (bytes === 0) return
    this.#bytesOf.add(network, bytes)
    this.#bytes += bytes
  }

  #toLeaveBy(network: string): number {
    return this.#leavesRoom ? this.#bytesOf.of(network) : 0
  }

  #oldestOfLargest(): Body | undefined {
    let found: Body | undefined
    const bytesOf = (body: Body): number => this.#bytesOf.of(body.network)
    for (let body = this.#arriving.first; body !== undefined; body = body.next)
      if (body.bytes > 0 && (found === undefined || bytesOf(body) > bytesOf(found))) found = body
    return found
  }
}
