import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOtpSetting, EMAIL, PHONE } from '../../../../test/support/otp-setting.ts'

test('the mails to an address are told newest first, page by page, to nobody of another organization', async (t) => {
  const { service, root, ada, initiated } = await anOtpSetting(t)
  for (let number = 0; number < 3; number++) {
    await initiated({ userIdentifier: `user ${number}` })
  }
  await initiated({ contact: 'other@example.com' })
  await initiated({ contact: PHONE, otpType: 'OTP_TYPE_SMS' })
  const events = async (email: string, more: object = {}, by = root) =>
    (await service.query(by, 'list_email_events', { email, ...more })).json.emailEvents

  const all = await events(EMAIL)
  assert.equal(all.length, 3)
  const ids = all.map(({ id }: { readonly id: string }) => id)
  assert.deepEqual(ids, ids.toSorted().toReversed())
  const [{ timestamp, createdAt, ...newest }] = all
  assert.equal(timestamp, createdAt)
  assert.ok(Number(timestamp) <= service.world.now())
  assert.deepEqual(
    { ...newest, details: undefined },
    {
      id: ids[0],
      messageId: ids[0],
      organizationId: root.organizationId,
      eventType: 'Send',
      fromAddress: '',
      toAddress: EMAIL,
      senderTenant: '',
      details: undefined,
    },
  )
  assert.deepEqual(await events(EMAIL.toUpperCase()), all)
  assert.deepEqual(await events(EMAIL, { eventType: 'Send' }), all)
  assert.deepEqual(await events(EMAIL, { eventType: 'Bounce' }), [])
  const page = async (paginationOptions: object) =>
    (await events(EMAIL, { paginationOptions })).map(({ id }: { readonly id: string }) => id)
  assert.deepEqual(await page({ limit: '2' }), ids.slice(0, 2))
  assert.deepEqual(await page({ limit: '2', after: ids[1] }), ids.slice(2))
  assert.deepEqual(await page({ limit: '1', before: ids[2] }), [ids[1]])
  assert.deepEqual(await page({ before: ids[2], after: ids[0] }), [ids[1]])

  assert.deepEqual(await events('nobody@example.com'), [])
  assert.deepEqual(await events(EMAIL, {}, ada), [])
  assert.equal((await events('other@example.com')).length, 1)
})

test('an event is kept for 30 days', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  await initiated()
  const day = 24 * 60 * 60 * 1000
  const count = async () =>
    (await service.query(root, 'list_email_events', { email: EMAIL })).json.emailEvents.length
  await service.store.sweep({ now: service.world.now() + 29 * day, limit: 100 })
  assert.equal(await count(), 1)
  await service.store.sweep({ now: service.world.now() + 30 * day + 1, limit: 100 })
  assert.equal(await count(), 0)
})
