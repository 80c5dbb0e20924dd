import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOtpSetting, EMAIL, PHONE } from '../../../../test/support/otp-setting.ts'

test('the messages of an organization are told newest first, page by page, without what they say', async (t) => {
  const { service, root, ada, initiated } = await anOtpSetting(t)
  for (let number = 0; number < 3; number++) {
    service.world.advance(1)
    await initiated({ userIdentifier: `user ${number}` })
  }
  service.world.advance(1)
  await initiated({ contact: 'other@example.com' })
  service.world.advance(1)
  await initiated({ contact: PHONE, otpType: 'OTP_TYPE_SMS' })
  service.world.advance(1)
  await initiated({ contact: 'last@example.com' })
  const { json } = await service.query(root, 'list_sent_messages', {})
  assert.deepEqual(
    json.messages.map(({ channel, to }: { readonly channel: string; readonly to: string }) => [channel, to]),
    [
      ['EMAIL', 'last@example.com'],
      ['SMS', PHONE],
      ['EMAIL', 'other@example.com'],
      ['EMAIL', EMAIL],
      ['EMAIL', EMAIL],
      ['EMAIL', EMAIL],
    ],
  )
  for (const message of json.messages)
    assert.deepEqual(Object.keys(message).toSorted(), ['channel', 'messageId', 'sentAt', 'to'])
  const first = await service.query(root, 'list_sent_messages', { limit: '4' })
  const second = await service.query(root, 'list_sent_messages', { limit: '4', after: first.json.next })
  assert.deepEqual([...first.json.messages, ...second.json.messages], json.messages)
  assert.equal(second.json.next, undefined)
  // A user of another organization, with what is theirs alone.
  assert.deepEqual((await service.query(ada, 'list_sent_messages', {})).json, { messages: [] })
})

test('that a text message was sent is known for 30 days, and never by its number', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  await initiated({ contact: PHONE, otpType: 'OTP_TYPE_SMS' })
  const { json } = await service.query(root, 'list_email_events', { email: PHONE })
  assert.deepEqual(json.emailEvents, [])
  const day = 24 * 60 * 60 * 1000
  const count = async () => (await service.query(root, 'list_sent_messages', {})).json.messages.length
  await service.store.sweep({ now: service.world.now() + 29 * day, limit: 100 })
  assert.equal(await count(), 1)
  await service.store.sweep({ now: service.world.now() + 30 * day + 1, limit: 100 })
  assert.equal(await count(), 0)
})
