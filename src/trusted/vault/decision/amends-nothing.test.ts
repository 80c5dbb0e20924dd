import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { activities } from '../../activities/list.ts'

test('an activity that says that it amends nothing, and does, is a bug and has no effect', async (t) => {
  const service = await aService({
    activities: activities.map((activity) =>
      activity.operation === 'create_user_tag' ? { ...activity, amends: false } : activity,
    ),
  })
  t.after(service.close)
  const { root } = service
  const tag = service.submit(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Signers', userIds: [] })
  await assert.rejects(tag, ({ cause }) => /create_user_tag says that it amends nothing/.test(String(cause)))
  const { json } = await service.query(root, 'list_user_tags', {})
  assert.deepEqual(json.userTags, [])
})
