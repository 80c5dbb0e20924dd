import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { aRecord } from '../testing/fixtures.ts'
import { openPostgres } from './postgres.ts'
import { type Connections, connectPostgres } from './connection.ts'
import type { Pool } from './pool.ts'
import { postgresReads } from './reads.ts'

const skip = postgresAvailable() ? false : postgresMissing
const { sealed, stored, texts } = JSON.parse(
  readFileSync(new URL('../testing/record-form-1.json', import.meta.url), 'utf8'),
) as {
  readonly sealed: ActivityRow
  readonly stored: ActivityRow
  readonly texts: Readonly<Record<string, string>>
}

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
