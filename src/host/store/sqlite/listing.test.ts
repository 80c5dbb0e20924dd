import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { aRecord, aRequest } from '../testing/fixtures.ts'
import { jobQueue } from './queue.ts'
import { IN_MEMORY, openSqliteFile } from './file.ts'
import { sqliteQuotas } from '../quotas/sqlite-quotas.ts'
import { sqliteListing } from './listing.ts'
import { sqliteRecords } from './records.ts'
import { sqliteWebhooks } from './webhooks.ts'
import { sqliteWriter } from './writer.ts'

test('what is gone when a row is read gives way to what follows, and a page is never longer than was asked for', async () => {
  const db = openSqliteFile(IN_MEMORY, { lockWaitMs: 0 })
  const put = jobQueue(db)
  const write = sqliteWriter(db, {
    put,
    webhooks: sqliteWebhooks(db, put),
    records: sqliteRecords(db),
    quotas: sqliteQuotas(db),
  })
  const units = Array.from({ length: 8 }, (_, n) => aRecord(aRequest(n)))
  for (const unit of units) assert.equal(write(unit).kind, 'committed')
  const rows = new Map(
    units.flatMap(({ activity }) => (activity ? [[activity.row.activityId, activity.row]] : [])),
  )
  const ids = [...rows.keys()].toSorted().toReversed()
  const organizationId = units[0]?.activity?.row.organizationId ?? ''
  const listed = async (limit: number, gone: readonly string[]): Promise<readonly string[]> => {
    const rowOf = (_: string, id: string): ActivityRow | undefined =>
      gone.includes(id) ? undefined : rows.get(id)
    const list = sqliteListing(db, async (_, read) => read(), rowOf)
    return (await list(organizationId, {}, { limit })).map(({ activityId }) => activityId)
  }
  assert.deepEqual(await listed(3, []), ids.slice(0, 3))
  assert.deepEqual(await listed(3, ids.slice(1, 2)), [ids[0], ids[2], ids[3]])
  assert.deepEqual(await listed(3, ids.slice(0, 5)), ids.slice(5, 8))
  assert.deepEqual(await listed(3, ids.slice(0, 6)), ids.slice(6, 8))
  db.close()
})
