import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import { malformedJobSetAside } from '../testing/malformed-job.ts'
import { storePromises } from '../testing/conformance.ts'
import { storeAgreesWithModel } from '../testing/conformance-model.ts'
import type { OpenAgain } from '../testing/conformance-promise.ts'
import {
  aCharter,
  anAmendment,
  anEntry,
  aJob,
  aJudgedRecord,
  anObject,
  aRecord,
  aRequest,
  aSignature,
  aUnit,
} from '../testing/fixtures.ts'
import { aWriter } from '../testing/killable-writer.ts'
import { migrationChecksum } from '../migrations.ts'
import { WEBHOOK_ENTRY } from '../ordering-keys.ts'
import { openSqlite, sqliteOn } from './sqlite.ts'
import { changedSettings } from '../quotas/settings.ts'
import { sqliteQuotas } from '../quotas/sqlite-quotas.ts'
import { sqliteBatch } from './batch.ts'
import { openSqliteFile, pragma } from './file.ts'
import { jobQueue } from './queue.ts'
import { migrationTable, sqliteMigrations } from './schema.ts'
import { sqliteRecords } from './records.ts'
import { withSqliteSnapshot } from './snapshot.ts'
import { sqliteWebhooks } from './webhooks.ts'
import { sqliteWriter } from './writer.ts'
import type { Store } from '../store.ts'

const fresh = async (t: TestContext) => openIn(t, aFolder(t))
storePromises('sqlite', fresh)
storeAgreesWithModel('sqlite', { fresh, runs: 100 })

test('a commit is synced: the log is written ahead, with full sync', (t) => {
  const db = openSqliteFile(join(aFolder(t), 'data.db'), { lockWaitMs: 0 })
  assert.equal(pragma(db, 'journal_mode'), 'wal')
  assert.equal(pragma(db, 'synchronous'), 2)
  assert.equal(pragma(db, 'page_size'), 8_192)
  // On macOS a sync without these leaves the data in the cache of the drive.
  assert.equal(pragma(db, 'fullfsync'), 1)
  assert.equal(pragma(db, 'checkpoint_fullfsync'), 1)
  db.close()
})

test('data and log are readable by their owner alone, also when they were not', async (t) => {
  const folder = join(aFolder(t), 'new')
  const store = openSqlite({ path: join(folder, 'data.db') })
  await store.commit(aRecord(aRequest(1)))
  const mode = (path: string) => statSync(path).mode & 0o777
  assert.equal(mode(folder), 0o700)
  assert.equal(mode(join(folder, 'data.db')), 0o600)
  assert.equal(mode(join(folder, 'data.db-wal')), 0o600)
  await store.close()

  chmodSync(join(folder, 'data.db'), 0o644)
  const again = openSqlite({ path: join(folder, 'data.db') })
  await again.commit(aRecord(aRequest(2)))
  assert.equal(mode(join(folder, 'data.db')), 0o600)
  assert.equal(mode(join(folder, 'data.db-wal')), 0o600)
  await again.close()
})

test('data that a process holds is refused to others, and free when it is killed', async (t) => {
  const folder = aFolder(t)
  const writer = await aWriter(t, ['sqlite', join(folder, 'data.db'), '0'])
  const refusal = { name: 'StoreError', kind: 'inUse', message: /in use by another process/ }
  assert.throws(() => openSqlite({ path: join(folder, 'data.db'), lockWaitMs: 0 }), refusal)
  await writer.kill()
  await openSqlite({ path: join(folder, 'data.db') }).close()
})

test('data that this process holds is refused to itself, and stays held', async (t) => {
  const path = join(aFolder(t), 'data.db')
  const store = openSqlite({ path })
  for (let n = 0; n < 2; n++)
    assert.throws(() => openSqlite({ path, lockWaitMs: 0 }), { name: 'StoreError', kind: 'inUse' })
  await store.commit(aRecord(aRequest(1)))
  await store.close()
})

test('a store whose lock was removed writes nothing more, and the process that has the new lock serves on', async (t) => {
  const path = join(aFolder(t), 'data.db')
  const store = openSqlite({ path })
  await store.commit(aRecord(aRequest(1)))
  rmSync(`${path}-lock`)
  const gone = { name: 'StoreError', kind: 'foreign', message: /data\.db-lock was removed or replaced/ }
  await assert.rejects(store.commit(aRecord(aRequest(2))), gone)
  const successor = openSqlite({ path })
  await assert.rejects(store.commit(aRecord(aRequest(3))), gone)
  await successor.commit(aRecord(aRequest(4)))
  await store.close()
  for (const [n, isThere] of [
    [1, true],
    [2, false],
    [3, false],
    [4, true],
  ] as const)
    assert.equal((await successor.activityOfRequest(aRequest(n))) !== undefined, isThere, `request ${n}`)
  await successor.close()
})

