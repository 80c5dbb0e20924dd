import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { connectPostgres } from './connection.ts'
import { openPostgres } from './postgres.ts'
import type { Pool } from './pool.ts'
import { inTransaction } from './transaction.ts'

const skip = postgresAvailable() ? false : postgresMissing

test('of transactions that wait for each other in a circle, none fails', { skip }, async (t) => {
  const units = await connected(t)
  await units.write({ text: "INSERT INTO notes VALUES ('one', '0'), ('other', '0')" })
  const met = Promise.withResolvers<void>()
  let tries = 0
  const crossing = (names: readonly [string, string]): Promise<void> =>
    inTransaction(units, async (client) => {
      const add = { text: 'UPDATE notes SET value = (value::int + 1)::text WHERE name = $1' }
      await client.query({ ...add, values: [names[0]] })
      tries += 1
      if (tries === 2) met.resolve()
      await met.promise
      await client.query({ ...add, values: [names[1]] })
      return { keep: true, result: undefined }
    })
  await Promise.all([crossing(['one', 'other']), crossing(['other', 'one'])])
  assert.ok(tries > 2, `${tries} tries`)
  const { rows } = await units.read({ text: "SELECT value FROM notes WHERE name IN ('one', 'other')" })
  assert.deepEqual(rows, [{ value: '2' }, { value: '2' }])
})

test('a transaction on a server that takes no writes any more is tried on a new connection', {
  skip,
}, async (t) => {
  const units = await connected(t)
  const processes: unknown[] = []
  const kept = await inTransaction(units, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    processes.push(rows[0]?.pid)
    if (processes.length === 1) await client.query('SET TRANSACTION READ ONLY')
    await client.query("INSERT INTO notes VALUES ('name', 'value')")
    return { keep: true, result: 'kept' }
  })
  assert.equal(kept, 'kept')
  assert.equal(new Set(processes).size, 2)
  assert.equal((await units.read({ text: 'SELECT FROM notes' })).rowCount, 1)
})

test('a database that does not exist is told as a refusal, which another try does not help', {
  skip,
}, async () => {
  const url = new URL(await freshDatabase())
  url.pathname = '/absent'
  await assert.rejects(openPostgres({ url: url.href }), {
    name: 'StoreError',
    kind: 'foreign',
    message: /^PostgreSQL refuses the connection: .*absent/,
  })
})

async function connected(t: TestContext): Promise<Pool> {
  const { units, end } = await connectPostgres({ url: await freshDatabase() })
  t.after(end)
  return units
}
