import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../test/support/eventually.ts'
import {
  freshDatabase,
  postgresAvailable,
  postgresMissing,
  startPostgres,
} from '../../../test/support/postgres.ts'
import type { Loader } from './loader.ts'
import { withPostgresLoader } from './postgres/loader.ts'
import { openPostgres } from './postgres/postgres.ts'
import { withSqliteLoader } from './sqlite/loader.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { StoreError } from './store-error.ts'
import type { Store } from './store.ts'
import {
  aCharter,
  aJob,
  aJudgedRecord,
  anAmendment,
  anEntry,
  anObject,
  aUnit,
  holderOf,
} from './testing/fixtures.ts'
import { cancelWaiting, missStandby } from './testing/missing-standby.ts'

type Target = {
  readonly load: <Result>(work: (loader: Loader) => Promise<Result>) => Promise<Result>
  readonly open: () => Promise<Store>
}

const engines: { readonly [engine: string]: (t: TestContext) => Promise<Target> } = {
  sqlite: async (t) => {
    const path = join(aFolder(t), 'data.db')
    return { load: (work) => withSqliteLoader(path, work), open: async () => ended(t, openSqlite({ path })) }
  },
  postgres: async (t) => {
    const url = await freshDatabase()
    return {
      load: (work) => withPostgresLoader(url, work),
      open: async () => ended(t, await openPostgres({ url })),
    }
  },
}

const RECORDS = [1, 2, 3].map((n) => aJudgedRecord(n))
const OBJECT = anObject('key', { body: '{"a":"ü 🗝"}' })

for (const [engine, target] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false

  test(`${engine}: what was loaded is there afterwards, and jobs go on behind the last one`, {
    skip,
  }, async (t) => {
    const { load, open } = await target(t)
    const earlier = await open()
    await earlier.commit(aUnit({ jobs: [aJob('of a first start')] }))
    await earlier.finishJob(1)
    await earlier.close()
    const told = await load(async (loader) => {
      await fill(loader)
      assert.deepEqual((await loader.scan('activities', { limit: 9 })).rows, RECORDS)
      return 'told'
    })
    assert.equal(told, 'told')

    const store = await open()
    assert.deepEqual(await store.charter('org'), aCharter('org', 1))
    assert.deepEqual((await store.scan('activities', { limit: 9 })).rows, RECORDS)
    assert.deepEqual(await store.objects('org', 'privateKey', ['key']), [OBJECT])
    assert.equal(await holderOf(store, 'org', 'name', 'alice'), 'user')
    assert.equal(await store.note('root'), 'proof')
    assert.deepEqual(await store.commit(aUnit({ jobs: [aJob('mail')] })), { kind: 'committed' })
    const [job] = await store.takeJobs({ now: 10 ** 14, leaseMs: 1, limit: 1 })
    assert.equal(job?.sequence, 42)
  })

  test(`${engine}: the first job after a copy of a single one has a number of its own`, {
    skip,
  }, async (t) => {
    const { load, open } = await target(t)
    await load(async (loader) => await loader.setLastJob(1))
    const store = await open()
    await store.commit(aUnit({ jobs: [aJob('mail')] }))
    const [job] = await store.takeJobs({ now: 10 ** 14, leaseMs: 1, limit: 1 })
    assert.equal(job?.sequence, 2)
  })

  test(`${engine}: work that fails leaves the store empty`, { skip }, async (t) => {
    const { load, open } = await target(t)
    const thrown = new Error('the copy ends here')
    await assert.rejects(
      load(async (loader) => {
        await fill(loader)
        throw thrown
      }),
      (error) => error === thrown,
    )
    const store = await open()
    assert.equal(await store.isEmpty(), true)
    assert.deepEqual((await store.scan('activities', { limit: 9 })).rows, [])
    assert.equal(await store.note('root'), undefined)
  })

  test(`${engine}: only a store without data is filled, and notes of a first start are no data`, {
    skip,
  }, async (t) => {
    const { load, open } = await target(t)
    const started = await open()
    await started.noteOnce('root', 'of the first start')
    await started.close()
    await load(async (loader) => {
      await loader.put('notes', [{ name: 'other', value: 'loaded' }])
      // As after a store that has never had a job.
      await loader.setLastJob(0)
    })
    const store = await open()
    assert.equal(await store.note('root'), undefined)
    assert.equal(await store.note('other'), 'loaded')
    await store.commit(anAmendment(aCharter('org', 1)))
    await store.close()

    await assert.rejects(load(fill), {
      name: 'StoreError',
      kind: 'foreign',
      message: /not empty \(it has charters\)/,
    })
    const kept = await open()
    assert.equal(await kept.note('other'), 'loaded')
  })
}

