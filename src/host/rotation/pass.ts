import { rootVersionOf } from '../../trusted/vault/seal-text.ts'
import type { PassCount, Resealed, Vault } from '../../protocol/vault.ts'
import type { JobRow } from '../../trusted/catalogue/unit.ts'
import { type NewSeal, SEALED_TABLES, type SealedTable } from '../store/resealing.ts'
import { keyOfRow, type ScanKey } from '../store/scan.ts'
import type { Store } from '../store/store.ts'
import type { TableRows } from '../store/tables.ts'

/** Where the next page begins: behind this key of this table. */
type Place = { readonly table: SealedTable; readonly after: ScanKey | undefined }

/** A pass that has come to its end says so in its count. */
export const PASS_END = 'end'

/** What one page came to. */
type PassPage = {
  /** Undefined where the pass begins anew: another version seals by now. */
  readonly count: PassCount | undefined
  /** How many rows got a new seal. */
  readonly resealed: number
  /** What is wrong with each row that opens under nothing, or was put back. */
  readonly troubles: readonly string[]
}

const PAGE_ROWS = 64

type Means = { readonly store: Pick<Store, 'scan' | 'reseal'>; readonly vault: Pick<Vault, 'reseal'> }

/**
 * Takes a pass over all sealed rows one page further. Each row under another version than the one that seals is sealed anew, and all
 * are counted. It goes on where the count says, which the vault has sealed: what a store says of the place is not taken for it.
 *
 * @param to  the version that seals, as far as this host knows; the vault says otherwise
 */
export async function nextPage(
  { store, vault }: Means,
  { pass, count, to }: { readonly pass: string; readonly count: PassCount | undefined; readonly to: number },
): Promise<PassPage> {
  const { table, after } = placeOf(count)
  const page = await store.scan(table, { limit: PAGE_ROWS, after })
  const place = page.last === undefined ? nextTable(table) : placeText({ table, after: page.last })
  const rows = sealedRows(table, page.rows)
  const older = rows.filter(({ seal }) => rootVersionOf(seal) !== to)
  const answer = await vault.reseal({
    pass,
    ...(count === undefined ? {} : { count }),
    place,
    seals: rows.filter(({ seal }) => rootVersionOf(seal) === to).map(({ seal }) => seal),
    ...rowsOf(table, older),
  })
  if (answer.kind === 'otherPass') return { count: undefined, resealed: 0, troubles: [] }
  const seals = newSeals(table, older, answer)
  const resealed = seals.length === 0 ? 0 : await store.reseal(seals)
  return { count: answer.count, resealed, troubles: answer.troubles }
}

type SealedRow = { readonly seal: string }

/** Webhooks are jobs without a seal. */
function sealedRows(table: SealedTable, rows: readonly TableRows[SealedTable][]): readonly SealedRow[] {
  return rows.filter((row): row is typeof row & SealedRow => table !== 'jobs' || row.seal !== null)
}

function rowsOf(table: SealedTable, rows: readonly SealedRow[]) {
  const none = { charters: [], activities: [], objects: [], jobs: [] }
  const given = table === 'jobs' ? rows.map(jobRow) : rows
  // A scan of a table gives the rows of that table.
  return { ...none, [table]: given } as typeof none
}

/** As the vault knows a message. */
function jobRow(row: SealedRow): JobRow {
  // The scan of jobs, of which those with a seal are messages, and have an id.
  const { organizationId, jobId, kind, seal, createdAt } = row as TableRows['jobs'] & JobRow
  return { organizationId, jobId, kind, seal, createdAt }
}

function newSeals(
  table: SealedTable,
  rows: readonly SealedRow[],
  answer: Extract<Resealed, { readonly kind: 'resealed' }>,
): readonly NewSeal[] {
  return rows.flatMap((row, at) => {
    const to = answer[table][at]
    return to === undefined || to === null ? [] : [{ table, key: keyOfRow(table, row), from: row.seal, to }]
  })
}

function placeOf(count: PassCount | undefined): Place {
  if (count === undefined) return { table: SEALED_TABLES[0], after: undefined }
  // The vault has sealed it as the function below wrote it.
  const { table, after } = JSON.parse(count.place) as Place
  return { table, after }
}

function placeText(place: Place): string {
  return JSON.stringify(place)
}

function nextTable(table: SealedTable): string {
  const next = SEALED_TABLES[SEALED_TABLES.indexOf(table) + 1]
  return next === undefined ? PASS_END : placeText({ table: next, after: undefined })
}

/** What a pass is reading, for people. */
export function placeShown(count: PassCount | undefined): string {
  return count?.place === PASS_END ? PASS_END : placeOf(count).table
}
