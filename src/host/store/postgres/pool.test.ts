import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type pg from 'pg'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { openPool, type Pool } from './pool.ts'
import { type Servers, servers } from './servers.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('a connection on which PostgreSQL refused a statement is lent again', options, async (t) => {
  const pool = await aPool(t)
  const before = await processOf(pool)
  await assert.rejects(pool.read({ text: 'SELECT 1 / 0' }), { code: '22012' })
  assert.equal(await processOf(pool), before)
})

test('a connection whose work failed otherwise is not lent again', options, async (t) => {
  const pool = await aPool(t)
  const works: readonly ((client: pg.ClientBase) => Promise<unknown>)[] = [
    (client) => client.query('START TRANSACTION READ ONLY; CREATE TABLE other (id bigint)'),
    () => Promise.reject(new Error('not of PostgreSQL')),
  ]
  for (const work of works) {
    const before = await processOf(pool)
    await assert.rejects(pool.lend(work))
    assert.notEqual(await processOf(pool), before)
  }
})

test('a connection that PostgreSQL ended is not lent to what waits for one', options, async (t) => {
  const pool = await aPool(t)
  const ended = assert.rejects(pool.read({ text: 'SELECT pg_terminate_backend(pg_backend_pid())' }), {
    code: '57P01',
  })
  const waiting = Array.from({ length: 5 }, () => processOf(pool))
  await ended
  await Promise.all(waiting)
})

test('what waits in vain for a connection in use waits once, and passes no server', options, async (t) => {
  const url = await freshDatabase()
  const where = servers([url, `${url}?of=another`, `${url}?of=third`])
  const passed: string[] = []
  const pool = await aPool(t, 1, { ...where, pass: (address) => void passed.push(address) }, 2_000)
  const freed = Promise.withResolvers<void>()
  const using = pool.lend(() => freed.promise)
  const waiting = assert.rejects(processOf(pool), { kind: 'unavailable' }).finally(freed.resolve)
  await Promise.all([using, waiting])
  assert.deepEqual(passed, [])
})

test('a connection that is lent often has no more listeners than one that is new', options, async (t) => {
  const pool = await aPool(t)
  const listeners = async (): Promise<readonly number[]> =>
    await pool.lend(async (client) => ['error', 'notice'].map((event) => client.listenerCount(event)))
  const before = await listeners()
  for (let n = 0; n < 5; n++) await pool.write({ text: 'SELECT' })
  assert.deepEqual(await listeners(), before)
})

test('a read is answered although the plan of each connection is stale', options, async (t) => {
  const pool = await aPool(t, 2)
  await pool.write({ text: 'CREATE TABLE things (id bigint); INSERT INTO things VALUES (1)' })
  const things = { name: 'things', text: 'SELECT * FROM things' }
  await pool.lend(async (client) => {
    await pool.read(things)
    await client.query(things)
  })
  await pool.write({ text: 'ALTER TABLE things ALTER COLUMN id TYPE text' })
  assert.deepEqual((await pool.read(things)).rows, [{ id: '1' }])
})

test('a statement that PostgreSQL refuses is executed once', options, async (t) => {
  const pool = await aPool(t)
  // A sequence keeps its number when a statement is refused, so that a second execution would succeed.
  await pool.write({ text: 'CREATE SEQUENCE tries' })
  await assert.rejects(pool.read({ text: "SELECT 1 / (nextval('tries') - 1)" }), { code: '22012' })
})

async function aPool(t: TestContext, connectionsMax = 1, where?: Servers, connectMs = 10_000): Promise<Pool> {
  const pool = openPool({
    servers: where ?? servers([await freshDatabase()]),
    connectionsMax,
    connectMs,
    statementMs: 10_000,
    prepare: async () => undefined,
  })
  t.after(() => pool.end())
  return pool
}

async function processOf(pool: Pool): Promise<number | undefined> {
  return (await pool.read<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' })).rows[0]?.pid
}
