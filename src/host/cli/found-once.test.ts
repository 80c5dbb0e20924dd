import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../test/support/postgres.ts'
import { openPostgres } from '../store/postgres/postgres.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import type { Store } from '../store/store.ts'
import { aCharter, anAmendment } from '../store/testing/fixtures.ts'
import { foundOnce } from './found-once.ts'

const engines: { readonly [engine: string]: () => Promise<Store> } = {
  sqlite: async () => openSqlite({ path: ':memory:' }),
  postgres: async () => await openPostgres({ url: await freshDatabase() }),
}

for (const [engine, open] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false

  test(`${engine}: of ten runs at once one makes the first organization, and the others see it made`, {
    skip,
  }, async (t) => {
    const store = await open()
    t.after(() => store.close())
    const founded = Promise.withResolvers<void>()
    const pause = async () => await founded.promise
    const runs = Array.from({ length: 10 }, (_, at) => `run ${at}`)
    const all = runs.map(async (run) => {
      const made = await foundOnce(store, { run, pause }, founding(store, run))
      if (made !== undefined) founded.resolve()
      return made
    })
    const made = (await Promise.all(all)).filter((one) => one !== undefined)
    assert.equal(made.length, 1)
    assert.equal(await store.note('founding'), undefined)
    assert.equal(await foundOnce(store, { run: 'later', pause }, founding(store, 'later')), undefined)
  })
}

test('a run that was killed is succeeded after ten seconds, and one that fails at once', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  await store.replaceNote('founding', null, 'killed')
  let pausedMs = 0
  const pause = async (ms: number): Promise<void> => {
    pausedMs += ms
  }
  const failing = foundOnce(store, { run: 'failing', pause }, () => Promise.reject(new Error('no vault')))
  await assert.rejects(failing, /no vault/)
  assert.equal(pausedMs, 10_000)
  assert.equal(await foundOnce(store, { run: 'next', pause }, founding(store, 'next')), 'next')
  assert.equal(pausedMs, 10_000)
})

test('a run that looked before another one ended makes no second organization', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const pause = async () => assert.fail('nobody is waited for')
  const late = {
    ...store,
    note: async (name: string) => {
      await foundOnce(store, { run: 'first', pause }, founding(store, 'first'))
      return await store.note(name)
    },
  }
  assert.equal(await foundOnce(late, { run: 'late', pause }, founding(store, 'late')), undefined)
  assert.equal(await store.note('founding'), undefined)
})

function founding(store: Store, organizationId: string): () => Promise<string> {
  return async () => {
    await store.commit(anAmendment(aCharter(organizationId, 1)))
    return organizationId
  }
}
