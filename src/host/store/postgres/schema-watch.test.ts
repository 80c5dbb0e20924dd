import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLink } from '../../../../test/faults/link.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { aCharter, anAmendment, aRecord, aRequest } from '../testing/fixtures.ts'
import { openPool, type Pool } from './pool.ts'
import { openPostgres } from './postgres.ts'
import { checkSchema, type SchemaWatch, watchSchema } from './schema-watch.ts'
import { servers } from './servers.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('a look that has no answer forbids no writes', options, async (t) => {
  const ended = aWatch(t, aPool(t, await freshDatabase()), END_THIS)
  const unreachable = aWatch(t, aPool(t, 'postgres://nobody@127.0.0.1:1/none'), checkSchema)
  for (const watch of [ended, unreachable]) {
    await watch.look()
    assert.equal(watch.refusal(), undefined)
  }
})

test('a look that has no answer permits no writes that were forbidden', options, async (t) => {
  const url = await freshDatabase()
  await (await openPostgres({ url })).close()
  const pool = aPool(t, url)
  let check = checkSchema
  const watch = aWatch(t, pool, async (client) => await check(client))
  await pool.write({ text: 'ALTER TABLE notes DROP COLUMN value' })
  await watch.look()
  const refusal = watch.refusal()
  assert.equal(refusal?.kind, 'foreign')
  check = END_THIS
  await watch.look()
  assert.equal(watch.refusal(), refusal)
})

test('what is forbidden is refused without asking the database again', options, async (t) => {
  const url = new URL(await freshDatabase())
  const pool = aPool(t, url.href)
  const link = await openLink(Number(url.port))
  t.after(() => link.close())
  url.port = String(link.port)
  const store = await openPostgres({ url: url.href, watchMs: 3_600_000, lookMs: 50 })
  t.after(() => store.close())
  await pool.write({ text: 'ALTER TABLE notes DROP COLUMN value' })
  await assert.rejects(store.probe(), { kind: 'foreign' })
  link.set({ kind: 'cut' })
  for (const call of [
    () => store.commit(aRecord(aRequest(1))),
    () => store.commit(anAmendment(aCharter('org', 1))),
    () => store.note('name'),
    store.confirmer(),
  ])
    await assert.rejects(call(), { kind: 'foreign' })
})

const END_THIS: typeof checkSchema = async (client) => {
  await client.query('SELECT pg_terminate_backend(pg_backend_pid())')
}

function aWatch(t: TestContext, pool: Pool, check: typeof checkSchema): SchemaWatch {
  const watch = watchSchema(pool, check, 3_600_000)
  t.after(watch.stop)
  return watch
}

function aPool(t: TestContext, url: string): Pool {
  const pool = openPool({
    servers: servers([url]),
    connectionsMax: 1,
    connectMs: 10_000,
    statementMs: 10_000,
    prepare: async () => undefined,
  })
  t.after(() => pool.end())
  return pool
}
