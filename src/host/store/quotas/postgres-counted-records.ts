import type pg from 'pg'
import type { Connections } from '../postgres/connection.ts'
import { isReadHere } from '../postgres/read-here.ts'
import { compactRecords } from '../postgres/record-texts.ts'
import { recordWriter } from '../postgres/records.ts'
import { inPreparedTransaction } from '../postgres/transaction.ts'
import type { RecordOnly } from '../record-only.ts'
import { type Account, accountOf } from './account.ts'
import { count, type KnownQuotas, type OverQuota } from './postgres-quotas.ts'
import type { ChargedUnit, QuotasOf } from './quota.ts'

/** A record, and the unit that consists of it. */
type CountedRecord = { readonly unit: ChargedUnit; readonly record: RecordOnly }

type Written =
  | { readonly kind: 'committed' }
  /**
   * Nothing is written: some would exceed a quota, and some conflict with stored rows. The others can be written
   * together.
   */
  | {
      readonly kind: 'apart'
      readonly over: readonly OverQuota[]
      readonly conflicting: readonly ChargedUnit[]
    }

/**
 * Writes counted records, many in one transaction, so that the organization's counts are locked once for all of them.
 *
 * @throws DatabaseError if PostgreSQL refuses them
 */
export function countedRecordWriter(
  { units, texts, timeline }: Pick<Connections, 'units' | 'texts' | 'timeline'>,
  quotas: KnownQuotas,
): (records: readonly CountedRecord[]) => Promise<Written> {
  const heard = new Set<string>()
  return async (records) => {
    const settings = quotas.current
    const accounts = records.flatMap(({ unit }) => accountOf(settings, unit) ?? [])
    const prepare = async (client: pg.ClientBase): Promise<readonly RecordOnly[]> => {
      const whole = records.map(({ record }) => record.row)
      const rows = await compactRecords(texts, whole, client)
      return records.map(({ record }, at) => ({ ...record, row: rows[at] ?? record.row }))
    }
    return await inPreparedTransaction<readonly RecordOnly[], Written>(
      units,
      prepare,
      async (client, stored) => {
        const elsewhere = records.flatMap(({ unit }) => (isReadHere(unit, { timeline }) ? [] : [unit]))
        if (elsewhere.length > 0)
          return { keep: false, result: { kind: 'apart', over: [], conflicting: elsewhere } }
        const write = recordWriter({ write: (statement) => client.query(statement) }, heard)
        const written = await write(stored, settings.version)
        const conflicting = records.flatMap(({ unit }, at) => (written[at] === true ? [] : [unit]))
        if (conflicting.length > 0) return { keep: false, result: { kind: 'apart', over: [], conflicting } }
        const counted = records.map(({ unit }) => unit)
        const over = await count(client, counted, together(accounts))
        return over.length === 0
          ? { keep: true, result: { kind: 'committed' } }
          : { keep: false, result: { kind: 'apart', over, conflicting: [] } }
      },
    )
  }
}

/** Records do not touch rows that count. */
function together(accounts: readonly Account[]): Account {
  const organizations = new Map<string, QuotasOf>()
  for (const account of accounts)
    for (const [organizationId, quotas] of account.organizations) organizations.set(organizationId, quotas)
  return {
    organizations: new Map([...organizations].sort(([a], [b]) => (a < b ? -1 : 1))),
    rows: { objects: [], charters: [], entries: [] },
  }
}
