import { isPlain, type Plain } from '../../trusted/base/plain.ts'
import type { ActivityRow, CharterRow, JobRow, ObjectRow } from '../../trusted/catalogue/unit.ts'
import { FRAME_BYTES_MAX } from '../../protocol/frames.ts'
import { plainActivity, plainCharter, plainJob, plainObject } from '../../protocol/rows.ts'
import type { SealedTable } from '../store/resealing.ts'
import { rowName } from '../store/row-name.ts'
import { keyOfRow, rowCharacters, type ScanKey } from '../store/scan.ts'
import type { TableRows } from '../store/tables.ts'
import type { Problem } from './verify-state.ts'

/** The rows of each table with a seal, in the vault's form. */
type VaultRows = {
  readonly charters: CharterRow
  readonly activities: ActivityRow
  readonly objects: ObjectRow
  readonly jobs: JobRow
}

export type SealedRow<T extends SealedTable> = { readonly key: ScanKey; readonly row: VaultRows[T] }

const shapes: { readonly [T in SealedTable]: Plain<VaultRows[T]> } = {
  charters: plainCharter,
  activities: plainActivity,
  objects: plainObject,
  jobs: plainJob,
}

/**
 * The rows of a page that the vault reads. A row that no vault accepts is reported here, by its table and its key, so
 * that the vault still gets the others of its page.
 */
export function sealedRows<T extends SealedTable>(
  table: T,
  page: readonly TableRows[T][],
): { readonly rows: readonly SealedRow<T>[]; readonly problems: readonly Problem[] } {
  const rows: SealedRow<T>[] = []
  const problems: Problem[] = []
  for (const read of page) {
    // The rows of a page are those of its table.
    const row: unknown = table === 'jobs' ? messageOf(read as TableRows['jobs']) : read
    if (row === undefined) continue
    const key = keyOfRow(table, read)
    if (!isPlain(shapes[table], row))
      problems.push({ what: rowName(table, key), problem: `its column${shapes[table].problem(row)}` })
    else if (rowCharacters(row) > ROW_CHARACTERS_MAX)
      problems.push({ what: rowName(table, key), problem: 'it is longer than a row can be' })
    else rows.push({ key, row })
  }
  return { rows, problems }
}

/** This number fits into one message to the vault, with the rest of their page and in any UTF-8 encoding. */
const ROW_CHARACTERS_MAX = Math.floor(FRAME_BYTES_MAX / 4)

/** A webhook job has no sealed content of its own. */
function messageOf({ kind, jobId, seal, organizationId, createdAt }: TableRows['jobs']): unknown {
  return kind === 'webhook' ? undefined : { kind, jobId, seal, organizationId, createdAt }
}
