import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { queryObjects } from 'node:v8'
import pg from 'pg'
import {
  freshDatabase,
  postgresAvailable,
  postgresMissing,
  startPostgres,
} from '../../../../test/support/postgres.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { changedSettings } from '../quotas/settings.ts'
import { storePromises } from '../testing/conformance.ts'
import { storeAgreesWithModel } from '../testing/conformance-model.ts'
import type { OpenAgain } from '../testing/conformance-promise.ts'
import {
  aCharter,
  aJob,
  anAmendment,
  anEntry,
  anObject,
  aRecord,
  aRequest,
  aSignature,
  aUnit,
} from '../testing/fixtures.ts'
import { WEBHOOK_ENTRY, webhookOrderingKey } from '../ordering-keys.ts'
import { aWriter } from '../testing/killable-writer.ts'
import { migrationChecksum } from '../migrations.ts'
import { besidePostgres } from './beside.ts'
import { openPostgres } from './postgres.ts'
import { lockOrderingKey } from './queue.ts'
import { migrationTable, postgresMigrations } from './schema.ts'
import type { Store } from '../store.ts'
import { StoreError } from '../store-error.ts'

const fresh = async (t: TestContext): Promise<OpenAgain> => {
  const url = await freshDatabase()
  return async () => {
    const store = await openPostgres({ url })
    t.after(() => store.close())
    return store
  }
}

if (postgresAvailable()) {
  storePromises('postgres', fresh)
  storeAgreesWithModel('postgres', { fresh, runs: 20 })
}

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('a server that acknowledges what it may lose is refused', options, async (t) => {
  const url = await freshDatabase()
  await run(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`)
  const refusal = (message: RegExp) => ({ name: 'StoreError', kind: 'notDurable', message })
  await assert.rejects(openPostgres({ url }), refusal(/synchronous_commit=off/))

  const careless = await startPostgres(['fsync=off'])
  t.after(careless.stop)
  const carelessUrl = `${careless.address}/postgres`
  await assert.rejects(openPostgres({ url: carelessUrl }), refusal(/fsync=off/))
  await (await openPostgres({ url: carelessUrl, allowFsyncOff: true })).close()
})

test('a database that does not know every character is refused', options, async () => {
  const url = new URL(await freshDatabase())
  await run(url.href, `CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
  url.pathname = '/latin'
  await assert.rejects(openPostgres({ url: url.href }), { kind: 'foreign', message: /encoded in LATIN1/ })
})

test('jobs of a host whose clock is ahead are due at once by the clock of the server', options, async (t) => {
  const open = await fresh(t)
  const store = await open()
  const { clock } = store
  assert.ok(clock !== undefined)
  const tomorrow = (await clock()) + 24 * 3_600_000
  await store.commit(aUnit({ jobs: [aJob('mail', { createdAt: tomorrow })] }))
  const entry = { scope: 'org', ...WEBHOOK_ENTRY, target: 'hook' }
  await store.commit(aUnit({ directory: { put: [entry], remove: [] } }))
  await store.commit(aRecord(aRequest(1, { updatedAt: tomorrow }), [], ['org']))
  const taken = await store.takeJobs({ now: await clock(), leaseMs: 60_000, limit: 10 })
  assert.deepEqual(
    taken.map(({ orderingKey }) => orderingKey),
    ['message mail', 'webhook org hook'],
  )
})

/** A store, and another client whose transaction has written an object and goes on. */
async function whileOneWrites(t: TestContext) {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  t.after(() => store.close())
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  t.after(() => writer.end())
  await writer.query("BEGIN; INSERT INTO objects VALUES ('org', 'privateKey', 'under way', '{}', 'seal')")
  return { store, writer }
}

test('a quota is set when what was being written has ended, so that it is counted', options, async (t) => {
  const { store, writer } = await whileOneWrites(t)
  let isSet = false

  const setting = store.quotas
    .replace(changedSettings(await store.quotas.settings(), 'org', { objects: 5 }))
    .then(() => {
      isSet = true
    })
  await eventually(async () => {
    const { rows } = await writer.query(
      'SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database() AND NOT granted',
    )
    return rows.length > 0 || isSet
  })
  assert.equal(isSet, false)
  await writer.query('COMMIT')
  await setting
  assert.deepEqual(await store.quotas.uses('org', 0), [{ quota: 'objects', most: 5, used: 1 }])
})

test(
  'a quota gives up after five seconds behind a long write, since all other writes wait behind it',
  options,
  async (t) => {
    const { store, writer } = await whileOneWrites(t)
    const setting = store.quotas.replace(
      changedSettings(await store.quotas.settings(), 'org', { objects: 5 }),
    )
    await assert.rejects(setting, /lock timeout/)
    await writer.query('COMMIT')
    assert.equal((await store.quotas.settings()).version, 0)
  },
)

test(
  'a unit that found all rows waits for one that is adding another, and then writes nothing',
  options,
  async (t) => {
    const { store, writer } = await whileOneWrites(t)
    await store.commit(anAmendment(aCharter('org', 1)))
    await writer.query("INSERT INTO claims VALUES ('org', 'name', 'held up', '')")
    const adding = store.commit(
      aUnit({
        guards: [{ organizationId: 'org', version: 1 }],
        objects: { put: [anObject('added', { kind: 'wallet' })], remove: [] },
        claims: { put: [anEntry('held up', 'added')], remove: [] },
      }),
    )
    await eventually(() => someoneWaits(writer, 'transactionid'))
    const found = [{ of: 'kind', organizationId: 'org', kind: 'wallet', count: 0 }] as const
    let isEnded = false
    const removing = store.commit({ ...anAmendment(aCharter('org', 2)), found }).finally(() => {
      isEnded = true
    })
    await eventually(async () => isEnded || (await someoneWaits(writer)))
    assert.equal(isEnded, false)

    await writer.query('ROLLBACK')
    assert.deepEqual(await adding, { kind: 'committed' })
    assert.deepEqual(await removing, { kind: 'conflict', conflict: 'guard' })
  },
)

test('data of a newer version and altered schemas are refused with a reason', options, async () => {
  const refusal = (message: RegExp) => ({ name: 'StoreError', kind: 'foreign', message })
  const newer = await freshDatabase()
  await (await openPostgres({ url: newer })).close()
  await run(newer, `INSERT INTO migrations VALUES (${postgresMigrations.length + 1}, 'x')`)
  await assert.rejects(openPostgres({ url: newer }), refusal(/newer version/))

  const altered = await freshDatabase()
  await (await openPostgres({ url: altered })).close()
  await run(altered, "UPDATE migrations SET checksum = 'x'")
  await assert.rejects(openPostgres({ url: altered }), refusal(/altered by hand/))
})

test('data of the first step opens, and nothing of it expires', options, async (t) => {
  const url = await freshDatabase()
  const [first] = postgresMigrations
  assert.ok(first !== undefined)
  await run(url, migrationTable + first.sql)
  await run(url, `INSERT INTO migrations VALUES (1, '${migrationChecksum(first)}')`)
  await run(url, "INSERT INTO objects VALUES ('org', 'privateKey', 'old', '{}', 'seal')")

  const stores = await Promise.all([1, 2, 3].map(() => openPostgres({ url })))
  t.after(() => Promise.all(stores.map((store) => store.close())))
  for (const store of stores) {
    assert.deepEqual(await store.objects('org', 'privateKey', ['old']), [anObject('old')])
    assert.equal(await store.sweep({ now: 10 ** 15, limit: 10 }), 0)
  }
})

test('many hosts may start on empty data at once', options, async () => {
  const url = await freshDatabase()
  const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgres({ url })))
  await Promise.all(stores.map((store) => store.close()))
})

