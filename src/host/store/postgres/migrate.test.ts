import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../../test/support/eventually.ts'
import {
  freshDatabase,
  postgresAvailable,
  postgresMissing,
  startPostgres,
} from '../../../../test/support/postgres.ts'
import { aCharter, anAmendment, aRecord, aRequest } from '../testing/fixtures.ts'
import { lookAtPostgresSchema } from './schema-look.ts'
import { openPostgres } from './postgres.ts'
import { withPostgresSnapshot } from './snapshot.ts'
import { SCHEMA_STEP } from '../schema-step.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }
const NEXT = SCHEMA_STEP + 1
const MIGRATION_LOCK = 0x63_6c_61_76_69_67
const HOSTS_LOCK = MIGRATION_LOCK + 1

// What a newer version does to the data that this one uses: a step of its own, which names the oldest schema that may
// stay.
const widened = (oldestReader: number) => `
ALTER TABLE activities ADD COLUMN origin text COLLATE "C";
ALTER TABLE charters ADD COLUMN amended_at bigint NOT NULL DEFAULT 0;
CREATE TABLE extra (id bigint NOT NULL PRIMARY KEY);
INSERT INTO migrations VALUES (${NEXT}, 'x', ${oldestReader});`

test(
  'a host goes on under a newer schema that it may run beside, starts under it, and copies nothing of it',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    t.after(() => store.close())
    const operator = await connected(t, url)
    const works = async (host: typeof store, n: number) => {
      await host.probe()
      assert.deepEqual(await host.commit(aRecord(aRequest(n))), { kind: 'committed' })
      assert.deepEqual(await host.commit(anAmendment(aCharter(`org ${n}`, 1))), { kind: 'committed' })
      assert.equal((await host.charter(`org ${n}`))?.version, 1)
      assert.equal((await host.activities('org', {}, { limit: 10 })).length, n)
    }
    await works(store, 1)
    await operator.query(widened(SCHEMA_STEP))
    await works(store, 2)
    const again = await openPostgres({ url })
    t.after(() => again.close())
    await works(again, 3)
    await assert.rejects(
      withPostgresSnapshot(url, async () => 1),
      foreign(/has what a newer version of Claviger added .* use the command of that version/),
    )
    // The same step, two releases away.
    await operator.query(`UPDATE migrations SET oldest_reader = ${NEXT} WHERE number = ${NEXT}`)
    await assert.rejects(store.probe(), foreign(/newer version/))
    await assert.rejects(store.commit(aRecord(aRequest(4))), foreign(/newer version/))
    await assert.rejects(openPostgres({ url }), foreign(/newer version/))
  },
)

test(
  'a contract step waits for nobody: while a host is connected it is refused, and changes nothing',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url, watchMs: 3_600_000 })
    t.after(() => store.close())
    const operator = await connected(t, url)
    // The last step is a contract step: as if it were yet to come. What it adds is left, since the host looks for it.
    await operator.query(`DELETE FROM migrations WHERE number = ${SCHEMA_STEP}`)
    const before = await lookAtPostgresSchema(url, 'host ')
    const refusal = {
      name: 'StoreError',
      kind: 'inUse',
      message:
        /^step 7 \(tenants\) of the schema permits no host .* are connected \(from 127\.0\.0\.1\): stop all/,
    }
    for (let n = 0; n < 2; n++) await assert.rejects(openPostgres({ url }), refusal)
    assert.deepEqual(await lookAtPostgresSchema(url, 'host '), before)
    assert.deepEqual(await store.commit(aRecord(aRequest(1))), { kind: 'committed' })

    await store.close()
    await operator.query('ALTER TABLE lanes DROP COLUMN tenant')
    const [one, other] = await Promise.all([openPostgres({ url }), openPostgres({ url })])
    await Promise.all([one.close(), other.close()])
    const { applied } = await lookAtPostgresSchema(url, 'host ')
    assert.deepEqual(applied.at(-1)?.oldestReader, SCHEMA_STEP)
  },
)

test(
  'a connection that is made while a contract step is taken does not write under it',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url, watchMs: 3_600_000, connectionsMax: 1 })
    t.after(() => store.close())
    const newer = await connected(t, url)
    // As after a short outage: the host has no connection when the newer one looks.
    await newer.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await newer.query('BEGIN')
    while (!(await newer.query(`SELECT pg_try_advisory_xact_lock(${HOSTS_LOCK}) AS is`)).rows[0]?.is);
    let isSettled = false
    const written = assert
      .rejects(
        async () => {
          // The first attempts may meet connections that were ended.
          for (;;) {
            try {
              return await store.commit(anAmendment(aCharter('org', 1)))
            } catch (error) {
              if (!(error instanceof Error && 'kind' in error && error.kind === 'unavailable')) throw error
            }
          }
        },
        foreign(/newer version/),
      )
      .finally(() => {
        isSettled = true
      })
    while (!isSettled && (await newer.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length === 0);
    await newer.query(`INSERT INTO migrations VALUES (${NEXT}, 'x', ${NEXT})`)
    await newer.query('COMMIT')
    await written
    assert.equal((await newer.query('SELECT 1 FROM charters')).rows.length, 0)
  },
)

