import { Lru } from '../base/lru.ts'
import type { ObjectRow } from '../catalogue/unit.ts'

const ROW_CHARACTERS_MAX = 16 * 1024 * 1024

type Shelved = { readonly version: number; readonly rows: readonly ObjectRow[] }

/**
 * Sealed rows that signing reads again and again. Whoever changes or removes a row amends the charter, so rows read under a
 * charter version are right for as long as the commit finds that version. Rows that were not there are never remembered.
 */
export class RowShelf {
  readonly #rows = new Lru<Shelved>(ROW_CHARACTERS_MAX, ({ rows }) =>
    rows.reduce((sum, { body, seal }) => sum + body.length + seal.length, 0),
  )

  get(organizationId: string, question: string, version: number): readonly ObjectRow[] | undefined {
    const known = this.#rows.get(`${organizationId} ${question}`)
    return known?.version === version ? known.rows : undefined
  }

  set(organizationId: string, question: string, version: number, rows: readonly ObjectRow[]): void {
    if (rows.length > 0) this.#rows.set(`${organizationId} ${question}`, { version, rows })
  }
}
