import { Lru } from '../base/lru.ts'
import { type Charter, readCharter } from '../charter/charter.ts'
import type { Vault } from '../vault/protocol.ts'
import type { CharterShelf } from './charter-shelf.ts'

// By the text they were parsed from; parsed they take several times that.
const CHECKED_CHARACTERS_MAX = 8 * 1024 * 1024

type Checked = { readonly seal: string; readonly charter: Charter; readonly characters: number }

/** Charters whose seal the vault has confirmed, parsed; a hit needs the very same seal. Queries read the newest there is. */
export class CheckedCharters {
  readonly #shelf: CharterShelf
  readonly #vault: Vault
  readonly #known = new Lru<Checked>(CHECKED_CHARACTERS_MAX, ({ characters }) => characters)

  constructor(shelf: CharterShelf, vault: Vault) {
    this.#shelf = shelf
    this.#vault = vault
  }

  async get(organizationId: string): Promise<Charter | undefined> {
    const row = await this.#shelf.get(organizationId, true)
    if (row === undefined) return undefined
    const known = this.#known.get(organizationId)
    if (known?.seal === row.seal && known.charter.version === row.version) return known.charter
    await this.#vault.check({ charters: [row], activities: [], objects: [] })
    const charter = readCharter(row.body)
    this.#known.set(organizationId, { seal: row.seal, charter, characters: row.body.length })
    return charter
  }
}
