import type { VerifyRequest } from '../../protocol/vault.ts'
import { SEALED_TABLES } from '../store/resealing.ts'
import type { RowPage } from './row-source.ts'
import { sealedRows } from './sealed-rows.ts'
import type { Problem } from './verify-state.ts'

/** The rows of a page that the vault verifies. */
export function verifyRequest(page: RowPage): {
  readonly request: VerifyRequest
  readonly problems: readonly Problem[]
} {
  const none = { charters: [], activities: [], objects: [], jobs: [] }
  const table = SEALED_TABLES.find((name) => name === page.table)
  if (table === undefined) return { request: none, problems: [] }
  // The rows are those of the table that the page names.
  const { rows, problems } = sealedRows(table, page.rows as Parameters<typeof sealedRows>[1])
  return { request: { ...none, [table]: rows.map(({ row }) => row) }, problems }
}