test('sqlite: a store whose lock was removed while it was filled stays empty', async (t) => {
  const path = join(aFolder(t), 'data.db')
  const filling = withSqliteLoader(path, async (loader) => {
    await fill(loader)
    rmSync(`${path}-lock`)
  })
  const message = /data\.db-lock was removed or replaced/
  await assert.rejects(filling, { name: 'StoreError', kind: 'foreign', message })
  const store = ended(t, openSqlite({ path }))
  assert.equal(await store.isEmpty(), true)
})

const skip = postgresAvailable() ? false : postgresMissing

test('postgres: what was loaded is told as loaded, also when the server fails right behind it', {
  skip,
}, async (t) => {
  const url = await freshDatabase()
  await (await openPostgres({ url })).close()
  const clients = [0, 1].map(() => new pg.Client({ connectionString: url }))
  t.after(() => Promise.all(clients.map((client) => client.end())))
  for (const client of clients) await client.connect()
  const [waiting, operator] = clients
  assert.ok(waiting !== undefined && operator !== undefined)
  const waits = (statement: string) =>
    operator.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`,
      [statement],
    )
  let held: Promise<unknown> | undefined
  const loaded = withPostgresLoader(url, async (loader) => {
    await fill(loader)
    held = waiting.query('BEGIN; LOCK TABLE objects IN SHARE UPDATE EXCLUSIVE MODE')
    await eventually(async () => (await waits('BEGIN; LOCK%')).rows.length === 1)
    return 'told'
  })
  await eventually(async () => {
    const [server] = (await waits('ANALYZE%')).rows
    if (server !== undefined) await operator.query('SELECT pg_terminate_backend($1)', [server.pid])
    return server !== undefined
  })
  assert.equal(await loaded, 'told')
  await held
  await waiting.query('ROLLBACK')
  const store = ended(t, await openPostgres({ url }))
  assert.deepEqual(await store.charter('org'), aCharter('org', 1))
})

test('postgres: what a failover may lose again is not told as loaded', { skip }, async (t) => {
  const server = await startPostgres()
  const url = `${server.address}/postgres`
  await (await openPostgres({ url })).close()
  const clients = [0, 1].map(() => new pg.Client({ connectionString: url }))
  t.after(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await server.stop()
  })
  for (const client of clients) await client.connect()
  const [operator, probe] = clients
  assert.ok(operator !== undefined && probe !== undefined)
  let isEnded = false
  const loaded = withPostgresLoader(url, async (loader) => {
    await fill(loader)
    await missStandby(operator, probe)
  })
    .catch((error: unknown) => error)
    .finally(() => {
      isEnded = true
    })
  while (!isEnded) await cancelWaiting(operator)
  const error = await loaded
  assert.ok(error instanceof StoreError)
  assert.equal(error.kind, 'unavailable')
  assert.match(error.message, /committed with a warning/)
})

test('postgres: a database is not filled beside a service, which would not learn of a restore', {
  skip,
}, async (t) => {
  const url = await freshDatabase()
  const service = ended(t, await openPostgres({ url }))
  await assert.rejects(withPostgresLoader(url, fill), {
    name: 'StoreError',
    kind: 'inUse',
    message: /^the database is in use, hosts or commands are connected \(from .+\): stop all of them/,
  })
  assert.equal(await service.isEmpty(), true)
  await service.close()
  let starting: Promise<Store> | undefined
  await withPostgresLoader(url, async (loader) => {
    starting = openPostgres({ url })
    await fill(loader)
  })
  const started = ended(t, await (starting ?? openPostgres({ url })))
  assert.equal(await started.note('root'), 'proof')
})

/** The store, closed at the end of a test that fails too: its connections would keep the process of the tests alive. */
function ended(t: TestContext, store: Store): Store {
  let isClosed = false
  const close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    await store.close()
  }
  t.after(close)
  return { ...store, close }
}

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-loader-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function fill({ put, setLastJob }: Loader): Promise<void> {
  await put('charters', [aCharter('org', 1)])
  await put('activities', RECORDS)
  await put('objects', [OBJECT])
  await put('claims', [anEntry('alice', 'user')])
  await put('notes', [{ name: 'root', value: 'proof' }])
  await setLastJob(41)
}
