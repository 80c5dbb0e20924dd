import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { Store } from '../../../host/store/store.ts'

const DELETE = 'ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS'

test('a tag that is deleted stays on no key, not even on one that another host makes meanwhile', async (t) => {
  const inner = openSqlite({ path: ':memory:' })
  t.after(() => inner.close())
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const commit: Store['commit'] = async (unit) => {
    if (unit.activity?.row.type === DELETE) {
      arrived.resolve()
      await released.promise
    }
    return await inner.commit(unit)
  }
  const service = await aService({ store: { ...inner, commit } })
  t.after(() => service.close())
  const otherHost = await aService({ store: inner, seed: 2 })
  t.after(() => otherHost.close())
  const { root, world } = service
  const { privateKeyTagId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', {
    privateKeyTagName: 'hot',
    privateKeyIds: [],
  })
  world.advance(1)
  const deleting = service.submit(root, DELETE, { privateKeyTagIds: [privateKeyTagId] })
  await arrived.promise
  // The deletion has been decided, and does not know this key.
  const params = { curve: 'CURVE_SECP256K1', privateKeyTags: [privateKeyTagId], addressFormats: [] }
  const { privateKeys } = await otherHost.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [{ ...params, privateKeyName: 'Made meanwhile' }],
  })
  released.resolve()
  const deleted = await deleting
  assert.equal(deleted.status, 200)

  const { json } = await service.query(root, 'list_private_keys')
  assert.deepEqual(
    json.privateKeys.map(({ privateKeyTags }: { privateKeyTags: readonly string[] }) => privateKeyTags),
    [[]],
  )
  assert.deepEqual(deleted.json.activity.result.deletePrivateKeyTagsResult.privateKeyIds, [
    privateKeys[0].privateKeyId,
  ])
})
