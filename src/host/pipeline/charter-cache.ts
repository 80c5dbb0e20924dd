import { Lru } from '../../trusted/base/lru.ts'
import type { CharterRow } from '../../trusted/catalogue/unit.ts'
import type { Store } from '../store/store.ts'
import type { OfferedCharter } from '../../protocol/vault.ts'

const CHARTER_CHARACTERS_MAX = 32 * 1024 * 1024
const SHOWN_MAX = 10_000

/** A charter, and the server that it was read from (`Store.server`). */
type Read = { readonly row: CharterRow; readonly from: unknown }

/**
 * Charters as last read. One may be out of date: a decision on it is guarded by its version at the commit, and a
 * refusal counts only after the charter was read again. Rows that a failover could still undo are not cached, because
 * the vault remembers the rows that it was shown and would refuse everything older. Those of a server that was left are
 * not used: its successor may have another charter of the same version, if it has lost what was acknowledged.
 */
export class CharterCache {
  readonly #store: Store
  readonly #rows = new Lru<Read>(CHARTER_CHARACTERS_MAX, ({ row }) => row.body.length)
  /** The seal of the newest charter that is known to be confirmed. */
  readonly #standing = new Lru<string>(SHOWN_MAX)
  readonly #shownToVault = new Lru<number>(SHOWN_MAX)

  constructor(store: Store) {
    this.#store = store
  }

  async get(organizationId: string, fresh: boolean): Promise<CharterRow | undefined> {
    const known = fresh ? undefined : this.#rows.get(organizationId)
    if (known !== undefined && known.from === this.#store.server()) return known.row
    const [row] = await this.#read(async () => {
      const found = await this.#store.charter(organizationId)
      return found === undefined ? [] : [found]
    })
    return row
  }

  /** The first of the existing charters among them, as many as the store reads at once, in the requested order. */
  async firstOf(organizationIds: readonly string[]): Promise<readonly CharterRow[]> {
    return await this.#read(() => this.#store.charters(organizationIds))
  }

  /** The parent of the organization, or itself. Not checked by the vault: it decides only whose turn it is. */
  async tenantOf(organizationId: string): Promise<string> {
    const row = await this.get(organizationId, false)
    return (row && parentHint(row)) ?? organizationId
  }

  /** A charter that was committed here, or is confirmed, needs no confirmation when it is read. */
  committed(rows: readonly CharterRow[]): void {
    for (const { organizationId, seal } of rows) this.#standing.set(organizationId, seal)
  }

  async #read(read: () => Promise<readonly CharterRow[]>): Promise<readonly CharterRow[]> {
    const confirm = this.#store.confirmer()
    const from = this.#store.server()
    const rows = await read()
    if (rows.some(({ organizationId, seal }) => this.#standing.get(organizationId) !== seal)) await confirm()
    for (const row of rows) this.#rows.set(row.organizationId, { row, from })
    this.committed(rows)
    return rows
  }

  /** The form for the vault: without the body if the vault has seen this version, unless it asks for the body. */
  offer(row: CharterRow, whole: boolean): OfferedCharter {
    const { organizationId, version, seal } = row
    if (!whole && this.#shownToVault.get(organizationId) === version) return { organizationId, version, seal }
    this.#shownToVault.set(organizationId, version)
    return row
  }
}

/**
 * The parent that a charter names, read without trusting the charter: the host brings the parent along, in case the
 * vault asks for it.
 */
export function parentHint({ body }: CharterRow): string | undefined {
  return /"parentId":"([0-9a-f-]{36})"/.exec(body)?.[1]
}