test(
  'the server of these tests has room for the connections of more stores than are open at once',
  options,
  async (t) => {
    const url = await freshDatabase()
    const clients = Array.from({ length: 20 * 9 }, () => new pg.Client({ connectionString: url }))
    t.after(() => Promise.all(clients.map((client) => client.end())))
    await Promise.all(clients.map((client) => client.connect()))
  },
)

test('an address where nothing answers is refused with a reason', options, async () => {
  const refusal = { name: 'StoreError', kind: 'unavailable', message: /no answer from PostgreSQL/ }
  await assert.rejects(openPostgres({ url: 'postgres://nobody@127.0.0.1:1/none' }), refusal)
})

test(
  'when connections break, no answer is given for what was under way, and later units go through',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    t.after(() => store.close())
    await store.commit(anAmendment(aCharter('org', 1)))
    const lost: unknown[] = []
    let acknowledged: number[] = []
    for (let round = 0; round < 5; round++) {
      const numbers = Array.from({ length: 300 }, (_, n) => round * 1_000 + n)
      const pending = numbers.map((n) =>
        store.commit(
          n % 10 === 0
            ? aUnit({
                activity: { row: aRequest(n), replaces: null, audience: [] },
                objects: { put: [anObject(`k${n}`)], remove: [] },
              })
            : aRecord(aRequest(n)),
        ),
      )
      const breaking = run(
        url,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      const results = await Promise.allSettled(pending)
      await breaking
      results.forEach((result, at) => {
        if (result.status === 'rejected') lost.push(result.reason)
        else acknowledged = [...acknowledged, numbers[at] ?? 0]
      })
    }

    assert.ok(lost.length > 0)
    for (const error of lost)
      assert.ok(error instanceof StoreError && error.kind === 'unavailable', String(error))
    for (const n of acknowledged) assert.deepEqual(await store.activityOfRequest(aRequest(n)), aRequest(n))
    assert.deepEqual(await store.commit(aRecord(aRequest(100_000))), { kind: 'committed' })
  },
)

