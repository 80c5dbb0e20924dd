import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOtpSetting, EMAIL } from '../../../../test/support/otp-setting.ts'

test('the mails of an organization are told newest first, page by page, without what they say', async (t) => {
  const { service, root, ada, initiated } = await anOtpSetting(t)
  for (let number = 0; number < 3; number++) {
    service.world.advance(1)
    await initiated({ userIdentifier: `user ${number}` })
  }
  service.world.advance(1)
  await initiated({ contact: 'other@example.com' })
  const { json } = await service.query(root, 'list_sent_messages', {})
  assert.deepEqual(
    json.messages.map(({ to }: { readonly to: string }) => to),
    ['other@example.com', EMAIL, EMAIL, EMAIL],
  )
  assert.deepEqual(Object.keys(json.messages[0]).toSorted(), ['messageId', 'sentAt', 'to'])
  const first = await service.query(root, 'list_sent_messages', { limit: '3' })
  const second = await service.query(root, 'list_sent_messages', { limit: '3', after: first.json.next })
  assert.deepEqual([...first.json.messages, ...second.json.messages], json.messages)
  assert.equal(second.json.next, undefined)
  // A user of another organization, with what is theirs alone.
  assert.deepEqual((await service.query(ada, 'list_sent_messages', {})).json, { messages: [] })
})
