import { rootVersionOf } from '../../trusted/vault/keys/seal-text.ts'
import { type CharterRow, emptyUnit, type Unit } from '../../trusted/catalogue/unit.ts'
import type { PassCount, Resealed, Vault } from '../../protocol/vault.ts'
import { type SealedRow, sealedRows } from '../copies/sealed-rows.ts'
import { type NewSeal, SEALED_TABLES, type SealedTable } from '../store/resealing.ts'
import { rowName } from '../store/row-name.ts'
import { isBehind, type ScanKey } from '../store/scan.ts'
import type { Store } from '../store/store.ts'

/** The start of the next page: after this key of this table. */
type Place = { readonly table: SealedTable; readonly after: ScanKey | undefined }

/** The count of a finished pass has this position. */
export const PASS_END = 'end'

/** The result of one page. */
type PassPage = {
  /** Undefined if the pass starts again because another version seals now. */
  readonly count: PassCount | undefined
  /** The number of rows that got a new seal. */
  readonly resealed: number
  /** The fault of each row that has a wrong shape, does not open, or was put back. */
  readonly troubles: readonly string[]
}

const PAGE_ROWS = 64

type Means = {
  readonly store: Pick<Store, 'scan' | 'reseal' | 'commit'>
  readonly vault: Pick<Vault, 'reseal'>
}

/**
 * Takes a pass over all sealed rows one page further. Each row under another version than the one that seals is
 * resealed, and all rows are counted. The pass continues at the position in the count, which the vault has sealed; a
 * position from the store is not trusted.
 *
 * @param to  the sealing version that this host knows; the vault's own version decides
 */
export async function nextPage(
  { store, vault }: Means,
  { pass, count, to }: { readonly pass: string; readonly count: PassCount | undefined; readonly to: number },
): Promise<PassPage> {
  const { table, after } = placeOf(count)
  const page = await store.scan(table, { limit: PAGE_ROWS, after })
  const isStuck = after !== undefined && page.last !== undefined && !isBehind(page.last, after)
  const next = isStuck ? undefined : page.last
  const place = next === undefined ? nextTable(table) : placeText({ table, after: next })
  const { rows, problems } = sealedRows<SealedTable>(table, isStuck ? [] : page.rows)
  const unread = [
    ...problems.map(({ what, problem }) => `${what}: ${problem}`),
    ...(isStuck
      ? [
          `${rowName(table, after)}: the rows after it cannot be read, since its key is neither a text nor a number`,
        ]
      : []),
  ]
  const withSecrets = rows.flatMap(({ row }) => (hasSecrets(row) ? [row] : []))
  const older = rows.filter(({ row }) => rootVersionOf(row.seal) !== to)
  const answer = await vault.reseal({
    pass,
    ...(count === undefined ? {} : { count }),
    place,
    seals: rows.filter(({ row }) => rootVersionOf(row.seal) === to).map(({ row }) => row.seal),
    unread: unread.length,
    withSecrets,
    ...rowsOf(table, older),
  })
  if (answer.kind === 'otherPass') return { count: undefined, resealed: 0, troubles: [] }
  const seals = newSeals(table, older, answer)
  const resealed = seals.length === 0 ? 0 : await store.reseal(seals)
  for (const row of answer.renewed) await store.commit(unitOf(row))
  return { count: answer.count, resealed, troubles: [...unread, ...answer.troubles] }
}

/** Only charters with this text may have client secrets. */
const SECRET = '"encryptedClientSecret"'

function hasSecrets(row: SealedRow<SealedTable>['row']): row is CharterRow {
  return 'body' in row && 'version' in row && row.body.includes(SECRET)
}

/** If the charter has changed in the meantime, the next pass finds it. */
function unitOf(row: CharterRow): Unit {
  const { organizationId, version } = row
  return { ...emptyUnit, guards: [{ organizationId, version: version - 1 }], charters: [row] }
}

function rowsOf(table: SealedTable, rows: readonly SealedRow<SealedTable>[]) {
  const none = { charters: [], activities: [], objects: [], jobs: [] }
  // The rows were read from that table.
  return { ...none, [table]: rows.map(({ row }) => row) } as typeof none
}

function newSeals(
  table: SealedTable,
  rows: readonly SealedRow<SealedTable>[],
  answer: Extract<Resealed, { readonly kind: 'resealed' }>,
): readonly NewSeal[] {
  return rows.flatMap(({ key, row }, at) => {
    const to = answer[table][at]
    return to === undefined || to === null ? [] : [{ table, key, from: row.seal, to }]
  })
}

function placeOf(count: PassCount | undefined): Place {
  if (count === undefined) return { table: SEALED_TABLES[0], after: undefined }
  // The vault has sealed this text as the function below wrote it.
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

/** The name of the table under way, for people. */
export function placeShown(count: PassCount | undefined): string {
  return count?.place === PASS_END ? PASS_END : placeOf(count).table
}
