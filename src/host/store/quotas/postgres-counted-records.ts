import type { Connections } from '../postgres-connection.ts'
import { compactRecords } from '../postgres-record-texts.ts'
import { recordWriter } from '../postgres-records.ts'
import { inTransaction } from '../postgres-transaction.ts'
import type { RecordOnly } from '../record-only.ts'
import type { CommitResult } from '../store.ts'
import { type Account, accountOf } from './account.ts'
import { count, type KnownQuotas } from './postgres-quotas.ts'
import type { ChargedUnit, QuotasOf } from './quota.ts'

/** A record, and the unit that it is all of. */
type CountedRecord = { readonly unit: ChargedUnit; readonly record: RecordOnly }

/**
 * Writes records that count, many in one transaction, so that the organization's counts are held once for all of them.
 *
 * @returns what became of all of them; undefined where nothing is written, and each has to be tried by itself
 */
export function countedRecordWriter(
  { units, texts }: Pick<Connections, 'units' | 'texts'>,
  quotas: KnownQuotas,
): (records: readonly CountedRecord[]) => Promise<CommitResult | undefined> {
  const heard = new Set<string>()
  return async (records) => {
    const settings = quotas.current
    const accounts = records.flatMap(({ unit }) => accountOf(settings, unit) ?? [])
    const rows = await compactRecords(
      texts,
      records.map(({ record }) => record.row),
      units,
    )
    const stored = records.map(({ record }, at) => ({ ...record, row: rows[at] ?? record.row }))
    return await inTransaction<CommitResult | undefined>(units, async (client) => {
      const write = recordWriter({ write: (statement) => client.query(statement) }, { heard })
      const written = await write(stored, settings.version)
      if (!written.every(Boolean)) return { keep: false, result: undefined }
      const counted = records.map(({ unit }) => unit)
      const exhausted = await count(client, counted, together(accounts))
      if (exhausted === undefined) return { keep: true, result: { kind: 'committed' } }
      // Of several it is the one that comes first after there was room; those before it may have theirs.
      return { keep: false, result: records.length === 1 ? { kind: 'exhausted', exhausted } : undefined }
    })
  }
}

/** Records touch no rows that count. */
function together(accounts: readonly Account[]): Account {
  const organizations = new Map<string, QuotasOf>()
  for (const account of accounts)
    for (const [organizationId, quotas] of account.organizations) organizations.set(organizationId, quotas)
  return {
    organizations: new Map([...organizations].sort(([a], [b]) => (a < b ? -1 : 1))),
    rows: { objects: [], charters: [], entries: [] },
  }
}
