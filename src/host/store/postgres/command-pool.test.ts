import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import {
  freshDatabase,
  postgresAvailable,
  postgresMissing,
  startPostgres,
  startStandby,
} from '../../../../test/support/postgres.ts'
import { aRecord, aRequest } from '../testing/fixtures.ts'
import { withPostgresLoader } from './loader.ts'
import { lookAtPostgres } from './look.ts'
import { openPostgres } from './postgres.ts'
import { lookAtPostgresSchema } from './schema-look.ts'
import { postgresServices } from './services.ts'
import { withPostgresSnapshot } from './snapshot.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('a command works on the primary, whichever server its address names first', options, async (t) => {
  const primary = await startPostgres()
  t.after(() => primary.stop())
  const standby = await startStandby(primary)
  t.after(() => standby.stop())
  const hosts = [standby, primary].map(({ address }) => new URL(address).host).join(',')
  const url = `postgres://claviger@${hosts}/postgres`

  await withPostgresLoader(url, async (loader) => await loader.put('notes', [{ name: 'a', value: 'b' }]))
  const store = await openPostgres({ url })
  t.after(() => store.close())
  await caughtUp(primary.address, standby.address)
  await query(standby.address, 'SELECT pg_wal_replay_pause()')
  await store.commit(aRecord(aRequest(1)))
  await store.noteOnce('later', 'note')

  const activities = async () =>
    await withPostgresSnapshot(url, async ({ scan }) => (await scan('activities', { limit: 10 })).rows.length)
  assert.equal(await activities(), 1)
  assert.ok((await postgresServices(url, 'somebody')) > 0)
  assert.deepEqual((await lookAtPostgresSchema(url, 'later')).notes, [{ name: 'later', value: 'note' }])

  await standby.stop()
  assert.equal(await activities(), 1)
  assert.equal((await lookAtPostgres(url, 5_000)).synchronousCommit, 'on')
})

test('a copy, and a restore, may wait for a slow storage longer than a service may', options, async (t) => {
  const server = await startPostgres()
  const url = `${server.address}/postgres`
  await (await openPostgres({ url })).close()
  const operator = new pg.Client({ connectionString: url })
  await operator.connect()
  t.after(async () => {
    await operator.end()
    await server.stop()
  })
  const setting = "current_setting('idle_in_transaction_session_timeout')"
  await operator.query(`CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN NEW.value := ${setting}; RETURN NEW; END$$;
    CREATE TRIGGER told BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION told()`)
  await withPostgresLoader(url, async (loader) => await loader.put('notes', [{ name: 'a', value: 'b' }]))
  assert.deepEqual((await operator.query('SELECT value FROM notes')).rows, [{ value: '0' }])

  await operator.query(`ALTER TABLE notes RENAME TO notes_before;
    CREATE VIEW notes AS SELECT name, ${setting} COLLATE "C" AS value FROM notes_before`)
  const { rows } = await withPostgresSnapshot(url, ({ scan }) => scan('notes', { limit: 1 }))
  assert.deepEqual(rows, [{ name: 'a', value: '0' }])
})

test('a copy of a server that takes no writes is refused, since it may be behind', options, async (t) => {
  const primary = await startPostgres()
  t.after(() => primary.stop())
  await (await openPostgres({ url: `${primary.address}/postgres` })).close()
  const standby = await startStandby(primary)
  t.after(() => standby.stop())
  await assert.rejects(
    withPostgresSnapshot(`${standby.address}/postgres`, async () => undefined),
    { kind: 'unavailable', message: /takes no writes/ },
  )
})

test('a copy of a database of an older version is refused in words about its version', options, async () => {
  const url = await freshDatabase()
  await (await openPostgres({ url })).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('DELETE FROM migrations WHERE number > 4')
  await client.query('DROP TABLE record_texts')
  await client.end()
  await assert.rejects(
    withPostgresSnapshot(url, async () => undefined),
    { kind: 'foreign', message: /the database is of an older version: start the service of this version/ },
  )
})

async function caughtUp(primary: string, standby: string): Promise<void> {
  const [{ at }] = await query(primary, 'SELECT pg_current_wal_lsn()::text AS at')
  while ((await query(standby, `SELECT pg_last_wal_replay_lsn() >= '${at}'::pg_lsn AS at`))[0].at !== true);
}

async function query(address: string, text: string) {
  const client = new pg.Client({ connectionString: `${address}/postgres` })
  await client.connect()
  try {
    return (await client.query(text)).rows as [{ readonly at: unknown }]
  } finally {
    await client.end()
  }
}
