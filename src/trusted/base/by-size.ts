import { type Linked, LinkedList } from './linked-list.ts'

/** A group whose size is that of its rank; an empty one has none. */
export interface Sized<G extends Sized<G>> extends Linked<G> {
  rank: Rank<G> | undefined
}

/**
 * Groups in the order of their size, and those of one size in the order of their use. A size changes by one at a time,
 * so a group only ever moves to the next rank.
 */
export class BySize<G extends Sized<G>> {
  readonly #ranks = new LinkedList<Rank<G>>()

  /** Of the largest groups the least recently used one. */
  get largest(): G | undefined {
    return this.#ranks.last?.first
  }

  use(group: G): void {
    group.rank?.moveToEnd(group)
  }

  /** A group without a rank comes in with the size 1. */
  grow(group: G): void {
    const { rank } = group
    const larger = rank === undefined ? this.#ranks.first : rank.next
    const size = (rank?.size ?? 0) + 1
    this.#move(group, larger?.size === size ? larger : this.#newRank(size, larger))
  }

  /** A group of the size 1 goes out. */
  shrink(group: G): void {
    const { rank } = group
    if (rank === undefined) return
    const { previous: smaller } = rank
    const size = rank.size - 1
    if (size === 0) this.#move(group, undefined)
    else this.#move(group, smaller?.size === size ? smaller : this.#newRank(size, rank))
  }

  #newRank(size: number, larger: Rank<G> | undefined): Rank<G> {
    const rank = new Rank<G>(size)
    this.#ranks.insert(rank, larger)
    return rank
  }

  #move(group: G, to: Rank<G> | undefined): void {
    const { rank: from } = group
    if (from !== undefined) {
      from.remove(group)
      if (from.first === undefined) this.#ranks.remove(from)
    }
    to?.insert(group)
    group.rank = to
  }
}

/** All groups of one size, from the least to the most recently used. */
export class Rank<G extends Sized<G>> extends LinkedList<G> implements Linked<Rank<G>> {
  previous: Rank<G> | undefined
  next: Rank<G> | undefined
  readonly size: number

  constructor(size: number) {
    super()
    this.size = size
  }
}