test('every unit that was acknowledged is there after the host is killed', options, async (t) => {
  const url = await freshDatabase()
  const writer = await aWriter(t, ['postgres', url, '0'])
  await writer.acknowledged(500)
  const acknowledged = await writer.kill()
  const store = await openPostgres({ url })
  t.after(() => store.close())
  for (const n of acknowledged) assert.deepEqual(await store.activityOfRequest(aSignature(n)), aSignature(n))
})

test(
  'every unit that was acknowledged is there after the server crashes and recovers',
  options,
  async (t) => {
    const server = await startPostgres()
    t.after(server.stop)
    const url = `${server.address}/postgres`
    const store = await openPostgres({ url })
    t.after(() => store.close())
    const [backend] = await run(url, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'")
    const pending = Array.from({ length: 2_000 }, (_, n) => store.commit(aRecord(aSignature(n))))
    await pending[300]
    // A process of the server that dies like this makes the postmaster end all others and replay the log.
    process.kill(Number(backend?.pid), 'SIGKILL')
    const results = await Promise.allSettled(pending)

    const reopened = await recovered(url)
    t.after(() => reopened.close())
    const acknowledged = results.flatMap((result, n) => (result.status === 'fulfilled' ? [n] : []))
    assert.ok(acknowledged.length >= 300 && acknowledged.length < 2_000)
    for (const n of acknowledged)
      assert.deepEqual(await reopened.activityOfRequest(aSignature(n)), aSignature(n))
  },
)

test(
  'a connection that puts a job into an ordering key, or ends one, waits for the others that do so',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    t.after(() => store.close())
    const webhook = { scope: 'org', target: 'w', organizationId: 'org', activityId: 'a', revision: 1 }
    const entry = { scope: 'org', kind: 'WEBHOOK', value: '', target: 'w' }
    await store.commit(aUnit({ directory: { put: [entry], remove: [] } }))
    await store.addWebhooks([webhook], 1)
    const [taken] = await store.takeJobs({ now: 1, leaseMs: 1, limit: 1 })
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    t.after(() => holder.end())
    const objects = { put: [anObject('k')], remove: [] }
    const works: (() => Promise<unknown>)[] = [
      () => store.commit(aRecord(aRequest(1), [], ['org'])),
      () => store.commit({ ...aRecord(aRequest(2), [], ['org']), objects }),
      () => store.addWebhooks([webhook], 1),
      () => store.finishJob(taken?.sequence ?? 0),
    ]

    for (const work of works) {
      await holder.query(`BEGIN; SELECT ${lockOrderingKey(`'${webhookOrderingKey(webhook)}'`)}`)
      let done = false
      const working = work().then(() => {
        done = true
      })
      while (!done && !(await someoneWaits(holder)));
      assert.equal(done, false)
      await holder.query('COMMIT')
      await working
    }
  },
)

test(
  'units that one charter guards, and that amend others, do not wait for each other, but for its amendment',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    t.after(() => store.close())
    for (const id of ['a', 'parent']) await store.commit(anAmendment(aCharter(id, 1)))
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    t.after(() => holder.end())
    // As a unit under way has locked the organization whose charter guards it.
    await holder.query(
      "BEGIN; SELECT pg_advisory_xact_lock_shared(hashtextextended('organization parent', 0))",
    )
    const amending = (version: number) =>
      anAmendment(aCharter('a', version), {
        guards: [
          { organizationId: 'a', version: version - 1 },
          { organizationId: 'parent', version: 1 },
        ],
      })
    assert.deepEqual(await store.commit(amending(2)), { kind: 'committed' })

    // Many of them one after the other would otherwise keep the parent from changing anything.
    const amended = store.commit(anAmendment(aCharter('parent', 2)))
    await eventually(() => someoneWaits(holder))
    let isEnded = false
    const later = store.commit(amending(3)).finally(() => {
      isEnded = true
    })
    await eventually(async () => isEnded || (await waiting(holder, 'advisory')) === 2)
    await holder.query('ROLLBACK')
    assert.deepEqual(await amended, { kind: 'committed' })
    assert.deepEqual(await later, { kind: 'conflict', conflict: 'guard' })
  },
)

