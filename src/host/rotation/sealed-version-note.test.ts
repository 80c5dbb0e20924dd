import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { lackedVersion, noteSealedVersion, sealedVersion } from './sealed-version-note.ts'

function aStore(t: TestContext) {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  return store
}

test('the highest version under which a host has sealed is noted, and no lower one replaces it', async (t) => {
  const store = aStore(t)
  assert.equal(await sealedVersion(store), 0)
  for (const [seals, noted] of [
    [1, 1],
    [3, 3],
    [2, 3],
  ] as const) {
    await noteSealedVersion(store, seals)
    assert.equal(await sealedVersion(store), noted)
  }
  assert.equal(lackedVersion(3, 2), 3)
  assert.equal(lackedVersion(3, 3), undefined)
})

test('a note that somebody wrote into the database uses up no more than a hundred numbers, and is replaced', async (t) => {
  const store = aStore(t)
  await noteSealedVersion(store, 2)
  for (const forged of ['999998', '103', '1000000', '0', '-1', '2.5', ' 3', 'x']) {
    await store.replaceNote('sealed-version', (await store.note('sealed-version')) ?? null, forged)
    assert.equal(lackedVersion(await sealedVersion(store), 2), undefined, forged)
    await noteSealedVersion(store, 2)
    assert.equal(await sealedVersion(store), 2, forged)
  }
  assert.equal(lackedVersion(102, 2), 102)
})