test(
  'a step that a long transaction is in the way of gives up, so that nobody waits behind it',
  options,
  async (t) => {
    const url = await freshDatabase()
    await (await openPostgres({ url })).close()
    const reader = await connected(t, url)
    await reader.query(
      `DELETE FROM migrations WHERE number = ${SCHEMA_STEP}; ALTER TABLE lanes DROP COLUMN tenant`,
    )
    await reader.query('BEGIN; SELECT 1 FROM lanes')
    await assert.rejects(openPostgres({ url }), {
      name: 'StoreError',
      kind: 'unavailable',
      message: /a transaction that lasts holds a table/,
    })
    await reader.query('COMMIT')
    await (await openPostgres({ url })).close()
  },
)

test('a step that PostgreSQL refuses is not taken, and the refusal is told as it is', options, async (t) => {
  const url = await freshDatabase()
  const operator = await connected(t, url)
  await operator.query('CREATE TABLE lanes (id bigint)')
  await assert.rejects(openPostgres({ url }), { name: 'error', message: /"lanes" already exists/ })
  await assert.rejects(operator.query('SELECT FROM charters'), /does not exist/)
})

test(
  'a role that may only connect can hold up hosts, which say who it is, and takes nothing else',
  options,
  async (t) => {
    const url = await freshDatabase()
    await (await openPostgres({ url })).close()
    const role = 'claviger_onlooker'
    await (await connected(t, url)).query(`DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN`)
    const onlooker = await connected(t, Object.assign(new URL(url), { username: role }).href)
    await assert.rejects(onlooker.query('SELECT 1 FROM activities'), { code: '42501' })
    await onlooker.query(`SELECT pg_advisory_lock(${HOSTS_LOCK})`)
    await assert.rejects(openPostgres({ url, statementMs: 300 }), {
      name: 'StoreError',
      kind: 'unavailable',
      message:
        /^the lock by which hosts show that they are connected is held: role claviger_onlooker, process \d+; wait for the end of a restore/,
    })
    await onlooker.query('SELECT pg_advisory_unlock_all()')
    await (await openPostgres({ url })).close()
  },
)

test(
  'a start waits for another one that changes the schema, for longer than a statement may take',
  options,
  async (t) => {
    const url = await freshDatabase()
    const other = await connected(t, url)
    await other.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`)
    let isEnded = false
    const starting = openPostgres({ url, statementMs: 100 }).finally(() => {
      isEnded = true
    })
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
      AND clock_timestamp() - query_start > interval '400 ms'`
    await eventually(async () => isEnded || (await other.query(waiting)).rowCount === 1)
    assert.equal(isEnded, false)
    await other.query('SELECT pg_advisory_unlock_all()')
    await (await starting).close()
  },
)

test(
  'what ends the wait for the lock of hosts is told as it is, unless it is the time',
  options,
  async (t) => {
    const url = await freshDatabase()
    await (await openPostgres({ url })).close()
    const holder = await connected(t, url)
    await holder.query(`SELECT pg_advisory_lock(${HOSTS_LOCK})`)
    const refused = assert.rejects(openPostgres({ url }), unavailable(/terminating connection/))
    const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'advisory'`
    await eventually(async () => (await holder.query(ended)).rowCount === 1)
    await refused
  },
)

test('a holder of the lock of hosts who is not connected is not named', options, async (t) => {
  const server = await startPostgres(['max_prepared_transactions=1'])
  t.after(server.stop)
  const url = `${server.address}/postgres`
  await (await openPostgres({ url })).close()
  const holder = await connected(t, url)
  await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(${HOSTS_LOCK}); PREPARE TRANSACTION 'held'`)
  await assert.rejects(openPostgres({ url, statementMs: 100 }), unavailable(/statement timeout/))
  await holder.query("ROLLBACK PREPARED 'held'")
})

test('looking at the schema of a database without data says so, and makes none', options, async (t) => {
  const url = await freshDatabase()
  await assert.rejects(lookAtPostgresSchema(url, 'host '), foreign(/has no data of Claviger/))
  const operator = await connected(t, url)
  const { rows } = await operator.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")
  assert.deepEqual(rows, [])
})

function unavailable(message: RegExp) {
  return { name: 'StoreError', kind: 'unavailable', message }
}

function foreign(message: RegExp) {
  return { name: 'StoreError', kind: 'foreign', message }
}

async function connected(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  t.after(() => client.end())
  return client
}
