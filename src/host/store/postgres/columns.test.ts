import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { aCharter, anAmendment, anObject, aRecord, aRequest, aUnit } from '../testing/fixtures.ts'
import { openPostgres } from './postgres.ts'
import { declaredColumns } from './columns.ts'
import { postgresMigrations } from './schema.ts'
import { withPostgresSnapshot } from './snapshot.ts'
import { isStoreOutage } from '../outage.ts'
import type { Store } from '../store.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('every column of a new database is one whose type is known', options, async (t) => {
  const url = await freshDatabase()
  await (await openPostgres({ url })).close()
  const operator = await connected(t, url)
  const { rows } = await operator.query<{ name: string }>(
    "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1",
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...declaredColumns().keys()].toSorted(),
  )
})

test('a column that a step drops is not looked for', () => {
  const narrower = { sql: 'ALTER TABLE notes DROP COLUMN value;' }
  assert.deepEqual(
    [...declaredColumns().keys()].filter(
      (name) => !declaredColumns([...postgresMigrations, narrower]).has(name),
    ),
    ['notes.value'],
  )
})

const ALTERATIONS = [
  'charters ALTER COLUMN version TYPE numeric',
  'charters ALTER COLUMN version TYPE text',
  'charters ALTER COLUMN body TYPE varchar COLLATE "C"',
  'activities ALTER COLUMN timestamp_ms TYPE double precision',
  'activities ALTER COLUMN activity_id TYPE text COLLATE "POSIX"',
  'objects ALTER COLUMN expires_at TYPE numeric',
  'errands ALTER COLUMN attempts TYPE integer',
  'notes RENAME COLUMN value TO other',
]

for (const alteration of ALTERATIONS)
  test(`data is neither opened nor copied after ALTER TABLE ${alteration}`, options, async (t) => {
    const url = await freshDatabase()
    await (await openPostgres({ url })).close()
    await (await connected(t, url)).query(`ALTER TABLE ${alteration}`)
    const message = /^the column \w+\.\w+ of the database is .+, and has to be .+ altered by hand$/
    const refusal = { name: 'StoreError', kind: 'foreign', message }
    await assert.rejects(openPostgres({ url }), refusal)
    await assert.rejects(
      withPostgresSnapshot(url, async () => undefined),
      refusal,
    )
  })

// Under the statements that every connection has prepared for the old type, and before the next look at the schema.
for (const { type, back } of [
  { type: 'numeric', back: 'bigint' },
  { type: 'text', back: 'bigint USING version::bigint' },
  { type: 'bigint, ALTER COLUMN body TYPE varchar', back: 'bigint, ALTER COLUMN body TYPE text COLLATE "C"' },
])
  test(
    `a running host meets ALTER COLUMN version TYPE ${type} as an outage that names the column, and goes on when it is undone`,
    options,
    async (t) => {
      const url = await freshDatabase()
      const store = await openPostgres({ url, watchMs: 3_600_000 })
      t.after(() => store.close())
      const operator = await connected(t, url)
      await store.commit(anAmendment(aCharter('org', 1)))
      for (const use of usesOf(store, 1)) await use()

      await operator.query(`ALTER TABLE charters ALTER COLUMN version TYPE ${type}`)
      const named = /^the column charters\.(version|body) of the database is/
      for (const use of [...usesOf(store, 2), () => store.probe()])
        await assert.rejects(use(), (error: unknown) => {
          assert.ok(error instanceof Error)
          assert.match(error.message, named)
          assert.ok(isStoreOutage(error))
          return true
        })

      await operator.query(`ALTER TABLE charters ALTER COLUMN version TYPE ${back}`)
      await store.probe()
      assert.deepEqual(await store.charter('org'), aCharter('org', 2))
      for (const use of usesOf(store, 2)) await use()
      assert.deepEqual(await store.charter('org'), aCharter('org', 3))
    },
  )

// A statement that is prepared after the change has no stale plan: its answer alone shows the type.
for (const { alteration, use } of [
  { alteration: 'charters ALTER COLUMN version TYPE numeric', use: (store: Store) => store.charter('org') },
  {
    alteration: 'activities ALTER COLUMN revision TYPE numeric',
    use: (store: Store) => store.activity('org', 'activity'),
  },
  {
    alteration: 'objects ALTER COLUMN body TYPE varchar',
    use: (store: Store) => store.scan('objects', { limit: 9 }),
  },
])
  test(`a statement that is first used after ALTER TABLE ${alteration} is an outage`, options, async (t) => {
    const url = await freshDatabase()
    const first = await openPostgres({ url })
    await first.commit(anAmendment(aCharter('org', 1)))
    await first.close()
    const store = await openPostgres({ url, watchMs: 3_600_000 })
    t.after(() => store.close())
    // The connections are open, and have checked the schema.
    await store.objects('org', 'kind', ['object'])
    await store.scan('notes', { limit: 9 })
    await (await connected(t, url)).query(`ALTER TABLE ${alteration}`)
    await assert.rejects(use(store), (error: unknown) => isStoreOutage(error))
  })

test('a column that no request meets is found by the readiness check all the same', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url, watchMs: 3_600_000 })
  t.after(() => store.close())
  await store.probe()
  await (await connected(t, url)).query('ALTER TABLE errands ALTER COLUMN created_at TYPE numeric')
  await assert.rejects(store.probe(), { kind: 'foreign', message: /errands\.created_at .* is numeric/ })
})

/** What a host does all day; each amends or records something of its own. */
function usesOf(store: Store, round: number): readonly (() => Promise<unknown>)[] {
  return [
    () => store.charter('org'),
    () => store.charters(['org']),
    () => store.commit(aRecord(aRequest(round), [{ organizationId: 'org', version: round }])),
    () => store.commit(anAmendment(aCharter('org', round + 1))),
    () =>
      store.commit(
        aUnit({
          objects: { put: [anObject(`object ${round}`)], remove: [] },
          guards: [{ organizationId: 'org', version: round + 1 }],
        }),
      ),
  ]
}

async function connected(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  return client
}
