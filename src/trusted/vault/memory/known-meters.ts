import { Lru } from '../../base/lru.ts'
import type { ObjectRow } from '../../catalogue/unit.ts'

/**
 * A meter in its last committed state that this vault knows, and in the state after the last unit that it handed out.
 */
type KnownMeter = { readonly standing?: ObjectRow; readonly ahead?: ObjectRow }

/** A row has at most 65 slots of a hundred characters each, so thousands of the longest fit. */
const CHARACTERS_MAX = 16 * 1024 * 1024
/** The parts of a row around its body, such as its key and its seal. */
const AROUND_CHARACTERS = 500

/**
 * The meters that this vault has counted on. The next request with a meter is decided on the row that the previous unit
 * will write, while that unit is still being committed. The host brings forgotten meters again.
 */
export class KnownMeters {
  readonly #known = new Lru<KnownMeter>(CHARACTERS_MAX, weightOf)

  /** The state after the last unit that was handed out. */
  ahead(key: string): ObjectRow | undefined {
    const known = this.#known.get(key)
    return known?.ahead ?? known?.standing
  }

  /** The committed state. */
  standing(key: string): ObjectRow | undefined {
    return this.#known.get(key)?.standing
  }

  handedOut(key: string, row: ObjectRow): void {
    this.#known.set(key, { ...this.#known.get(key), ahead: row })
  }

  /** The unit that leaves this row has been written. */
  committed(key: string, row: ObjectRow): void {
    this.#known.set(key, { ...this.#known.get(key), standing: row })
  }

  /**
   * A unit was not written, or its outcome is unknown: units that depend on it will not be written either, and the
   * stored row is unknown.
   */
  forget(key: string): void {
    this.#known.delete(key)
  }
}

/** A row that is both counts once. */
function weightOf({ standing, ahead }: KnownMeter): number {
  const rows = [...new Set([standing, ahead])].filter((row) => row !== undefined)
  return rows.reduce((sum, { body }) => sum + AROUND_CHARACTERS + body.length, 0)
}
