import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOUNDING_NOTE } from '../copies/store-notes.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { aCharter, anAmendment } from '../store/testing/fixtures.ts'
import { foundFirst } from './found-first.ts'

test('of two commands at once one makes the first organization, and the other waits for it', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const looked = Promise.withResolvers<void>()
  const first = foundFirst(store, async () => {
    await looked.promise
    await store.commit(anAmendment(aCharter('org', 1)))
    return 'made'
  })
  const isEmpty = async () => {
    looked.resolve()
    return await store.isEmpty()
  }
  const second = foundFirst({ ...store, isEmpty }, async () => assert.fail('it was made twice'))
  assert.deepEqual(await Promise.all([first, second]), ['made', undefined])
  assert.equal(await store.note(FOUNDING_NOTE), undefined)
  assert.equal(await foundFirst(store, async () => assert.fail('there is one')), undefined)
})

test('a command goes on after one that was killed, or that failed', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  await store.noteOnce(FOUNDING_NOTE, 'of a killed one')
  const failing = foundFirst(store, async () => assert.fail('it failed'), { waitMs: 0 })
  await assert.rejects(failing, /it failed/)
  assert.equal(await foundFirst(store, async () => 'made'), 'made')
})
