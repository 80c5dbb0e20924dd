import { assert } from '../../trusted/base/assert.ts'
import { Lru } from '../../trusted/base/lru.ts'
import type { CharterRow } from '../../trusted/catalogue/unit.ts'
import type { Charter } from '../../trusted/charter/charter.ts'
import { readCharter } from '../../trusted/charter/charter-document.ts'
import type { OfferedCharter, Vault } from '../../protocol/vault.ts'
import { checkedRead } from './checked-read.ts'
import type { CharterCache } from './charter-cache.ts'

// Measured by the text; a parsed charter takes several times as much memory.
const CHECKED_CHARACTERS_MAX = 8 * 1024 * 1024

type Checked = { readonly seal: string; readonly charter: Charter; readonly characters: number }

/**
 * Parsed charters whose seal the vault has confirmed; a hit requires the same seal. Queries read the newest charter,
 * and the vault confirms that it is the newest.
 */
export class CheckedCharters {
  readonly #cache: CharterCache
  readonly #vault: Vault
  readonly #known: Lru<Checked>

  constructor(
    cache: CharterCache,
    vault: Vault,
    known = new Lru<Checked>(CHECKED_CHARACTERS_MAX, ({ characters }) => characters),
  ) {
    this.#cache = cache
    this.#vault = vault
    this.#known = known
  }

  /** The same charters, confirmed by the vault as a request asks it. */
  by(vault: Vault): CheckedCharters {
    return new CheckedCharters(this.#cache, vault, this.#known)
  }

  async get(organizationId: string): Promise<Charter | undefined> {
    const [charter] = await this.#checked(async () => {
      const row = await this.#cache.get(organizationId, true)
      return row === undefined ? [] : [row]
    })
    return charter
  }

  /**
   * What `pick` takes from each existing charter among them, in the requested order. They are read at once, regardless
   * of their number, unless they are long: then a few at a time.
   */
  async pickFrom<T>(
    organizationIds: readonly string[],
    pick: (charter: Charter) => readonly T[],
  ): Promise<readonly T[]> {
    const picked: T[] = []
    let rest = organizationIds
    while (rest.length > 0) {
      const ids = rest
      const charters = await this.#checked(() => this.#cache.firstOf(ids))
      const last = charters.at(-1)
      if (last === undefined) break
      picked.push(...charters.flatMap(pick))
      const at = rest.indexOf(last.organizationId)
      assert(at >= 0, 'a charter is of an organization that was asked for')
      rest = rest.slice(at + 1)
    }
    return picked
  }

  async #checked(rows: () => Promise<readonly CharterRow[]>): Promise<readonly Charter[]> {
    const found = await checkedRead(
      this.#vault,
      async () => (await rows()).map((row) => ({ row, known: this.#knownAs(row) })),
      (read) => ({ charters: read.map(({ row, known }) => (known === undefined ? row : withoutBody(row))) }),
    )
    return found.map(({ row, known }) => known ?? this.#read(row))
  }

  #knownAs({ organizationId, version, seal }: CharterRow): Charter | undefined {
    const known = this.#known.get(organizationId)
    return known?.seal === seal && known.charter.version === version ? known.charter : undefined
  }

  #read({ organizationId, seal, body }: CharterRow): Charter {
    const charter = readCharter(body)
    this.#known.set(organizationId, { seal, charter, characters: body.length })
    return charter
  }
}

/** The charter without its body, for the question whether it is the newest. */
function withoutBody({ organizationId, version, seal }: CharterRow): OfferedCharter {
  return { organizationId, version, seal }
}
