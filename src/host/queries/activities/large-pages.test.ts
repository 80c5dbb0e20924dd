import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'

test('a page of large activities is answered as far as an answer can hold it, and else refused', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const { userId } = await service.user('Second')
  const quorum = { threshold: 2, userIds: [root.userId, userId] }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum)
  const policies = Array.from({ length: 100 }, (_, at) => ({
    policyName: `Policy ${at}`,
    effect: 'EFFECT_DENY',
    condition: 'false',
    notes: 'x'.repeat(4_096),
  }))
  const ids: string[] = []
  for (let n = 0; n < 45; n++) {
    service.world.advance(1)
    // It waits for the other, and keeps all of its request.
    const { json } = await service.submit(root, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
    ids.unshift(json.activity.id)
  }
  const page = async (paginationOptions: object) =>
    await service.query(root, 'list_activities', { paginationOptions })
  const refused = await page({ limit: '45' })
  assert.equal(refused.status, 400)
  assert.match(refused.json.message, /^the page is too large: these 45 activities have more than 67108864 /)
  const listed = async (options: object): Promise<readonly string[]> =>
    (await page(options)).json.activities.map(({ id }: { readonly id: string }) => id)
  assert.deepEqual(await listed({ limit: '25' }), ids.slice(0, 25))
  assert.deepEqual(await listed({ limit: '25', after: ids[19] }), ids.slice(20))
  assert.deepEqual(await listed({ limit: '25', before: ids[44] }), ids.slice(19, 44))
  assert.deepEqual(await listed({ limit: '30', before: ids[2], after: ids[30] }), ids.slice(31, 31))
  assert.deepEqual(await listed({ limit: '30', before: ids[30], after: ids[2] }), ids.slice(3, 30))
})
