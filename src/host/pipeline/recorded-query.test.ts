import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../test/support/service.ts'
import { type StampKey, stampWith } from '../../../test/support/stamper.ts'

const MONTH = 30 * 24 * 60 * 60 * 1000
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

function stampedBy(key: StampKey, body: string): Record<string, string> {
  const { stampHeaderName, stampHeaderValue } = stampWith(key, Buffer.from(body))
  return { [stampHeaderName]: stampHeaderValue }
}

// Known, and written down in SECURITY.md: the published interface has no time in a query, and stamps its body alone.
test('a recorded query reads everything that the same body asks for, and changes nothing, until its key ends', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, organizationId, world } = service
  const ada = await service.user('Ada')
  const whoami = JSON.stringify({ organizationId })
  const recorded = stampedBy(ada.key, whoami)
  const again = async (path: string) => (await service.post(`/public/v1/${path}`, whoami, recorded)).status

  world.advance(MONTH)
  for (const query of ['whoami', 'list_users', 'list_policies', 'list_wallets', 'list_activities'])
    assert.equal(await again(`query/${query}`), 200, query)
  assert.equal(await again('submit/create_user_tag'), 400)

  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [ada.userId] })
  assert.equal(await again('query/list_users'), 401)
})

test('a recorded activity is no query', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, organizationId, world } = service
  const parameters = { userTagName: 'Auditors', userIds: [] }
  const body = JSON.stringify({ type: TAG, timestampMs: String(world.now()), organizationId, parameters })
  const { status } = await service.post('/public/v1/query/list_users', body, stampedBy(root.key, body))
  assert.equal(status, 400)
})