test('after a store was closed, nothing is confirmed by it, and it is not ready', options, async () => {
  const store = await openPostgres({ url: await freshDatabase() })
  const confirm = store.confirmer()
  await store.close()
  const calls: (() => Promise<unknown>)[] = [
    confirm,
    store.confirmer(),
    () => store.probe(),
    () => store.note('name'),
    async () => await store.clock?.(),
    () => store.takeJobs({ now: 1, leaseMs: 1, limit: 1 }),
    () => store.finishJob(1),
    () => store.finishBehind('message m', [1]),
    () => store.deadLetters({ limit: 1 }),
    () => store.jobsOf('message m', 'waiting', { limit: 1 }),
    () => store.dueAt('message m'),
    () => store.jobCounts(),
  ]
  for (const call of calls) await assert.rejects(call(), { name: 'StoreError', kind: 'closed' })
})

test('what has ended is not kept in memory', options, async (t) => {
  const store = await openPostgres({ url: await freshDatabase() })
  t.after(() => store.close())
  const written = async (from: number): Promise<void> => {
    for (let n = from; n < from + 50; n++)
      await store.commit(aUnit({ objects: { put: [anObject(`k${n}`)], remove: [] } }))
  }
  await written(0)
  const before = queryObjects(Promise, { format: 'count' })
  await written(50)
  assert.ok(queryObjects(Promise, { format: 'count' }) - before < 40)
})

test(
  'a unit waits for the amendment under way of a charter under which it adds a row, unless the row guards itself',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    t.after(() => store.close())
    await store.commit(anAmendment(aCharter('org', 1)))
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    t.after(() => holder.end())
    // As a unit under way has locked the organization whose charter it amends.
    await holder.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('organization org', 0))")
    const putting = async (guarded: string, others: readonly string[]) => {
      let isEnded = false
      const written = store
        .commit(
          aUnit({
            guards: [{ organizationId: 'org', version: 1 }],
            objectGuards: [{ ...anObject(guarded), seal: null }],
            objects: { put: [guarded, ...others].map((id) => anObject(id)), remove: [] },
          }),
        )
        .finally(() => {
          isEnded = true
        })
      await eventually(async () => isEnded || (await someoneWaits(holder)))
      return { written, isEnded }
    }
    const alone = await putting('counter', [])
    assert.equal(alone.isEnded, true)
    assert.deepEqual(await alone.written, { kind: 'committed' })
    const beside = await putting('other counter', ['key'])
    assert.equal(beside.isEnded, false)
    await holder.query('ROLLBACK')
    assert.deepEqual(await beside.written, { kind: 'committed' })
  },
)

test('the look of a command at a database is given up by the server after ten seconds', options, async () => {
  const limit = await besidePostgres(await freshDatabase(), (pool) =>
    pool.read<{ value: string }>({ text: "SELECT current_setting('statement_timeout') AS value" }),
  )
  assert.deepEqual(limit.rows, [{ value: '10s' }])
})

test('every text compares by its bytes, whatever the language of the database', options, async () => {
  const url = await freshDatabase()
  await (await openPostgres({ url })).close()
  const others = await run(
    url,
    "SELECT attrelid::regclass AS pid, attname FROM pg_attribute WHERE atttypid = 'text'::regtype AND attcollation <> '\"C\"'::regcollation AND attrelid IN ('charters'::regclass, 'activities'::regclass, 'objects'::regclass, 'claims'::regclass, 'directory'::regclass, 'notes'::regclass, 'errands'::regclass, 'lanes'::regclass)",
  )
  assert.deepEqual(others, [])
})

async function someoneWaits(client: pg.Client, locktype = 'advisory'): Promise<boolean> {
  return (await waiting(client, locktype)) > 0
}

async function waiting(client: pg.Client, locktype: string): Promise<number> {
  const { rows } = await client.query('SELECT FROM pg_locks WHERE locktype = $1 AND NOT granted', [locktype])
  return rows.length
}

async function recovered(url: string): Promise<Store> {
  for (;;) {
    try {
      return await openPostgres({ url })
    } catch (error) {
      assert.ok(error instanceof StoreError && error.kind === 'unavailable', String(error))
    }
  }
}

async function run(url: string, sql: string): Promise<readonly { readonly pid?: unknown }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ pid?: unknown }>(sql)).rows
  } finally {
    await client.end()
  }
}
