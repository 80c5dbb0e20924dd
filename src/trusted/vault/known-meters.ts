import { Lru } from '../base/lru.ts'
import type { ObjectRow } from '../catalogue/unit.ts'

/** A meter: as it was committed, as far as this vault has been told, and as the last unit that it handed out will leave it. */
type KnownMeter = { readonly standing?: ObjectRow; readonly ahead?: ObjectRow }

/** A row has at most 65 slots, of a hundred characters each: there is room for thousands of the longest. */
const CHARACTERS_MAX = 16 * 1024 * 1024
/** Of what is around the body of a row, its key and its seal among it. */
const AROUND_CHARACTERS = 500

/**
 * The meters that this vault has counted on. The next request with one is decided on the row that the unit before will leave, while
 * that unit is on its way to the disk. What is forgotten is brought by the host again.
 */
export class KnownMeters {
  readonly #known = new Lru<KnownMeter>(CHARACTERS_MAX, weightOf)

  /** As the last unit that was handed out leaves it. */
  ahead(key: string): ObjectRow | undefined {
    const known = this.#known.get(key)
    return known?.ahead ?? known?.standing
  }

  /** As it was committed. */
  standing(key: string): ObjectRow | undefined {
    return this.#known.get(key)?.standing
  }

  handedOut(key: string, row: ObjectRow): void {
    this.#known.set(key, { ...this.#known.get(key), ahead: row })
  }

  /** The unit that leaves this row has been written. */
  committed(key: string, row: ObjectRow): void {
    const ahead = this.#known.get(key)?.ahead
    this.#known.set(key, ahead === undefined || ahead === row ? { standing: row } : { standing: row, ahead })
  }

  /** A unit was not written, or nobody knows: those that rest on it will not be either, and the stored row may be any. */
  forget(key: string): void {
    this.#known.delete(key)
  }
}

function weightOf({ standing, ahead }: KnownMeter): number {
  const rows = [standing, ahead].filter((row) => row !== undefined)
  return rows.reduce((sum, { body }) => sum + AROUND_CHARACTERS + body.length, 0)
}
