import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../../test/support/service.ts'
import { openServiceOn, START } from '../../../test/tampering/harness.ts'
import { established, submission } from '../../../test/tampering/populated.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import type { Store } from '../store/store.ts'

test('a request that is sent again is not refused by what it has done itself meanwhile', async (t) => {
  const inner = openSqlite({ path: ':memory:' })
  t.after(() => inner.close())
  let isFirstLookup = true
  let meanwhile: (() => Promise<unknown>) | undefined
  const store: Store = {
    ...inner,
    // Of a key that has gone since.
    claimed: async (names) => {
      if (!isFirstLookup) return await inner.claimed(names)
      isFirstLookup = false
      return names.map((name) => ({ ...name, target: 'another key' }))
    },
    // The first attempt, at another host for example, becomes visible just after this one has looked for it.
    activityOfRequest: async (request) => {
      const record = await inner.activityOfRequest(request)
      const commit = meanwhile
      meanwhile = undefined
      await commit?.()
      return record
    },
  }
  const service = await openServiceOn(store, testWorld(1, START))
  const root = await established(service, store, 'First')
  const privateKey = {
    privateKeyName: 'Treasury',
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: [],
  }
  const sent = submission(service.world, root, 'CREATE_PRIVATE_KEYS_V2', { privateKeys: [privateKey] })
  const firsts: string[] = []
  meanwhile = async () => firsts.push((await service.send(sent)).text)

  const { status, text } = await service.send(sent)

  assert.equal(status, 200, text)
  assert.deepEqual(firsts, [text])
})

test('a database that shows and hides a record in turn has a refused request decided twice, and not without end', async (t) => {
  const inner = openSqlite({ path: ':memory:' })
  t.after(() => inner.close())
  let lookups = 0
  const store: Store = {
    ...inner,
    activityOfRequest: async (request) => {
      lookups += 1
      if (lookups > 20) throw new Error('it is looked for without end')
      return lookups % 2 === 1 ? undefined : await inner.activityOfRequest(request)
    },
  }
  const service = await openServiceOn(store, testWorld(1, START))
  const root = await established(service, store, 'First')
  const sent = submission(service.world, root, 'CREATE_USER_TAG', { userTagName: 'Twice', userIds: [] })
  const { text } = await service.send(sent)
  // Its vault has seen nothing of the first attempt.
  const other = await openServiceOn(store, service.world)
  lookups = 0

  assert.equal((await other.send(sent)).text, text)
})
