import { Lru } from '../base/lru.ts'
import type { Charter } from '../charter/charter.ts'
import type { Vault } from '../vault/protocol.ts'
import type { CharterShelf } from './charter-shelf.ts'

const CHECKED_MAX = 1_000

/** Charters whose seal the vault has confirmed, parsed; a hit needs the very same seal. Queries read the newest there is. */
export class CheckedCharters {
  readonly #shelf: CharterShelf
  readonly #vault: Vault
  readonly #known = new Lru<{ readonly seal: string; readonly charter: Charter }>(CHECKED_MAX)

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
    // The vault has just confirmed that it wrote this text, and it writes no other shape.
    const charter = JSON.parse(row.body) as Charter
    this.#known.set(organizationId, { seal: row.seal, charter })
    return charter
  }
}
