import { Lru } from '../../trusted/base/lru.ts'
import type { ObjectRow } from '../../trusted/catalogue/unit.ts'

const ROW_CHARACTERS_MAX = 16 * 1024 * 1024

/** The charter version under which rows were read, and the server (`Store.server`). */
type Under = { readonly version: number; readonly server: unknown }

type Shelved = Under & { readonly question: string; readonly rows: readonly ObjectRow[] }

/**
 * Sealed rows that signing reads again and again. Every change or removal of a row amends the charter, so rows that
 * were read under a charter version are right as long as the commit finds that version. The absence of a row is cached
 * too. The row may exist by now, so a refused request reads again. Rows of a server that was left are not used: it may
 * have shown those of a version that its successor lacks.
 */
export class RowCache {
  readonly #rows = new Lru<Shelved>(ROW_CHARACTERS_MAX, ({ question, rows }) =>
    rows.reduce((sum, { body, seal }) => sum + body.length + seal.length, question.length),
  )

  get(
    organizationId: string,
    question: string,
    { version, server }: Under,
  ): readonly ObjectRow[] | undefined {
    const known = this.#rows.get(`${organizationId} ${question}`)
    return known?.version === version && known.server === server ? known.rows : undefined
  }

  set(organizationId: string, question: string, under: Under, rows: readonly ObjectRow[]): void {
    this.#rows.set(`${organizationId} ${question}`, { ...under, question, rows })
  }
}
