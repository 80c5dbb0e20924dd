import type { ScanKey, ScanPage } from '../store/scan.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { TableRows } from '../store/tables.ts'
import type { RowPage, RowSource } from './row-source.ts'

/**
 * The rows of one organization: its charter, its objects and its activities. Names and lookups can be derived from
 * these, and waiting deliveries belong to the service. At the end of a page, rows of other organizations are read as
 * well, and dropped.
 */
export function organizationSource({ scan }: Pick<Snapshot, 'scan'>, organizationId: string): RowSource {
  return {
    pages: async function* () {
      for (const { table, before } of TABLES) {
        for (let after: ScanKey | undefined = before(organizationId); after !== undefined; ) {
          const page: ScanPage<typeof table> = await scan(table, { limit: ROWS_OF_A_PAGE, after })
          const rows: readonly Owned[] = page.rows
          const own = rows.filter((row) => row.organizationId === organizationId)
          // They are rows of the same table.
          if (own.length > 0) yield { table, rows: own } as RowPage
          const end = rows.at(-1)
          after = end === undefined || end.organizationId > organizationId ? undefined : page.last
        }
      }
    },
  }
}

type Owned = TableRows[(typeof TABLES)[number]['table']]

const ROWS_OF_A_PAGE = 500

/** In the order of copies, each with a key before those of the organization. */
const TABLES = [
  { table: 'charters', before: (id: string) => [id.slice(0, -1)] },
  { table: 'objects', before: (id: string) => [id, '', ''] },
  { table: 'activities', before: (id: string) => [id, ''] },
] as const
