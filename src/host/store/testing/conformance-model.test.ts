import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAgrees } from './conformance-model.ts'
import { openSqlite } from '../sqlite/sqlite.ts'

test('a sequence that fails leaves no store open', async () => {
  const store = openSqlite({ path: ':memory:' })
  let closed = 0
  const counted = {
    ...store,
    close: async () => {
      closed += 1
      await store.close()
    },
  }
  const planted = { run: () => Promise.reject(new Error('planted')) }
  await assert.rejects(assertAgrees(counted, [planted]), /planted/)
  assert.equal(closed, 1)
  await assertAgrees(openSqlite({ path: ':memory:' }), [])
})
