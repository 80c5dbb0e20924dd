import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import {
  freshDatabase,
  postgresAvailable,
  postgresMissing,
  startPostgres,
} from '../../../../test/support/postgres.ts'
import { aJudgedRecord, aRecord } from '../testing/fixtures.ts'
import { cancelWaiting, findStandby, missStandby } from '../testing/missing-standby.ts'
import { openPostgres } from './postgres.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('records whose texts PostgreSQL refuses are stored whole', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  t.after(() => store.close())
  const operator = await connected(t, url)
  await operator.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN RAISE EXCEPTION 'no texts today'; END$$;
    CREATE TRIGGER refusing BEFORE INSERT ON record_texts FOR EACH ROW EXECUTE FUNCTION refuse()`)
  const rows = [1, 2, 3].map((n) => aJudgedRecord(n))
  for (const row of rows) assert.deepEqual(await store.commit(aRecord(row)), { kind: 'committed' })
  assert.equal((await operator.query("SELECT FROM activities WHERE votes LIKE '%@%'")).rowCount, 0)
  assert.deepEqual((await store.scan('activities', { limit: 9 })).rows, rows)
})

test('a record whose texts may be lost again is not written', options, async (t) => {
  const server = await startPostgres()
  t.after(server.stop)
  const url = `${server.address}/postgres`
  const store = await openPostgres({ url })
  t.after(() => store.close())
  await store.commit(aRecord(aJudgedRecord(1)))
  const operator = await connected(t, url)
  await missStandby(operator, await connected(t, url))

  let isEnded = false
  const refused = assert
    .rejects(store.commit(aRecord(aJudgedRecord(2))), {
      kind: 'unavailable',
      message: /committed with a warning/,
    })
    .finally(() => {
      isEnded = true
    })
  while (!isEnded) await cancelWaiting(operator)
  await refused
  await findStandby(operator)
  assert.equal(await store.activityOfRequest(aJudgedRecord(2)), undefined)
})

async function connected(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  t.after(() => client.end())
  return client
}
