import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../test/support/postgres.ts'
import { openPostgres } from './postgres/postgres.ts'
import { withPostgresSnapshot } from './postgres/snapshot.ts'
import type { ScanKey } from './scan.ts'
import type { Snapshot } from './snapshot.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { withSqliteSnapshot } from './sqlite/snapshot.ts'
import type { Store } from './store.ts'
import { aCharter, aJob, anAmendment, aRecord, aSignature, aUnit } from './testing/fixtures.ts'
import { makeOlderSqlite } from './testing/older-sqlite.ts'

type Opened = {
  readonly store: Store
  readonly withSnapshot: <Result>(work: (snapshot: Snapshot) => Promise<Result>) => Promise<Result>
}

const engines: { readonly [engine: string]: (t: TestContext) => Promise<Opened> } = {
  sqlite: async (t) => {
    const path = join(aFolder(t), 'data.db')
    return { store: openSqlite({ path }), withSnapshot: (work) => withSqliteSnapshot(path, work) }
  },
  postgres: async () => {
    const url = await freshDatabase()
    return { store: await openPostgres({ url }), withSnapshot: (work) => withPostgresSnapshot(url, work) }
  },
}

for (const [engine, open] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false

  test(`${engine}: a snapshot shows what was committed when it began, and nothing later`, {
    skip,
  }, async (t) => {
    const { store, withSnapshot } = await open(t)
    t.after(() => store.close())
    await store.commit(anAmendment(aCharter('org', 1), { jobs: [aJob('mail')] }))
    for (let n = 0; n < 300; n++) await store.commit(aRecord(aSignature(n)))

    await withSnapshot(async (snapshot) => {
      const first = await snapshot.scan('activities', { limit: 100 })
      for (let n = 300; n < 600; n++) await store.commit(aRecord(aSignature(n)))
      await store.commit(anAmendment(aCharter('org', 2), { jobs: [aJob('other')] }))

      let after: ScanKey | undefined = first.last
      let count = first.rows.length
      for (;;) {
        const page = await snapshot.scan('activities', { limit: 100, after })
        if (page.last === undefined) break
        count += page.rows.length
        after = page.last
      }
      assert.equal(count, 300)
      assert.deepEqual((await snapshot.scan('charters', { limit: 10 })).rows, [aCharter('org', 1)])
      assert.equal((await snapshot.scan('jobs', { limit: 10 })).rows.length, 1)
      assert.equal(snapshot.lastJob, 1)
    })
    assert.deepEqual(await store.charter('org'), aCharter('org', 2))
  })

  test(`${engine}: a snapshot of a store that has never had a job, and what its work throws`, {
    skip,
  }, async (t) => {
    const { store, withSnapshot } = await open(t)
    t.after(() => store.close())
    const thrown = new Error('the disk is full')
    await assert.rejects(
      withSnapshot(async ({ lastJob }) => {
        assert.equal(lastJob, 0)
        throw thrown
      }),
      (error) => error === thrown,
    )
    await store.commit(aUnit({ jobs: [aJob('mail')] }))
    assert.equal(await withSnapshot(async ({ lastJob }) => lastJob), 1)
  })
}

/** So long the log of the embedded store may stay on the disk. */
const LOG_BYTES_MAX = 64 * 1024 * 1024

test('no commit waits for a reader of the embedded store, whose log shrinks again after it', async (t) => {
  const path = join(aFolder(t), 'data.db')
  const store = openSqlite({ path })
  t.after(() => store.close())
  const write = async (from: number) =>
    await Promise.all(Array.from({ length: 6_000 }, (_, n) => store.commit(aRecord(aSignature(from + n)))))
  const logBytes = () => statSync(`${path}-wal`).size
  await write(0)

  await withSqliteSnapshot(path, async () => {
    await write(6_000)
    for (let version = 1; logBytes() <= LOG_BYTES_MAX; version++)
      await store.commit(anAmendment(aCharter('org', version, 'x'.repeat(2 ** 22))))
  })
  await store.commit(anAmendment(aCharter('other', 1)))
  assert.ok(logBytes() <= LOG_BYTES_MAX, `${logBytes()} bytes`)
  await write(12_000)
  assert.equal(
    (await store.activities('org', {}, { limit: 1 }))[0]?.activityId,
    aSignature(17_999).activityId,
  )
})

test('a snapshot of no store, or of something else, is refused, and makes no file', async (t) => {
  const folder = aFolder(t)
  const read = async (name: string) => await withSqliteSnapshot(join(folder, name), async () => undefined)
  writeFileSync(join(folder, 'other'), 'no database, but as long as the header of one: '.repeat(200))
  await assert.rejects(read('other'), { kind: 'foreign', message: /not a database of Claviger/ })
  await assert.rejects(read('none'), { kind: 'foreign', message: /there is no embedded store/ })
  assert.equal(existsSync(join(folder, 'none')), false)
  writeFileSync(join(folder, 'empty'), '')
  await assert.rejects(read('empty'), { kind: 'foreign', message: /not a database of Claviger/ })
})

test('a snapshot of an older version is refused, which a start of the service brings up to date', async (t) => {
  const path = join(aFolder(t), 'data.db')
  makeOlderSqlite(path)
  const message = /of an older version: start the service of this version on it once/
  await assert.rejects(
    withSqliteSnapshot(path, async () => undefined),
    { kind: 'foreign', message },
  )
  await openSqlite({ path }).close()
  assert.equal(await withSqliteSnapshot(path, async ({ lastJob }) => lastJob), 0)
})

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-snapshot-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