test('every unit that was acknowledged is there after the writer is killed', async (t) => {
  const folder = aFolder(t)
  for (let round = 0; round < 5; round++) {
    const writer = await aWriter(t, ['sqlite', join(folder, 'data.db'), String(round * 1_000_000)])
    await writer.acknowledged(200 + round * 150)
    const acknowledged = await writer.kill()
    const store = openSqlite({ path: join(folder, 'data.db') })
    assert.equal(statSync(join(folder, 'data.db-wal')).size, 0, 'no request waits for what the log held')
    for (const n of acknowledged)
      assert.deepEqual(await store.activityOfRequest(aSignature(n)), aSignature(n))
    await store.close()
    const db = new DatabaseSync(join(folder, 'data.db'))
    assert.equal(pragma(db, 'integrity_check'), 'ok')
    db.close()
  }
})

test('the log stays bounded under load', async (t) => {
  const folder = aFolder(t)
  const store = openSqlite({ path: join(folder, 'data.db') })
  let largest = 0
  for (let round = 0; round < 60; round++) {
    const units = Array.from({ length: 250 }, (_, n) => aRecord(aSignature(round * 250 + n)))
    await Promise.all(units.map(store.commit))
    largest = Math.max(largest, statSync(join(folder, 'data.db-wal')).size)
  }
  await store.close()
  assert.ok(largest < 32 * 1024 * 1024, `${largest} bytes`)
})

test('the log stays bounded when each unit comes alone', async (t) => {
  const path = join(aFolder(t), 'data.db')
  const store = openSqlite({ path })
  for (let n = 0; n < 2_000; n++) await store.commit(aRecord(aSignature(n)))
  const { size } = statSync(`${path}-wal`)
  await store.close()
  assert.ok(size < 64 * 1024 * 1024, `${size} bytes`)
})

test('data of a newer version, altered schemas and other files are refused with a reason', (t) => {
  const folder = aFolder(t)
  const prepared = (name: string, sql: string) => {
    const path = join(folder, name)
    const db = new DatabaseSync(path)
    db.exec(sql)
    db.close()
    return path
  }
  const newer = prepared(
    'newer',
    `${migrationTable} INSERT INTO migrations VALUES (${sqliteMigrations.length + 1}, 'x')`,
  )
  const altered = prepared('altered', `${migrationTable} INSERT INTO migrations VALUES (1, 'x')`)
  const other = join(folder, 'other')
  writeFileSync(other, 'no database, but long enough to have a header of one, were it one: '.repeat(200))

  const refusal = (message: RegExp) => ({ name: 'StoreError', kind: 'foreign', message })
  assert.throws(() => openSqlite({ path: newer }), refusal(/newer version/))
  assert.throws(() => openSqlite({ path: altered }), refusal(/altered by hand/))
  assert.throws(() => openSqlite({ path: other }), refusal(/not a database of Claviger/))
  assert.match(readFileSync(other, 'utf8'), /^no database/)
})

test('data of the first step opens, and nothing of it expires', async (t) => {
  const path = join(aFolder(t), 'data.db')
  const [first] = sqliteMigrations
  assert.ok(first !== undefined)
  const db = new DatabaseSync(path)
  db.exec(migrationTable + first.sql)
  db.prepare('INSERT INTO migrations VALUES (1, ?)').run(migrationChecksum(first))
  db.exec("INSERT INTO objects VALUES ('org', 'privateKey', 'old', '{}', 'seal')")
  db.close()

  for (let n = 0; n < 2; n++) {
    const store = openSqlite({ path })
    assert.deepEqual(await store.objects('org', 'privateKey', ['old']), [anObject('old')])
    assert.equal(await store.sweep({ now: 10 ** 15, limit: 10 }), 0)
    assert.deepEqual(await store.commit(aUnit({ jobs: [aJob(`e${n}`)] })), { kind: 'committed' })
    await store.close()
  }
})

