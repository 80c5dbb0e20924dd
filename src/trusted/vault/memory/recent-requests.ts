import { asBuffer } from '../../base/bytes.ts'
import type { Ms } from '../../base/world.ts'

/** The identity of a request. */
export type RequestId = {
  readonly organizationId: string
  /** `sha256:` and 64 hex digits. */
  readonly fingerprint: string
  readonly timestampMs: Ms
}

const SLOT_MS = 60_000

/** About 16 bytes each, so some 64 MB. A thousand requests in each second are 3.9 million within their time. */
const REQUESTS_MAX = 4_000_000

/**
 * The committed requests, as long as their bytes could still be decided again. Each takes 8 bytes, in a table for the
 * minute of its timestamp: a look-up needs one table, and a minute is dropped as a whole.
 */
export class RecentRequests {
  readonly #salt: number
  readonly #requestsMax: number
  readonly #slots = new Map<number, Tags>()
  #count = 0
  #forgottenUntil: Ms = 0

  constructor(randomBytes: (length: number) => Uint8Array, requestsMax: number = REQUESTS_MAX) {
    this.#salt = asBuffer(randomBytes(4)).readUInt32BE() | 1
    this.#requestsMax = requestsMax
  }

  /** Requests from before this time are refused: whether they have a record is unknown. */
  get since(): Ms {
    return this.#forgottenUntil
  }

  has(request: RequestId): boolean {
    return this.#slots.get(slotOf(request.timestampMs))?.has(tagOf(request)) === true
  }

  /** @param liveFrom  the oldest timestamp that is still accepted */
  note(request: RequestId, liveFrom: Ms): void {
    this.#forget(slotOf(liveFrom))
    const slot = slotOf(request.timestampMs)
    if ((slot + 1) * SLOT_MS <= Math.max(liveFrom, this.#forgottenUntil)) return
    const tags = this.#slots.get(slot) ?? new Tags(this.#salt)
    this.#slots.set(slot, tags)
    if (!tags.add(tagOf(request))) return
    this.#count += 1
    while (this.#count > this.#requestsMax) this.#dropOldest()
  }

  #forget(slot: number): void {
    if (this.#slots.size <= LIVE_SLOTS_MAX) return
    for (const key of this.#slots.keys()) if (key < slot) this.#drop(key)
  }

  #dropOldest(): void {
    const oldest = Math.min(...this.#slots.keys())
    this.#drop(oldest)
    this.#forgottenUntil = Math.max(this.#forgottenUntil, (oldest + 1) * SLOT_MS)
  }

  #drop(slot: number): void {
    this.#count -= this.#slots.get(slot)?.size ?? 0
    this.#slots.delete(slot)
  }
}

/** An hour back and five minutes ahead, and the minutes at both ends. */
const LIVE_SLOTS_MAX = 67

function slotOf(timestampMs: Ms): number {
  return Math.floor(timestampMs / SLOT_MS)
}

type Tag = { readonly high: number; readonly low: number }

/**
 * A prefix of the fingerprint and the organization that decided: the same bytes may be sent to a parent and concern
 * another organization.
 */
function tagOf({ organizationId, fingerprint }: RequestId): Tag {
  const high = Number.parseInt(fingerprint.slice(7, 15), 16) ^ Number.parseInt(organizationId.slice(-8), 16)
  const low = Number.parseInt(fingerprint.slice(15, 23), 16) | TAKEN
  return { high: high >>> 0, low: low >>> 0 }
}

/** Marks a place in the table, so that 63 bits are compared. */
const TAKEN = 1

/** A set of 64-bit numbers, by open addressing. */
class Tags {
  readonly #salt: number
  #bits = 6
  #words = new Uint32Array(2 << this.#bits)
  #size = 0

  /** @param salt  odd, and unknown to senders, who could otherwise force collisions */
  constructor(salt: number) {
    this.#salt = salt
  }

  get size(): number {
    return this.#size
  }

  has(tag: Tag): boolean {
    return this.#isTaken(this.#placeOf(tag))
  }

  /** @returns  whether it is new */
  add(tag: Tag): boolean {
    const place = this.#placeOf(tag)
    if (this.#isTaken(place)) return false
    this.#put(place, tag)
    this.#size += 1
    if (this.#size * 4 > 3 << this.#bits) this.#grow()
    return true
  }

  /** Its slot, or the free slot for it. */
  #placeOf({ high, low }: Tag): number {
    const words = this.#words
    let place = 2 * (Math.imul(high, this.#salt) >>> (32 - this.#bits))
    while (this.#isTaken(place) && (words[place] !== high || words[place + 1] !== low))
      place = (place + 2) & (words.length - 1)
    return place
  }

  #isTaken(place: number): boolean {
    return this.#words[place + 1] !== 0
  }

  #put(place: number, { high, low }: Tag): void {
    this.#words[place] = high
    this.#words[place + 1] = low
  }

  #grow(): void {
    const before = this.#words
    this.#bits += 1
    this.#words = new Uint32Array(2 << this.#bits)
    for (let at = 0; at < before.length; at += 2) {
      const tag = { high: before[at] ?? 0, low: before[at + 1] ?? 0 }
      if (tag.low !== 0) this.#put(this.#placeOf(tag), tag)
    }
  }
}
