import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { aJudgedRecord, anId, anObject, aRecord } from '../testing/fixtures.ts'
import { openPostgres } from './postgres.ts'
import { type Connections, connectPostgres } from './connection.ts'
import type { Pool } from './pool.ts'
import { postgresReads } from './reads.ts'
import { changedSettings } from '../quotas/settings.ts'
import { StoreError } from '../store-error.ts'

const skip = postgresAvailable() ? false : postgresMissing
const { sealed, stored, texts } = JSON.parse(
  readFileSync(new URL('../testing/record-form-1.json', import.meta.url), 'utf8'),
) as {
  readonly sealed: ActivityRow
  readonly stored: ActivityRow
  readonly texts: Readonly<Record<string, string>>
}

const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()`
const A_REQUEST = { requests: 1, cost: 1, isBound: true, now: Date.UTC(2026, 10, 23) } as const

test('a record is read whole where a failover has another server answer for its texts', {
  skip,
}, async (t) => {
  const has = await freshDatabase()
  const store = await openPostgres({ url: has })
  t.after(() => store.close())
  await store.commit(aRecord(stored))
  const shows = await connectedTo(t, has)
  for (const [digest, body] of Object.entries(texts))
    await shows.units.write({
      text: 'INSERT INTO record_texts VALUES ($1, $2, $3)',
      values: [stored.organizationId, digest, body],
    })
  const lacks = await connectedTo(t, await freshDatabase())

  const read: Pool['read'] = (statement) =>
    (statement.name === 'record texts' ? lacks : shows).units.read(statement)
  const reads = postgresReads({ ...shows, units: { ...shows.units, read } }, async (error) => error)
  assert.deepEqual(await reads.activity(stored.organizationId, stored.activityId), sealed)
})

async function connectedTo(t: TestContext, url: string): Promise<Connections> {
  const connections = await connectPostgres({ url })
  t.after(() => connections.end())
  return connections
}

for (const [name, parts] of [
  ['a record', {}],
  ['a unit', { objects: { put: [anObject('key')], remove: [] } }],
  ['a record that counts', { charge: { organizationIds: [sealed.organizationId], ...A_REQUEST } }],
] as const)
  test(`${name} names no text that was stored on the server before, and that the present one lacks`, {
    skip,
  }, async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url, watchMs: 3_600_000 })
    t.after(() => store.close())
    const { organizationId } = sealed
    const quota = changedSettings(await store.quotas.settings(), organizationId, { requests: 100 })
    await store.quotas.replace(quota)
    for (const n of [1, 2, 3]) await store.commit({ ...aRecord(aJudgedRecord(n)), ...parts })
    const { units } = await connectedTo(t, url)
    const named = await units.read({ text: "SELECT FROM activities WHERE votes LIKE '%@%'" })
    assert.ok((named.rowCount ?? 0) > 0)

    // As a failover that lost the texts would have it.
    await units.write({ text: 'DELETE FROM record_texts' })
    await units.read({ text: END_OTHERS })
    await taken(() => store.commit({ ...aRecord(aJudgedRecord(4)), ...parts }))
    const other = await openPostgres({ url })
    t.after(() => other.close())
    assert.deepEqual(await other.activity(organizationId, anId(4)), aJudgedRecord(4))
  })

for (const [name, parts] of [
  ['a record', {}],
  ['a unit', { objects: { put: [anObject('key')], remove: [] } }],
  ['a record that counts', { charge: { organizationIds: [sealed.organizationId], ...A_REQUEST } }],
] as const)
  test(`${name} that was decided on the rows of another server is not written, and its neighbours are`, {
    skip,
  }, async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    t.after(() => store.close())
    const { organizationId } = sealed
    await store.quotas.replace(
      changedSettings(await store.quotas.settings(), organizationId, { requests: 9 }),
    )
    const of = (n: number, readFrom: unknown) => ({ ...aRecord(aJudgedRecord(n)), ...parts, readFrom })
    const outcomes = await Promise.all(
      [store.server(), 'the server before', undefined].map((readFrom, n) =>
        store.commit(of(n + 1, readFrom)),
      ),
    )
    assert.deepEqual(outcomes, [
      { kind: 'committed' },
      { kind: 'conflict', conflict: 'guard' },
      { kind: 'committed' },
    ])
    assert.equal(await store.activity(organizationId, anId(2)), undefined)
  })

/** The first tries meet connections that have ended. */
async function taken(commit: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      assert.deepEqual(await commit(), { kind: 'committed' })
      return
    } catch (error) {
      assert.ok(error instanceof StoreError && error.kind === 'unavailable', String(error))
    }
}