test('a file that a trigger was left in is refused, since it could undo what is acknowledged', async (t) => {
  const path = join(aFolder(t), 'data.db')
  await openSqlite({ path }).close()
  const db = new DatabaseSync(path)
  db.exec('CREATE TRIGGER undoing BEFORE UPDATE ON charters BEGIN SELECT RAISE(IGNORE); END')
  db.close()
  const refusal = { name: 'StoreError', kind: 'foreign', message: /has a trigger \(undoing\)/ }
  assert.throws(() => openSqlite({ path }), refusal)
})

test('a file whose tables were made anew with other types is refused and not copied, naming the table', async (t) => {
  for (const [table, from, to] of [
    ['charters', 'version INTEGER', 'version TEXT'],
    ['charters', ') STRICT', ')'],
    ['activities', 'timestamp_ms INTEGER', 'timestamp_ms REAL'],
  ] as const) {
    const path = join(aFolder(t), 'data.db')
    await openSqlite({ path }).close()
    const db = new DatabaseSync(path)
    const sql = String(db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table)?.['sql'])
    assert.ok(sql.includes(from))
    db.exec(`DROP TABLE ${table}; ${sql.replace(from, to)}`)
    db.close()
    const message = new RegExp(`the table ${table} of .+ altered by hand`)
    const refusal = { name: 'StoreError', kind: 'foreign', message }
    assert.throws(() => openSqlite({ path }), refusal)
    await assert.rejects(
      withSqliteSnapshot(path, async () => undefined),
      refusal,
    )
  }
})

test('a batch in which a write fails is undone whole, and the next one is written', () => {
  const db = openSqliteFile(':memory:', { lockWaitMs: 0 })
  let undone = 0
  const inBatch = sqliteBatch(db, { whenUndone: () => undone++ })
  const insert = db.prepare("INSERT INTO notes (name, value) VALUES (?, '')")
  const put = (name: string) => () => insert.run(name)
  const failing = (): never => {
    throw new Error('the disk is full')
  }
  const names = () =>
    db
      .prepare('SELECT name FROM notes')
      .all()
      .map(({ name }) => name)
  assert.throws(() => inBatch([put('before'), failing]), /the disk is full/)
  assert.deepEqual(names(), [])
  inBatch([put('after')])
  assert.deepEqual(names(), ['after'])
  assert.equal(undone, 1)
  // As SQLite does by itself after some errors of the disk.
  const rolledBack = () => db.exec("INSERT OR ROLLBACK INTO notes VALUES ('after', '')")
  assert.throws(() => inBatch([put('later'), rolledBack]), /UNIQUE constraint failed/)
  assert.deepEqual(names(), ['after'])
  assert.equal(undone, 2)
  db.close()
})

test('a quota of a batch that is undone does not apply', async (t) => {
  const db = openSqliteFile(':memory:', { lockWaitMs: 0 })
  const store = sqliteOn(db)
  t.after(() => store.close())
  const settings = await store.quotas.settings()
  await isUndone(db, store, () => store.quotas.replace(changedSettings(settings, 'org', { objects: 0 })))
  assert.deepEqual(await store.quotas.settings(), settings)
})

test('an endpoint that a batch has added that is undone hears nothing', async (t) => {
  const db = openSqliteFile(':memory:', { lockWaitMs: 0 })
  const store = sqliteOn(db)
  t.after(() => store.close())
  const endpoint = anEntry('', 'w1', { kind: WEBHOOK_ENTRY.kind })
  const listening = aUnit({ directory: { put: [endpoint], remove: [] } })
  await isUndone(db, store, () =>
    Promise.all([store.commit(listening), store.commit(aRecord(aRequest(1), [], ['org']))]),
  )
  await store.commit(aRecord(aRequest(2), [], ['org']))
  assert.deepEqual(await store.takeJobs({ now: 10 ** 14, leaseMs: 1, limit: 9 }), [])
})

test('a record names no text that was stored in a batch that is undone', async (t) => {
  const db = openSqliteFile(':memory:', { lockWaitMs: 0 })
  const store = sqliteOn(db)
  t.after(() => store.close())
  const [first, second, third] = [aJudgedRecord(1), aJudgedRecord(2), aJudgedRecord(3)]
  await store.commit(aRecord(first))
  await isUndone(db, store, () => store.commit(aRecord(second)))
  await store.commit(aRecord(third))
  assert.deepEqual(await store.activity(third.organizationId, third.activityId), third)
})

test('a malformed job becomes a dead letter that is shown, and the jobs of others are handed out', async (t) => {
  const db = openSqliteFile(':memory:', { lockWaitMs: 0 })
  const store = sqliteOn(db)
  t.after(() => store.close())
  await malformedJobSetAside(store, (change) => db.exec(change))
})

/** The write shares a batch with a unit that the disk does not take. */
async function isUndone(db: DatabaseSync, store: Store, write: () => Promise<unknown>): Promise<void> {
  db.exec(
    "CREATE TRIGGER failing BEFORE INSERT ON objects BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
  )
  const objects = { put: [anObject('one')], remove: [] }
  const outcomes = await Promise.allSettled([write(), store.commit(aUnit({ objects }))])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  db.exec('DROP TRIGGER failing')
}

test('a unit that does not stand as it was written is not committed', () => {
  const removing = aUnit({ objects: { put: [], remove: [anObject('there')] } })
  const amending = anAmendment(aCharter('org', 2))
  const activity = { row: aRequest(1), replaces: null, audience: [] }
  const recording = anAmendment(aCharter('org', 2), { activity })
  const alterations: readonly (readonly [sql: string, unit: Unit])[] = [
    ['BEFORE UPDATE ON charters BEGIN SELECT RAISE(IGNORE)', amending],
    [
      "AFTER UPDATE ON charters WHEN new.version = 2 BEGIN UPDATE charters SET version = 1, seal = 'seal of 1'",
      amending,
    ],
    ["AFTER INSERT ON activities BEGIN UPDATE activities SET seal = 'another'", recording],
    ['BEFORE DELETE ON objects BEGIN SELECT RAISE(IGNORE)', removing],
    [
      "AFTER DELETE ON objects BEGIN INSERT INTO objects VALUES ('org', 'privateKey', 'there', '{}', 'seal', NULL)",
      removing,
    ],
  ]
  for (const [alteration, unit] of alterations) {
    const db = openSqliteFile(':memory:', { lockWaitMs: 0 })
    const put = jobQueue(db)
    const webhooks = sqliteWebhooks(db, put)
    const write = sqliteWriter(db, { put, webhooks, records: sqliteRecords(db), quotas: sqliteQuotas(db) })
    const inBatch = sqliteBatch(db, { whenUndone: webhooks.forget })
    const objects = { put: [anObject('there')], remove: [] }
    inBatch([() => write(anAmendment(aCharter('org', 1), { objects }))])
    db.exec(`CREATE TRIGGER meddling ${alteration}; END`)
    assert.throws(() => inBatch([() => write(unit)]), { name: 'StoreError', kind: 'altered' }, alteration)
    assert.equal(db.prepare('SELECT version FROM charters').get()?.['version'], 1)
    assert.equal(db.prepare('SELECT count(*) AS count FROM objects').get()?.['count'], 1)
    db.close()
  }
})

test('a number that no row of ours has keeps no other row of its page from being read', async (t) => {
  const db = openSqliteFile(':memory:', { lockWaitMs: 0 })
  const store = sqliteOn(db)
  t.after(() => store.close())
  const charters = ['a', 'b', 'c'].map((id) => aCharter(id, 1))
  for (const charter of charters) await store.commit(anAmendment(charter))
  db.exec(`UPDATE charters SET version = ${2n ** 62n} WHERE organization_id = 'b'`)
  const { rows } = await store.scan('charters', { limit: 9 })
  assert.deepEqual(
    rows,
    charters.map((row) => (row.organizationId === 'b' ? { ...row, version: 2 ** 62 } : row)),
  )
})

test('a store in memory works and leaves no file', async () => {
  const store = openSqlite({ path: ':memory:' })
  assert.deepEqual(await store.commit(aRecord(aRequest(1))), { kind: 'committed' })
  assert.deepEqual(await store.activityOfRequest(aRequest(1)), aRequest(1))
  await store.close()
  assert.throws(() => statSync(':memory:'))
})

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-store-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function openIn(t: TestContext, folder: string): OpenAgain {
  return async () => {
    const store: Store = openSqlite({ path: join(folder, 'data.db') })
    t.after(() => store.close())
    return store
  }
}

test('a file system on which SQLite keeps no write-ahead log is refused', (t) => {
  const { exec } = DatabaseSync.prototype
  // As SQLite does where files cannot be shared: it says nothing, and goes on with another journal.
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql !== 'PRAGMA journal_mode = WAL') exec.call(this, sql)
  })
  const open = () => openSqliteFile(join(aFolder(t), 'data.db'), { lockWaitMs: 0 })
  assert.throws(open, { name: 'StoreError', kind: 'notDurable' })
})
