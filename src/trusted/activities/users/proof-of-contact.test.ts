import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../base/assert.ts'
import type { Member, TestService } from '../../../../test/support/service.ts'
import { aSubOrganizationOf, aToken, refused, started, submitAttested } from '../sessions/testing/logins.ts'

const EMAIL = 'ACTIVITY_TYPE_UPDATE_USER_EMAIL'
const PHONE = 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER'
const CONTACT = 'ada@example.com'

async function aCustomer(service: TestService): Promise<Member> {
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  return present(ada, 'the user')
}

/** Whether the parent finds the sub-organization by the contact, which takes one that is verified. */
async function isVerified(service: TestService, ada: Member, contact: string): Promise<boolean> {
  const key = service.newKey()
  const isEmail = contact.includes('@')
  const token = aToken(service, {
    organizationId: service.organizationId,
    contact,
    publicKey: key.publicKey,
    verificationType: isEmail ? 'OTP_TYPE_EMAIL' : 'OTP_TYPE_SMS',
  })
  const by = { token, key, organizationId: service.organizationId }
  const { json } = await submitAttested(service, by, 'ACTIVITY_TYPE_STAMP_LOGIN', {
    publicKey: key.publicKey,
  })
  return json.activity?.organizationId === ada.organizationId
}

test('a contact with its token is stored as verified, and without as unverified', async () => {
  const service = await started()
  const ada = await aCustomer(service)
  const { userId } = ada
  const userPhoneNumber = '+15551234567'
  const ofParent = { organizationId: service.organizationId }
  const ofOwn = { organizationId: ada.organizationId }

  await service.done(ada, EMAIL, { userId, userEmail: CONTACT })
  assert.equal(await isVerified(service, ada, CONTACT), false)
  const mailed = aToken(service, { ...ofParent, contact: 'Ada@Example.com' })
  await service.done(ada, EMAIL, { userId, userEmail: CONTACT, verificationToken: mailed })
  assert.equal(await isVerified(service, ada, CONTACT), true)
  await service.done(ada, EMAIL, { userId, userEmail: 'other@example.com', verificationToken: '' })
  assert.equal(await isVerified(service, ada, 'other@example.com'), false)

  const sent = aToken(service, { ...ofOwn, contact: userPhoneNumber, verificationType: 'OTP_TYPE_SMS' })
  await service.done(ada, PHONE, { userId, userPhoneNumber, verificationToken: sent })
  assert.equal(await isVerified(service, ada, userPhoneNumber), true)
  await service.done(ada, PHONE, { userId, userPhoneNumber: '+15557654321', verificationToken: '' })
  assert.equal(await isVerified(service, ada, '+15557654321'), false)
})

test('a token that does not prove the contact changes nothing', async () => {
  const service = await started()
  const ada = await aCustomer(service)
  const other = await aCustomer(service)
  const { userId } = ada
  const good = { organizationId: ada.organizationId, contact: CONTACT }
  const sms = { verificationType: 'OTP_TYPE_SMS' }
  for (const [token, message] of [
    [aToken(service, { ...good, contact: 'grace@example.com' }), /does not prove "ada@example.com"/],
    [aToken(service, { ...good, ...sms }), /does not prove "ada@example.com"/],
    [aToken(service, { ...good, organizationId: other.organizationId }), /issued for another organization/],
    [aToken(service, { ...good, expiresAt: service.world.now() + 1 }), /it has expired/],
    [aToken(service, good).slice(0, -4), /^invalid verification token/],
    ['x', /^invalid verification token: malformed/],
  ] as const) {
    const wanted = { userId, userEmail: CONTACT, verificationToken: token }
    const { status, message: said } = await refused(service, ada, EMAIL, wanted)
    assert.equal(status, 400)
    assert.match(said, message)
  }
  const phone = { userId, userPhoneNumber: '+15551234567' }
  await service.done(ada, PHONE, phone)
  const ofNumber = aToken(service, { ...good, ...sms, contact: phone.userPhoneNumber })
  const otherContact = { userId, userEmail: CONTACT, verificationToken: ofNumber }
  assert.match((await refused(service, ada, EMAIL, otherContact)).message, /does not prove/)
  assert.equal(await isVerified(service, ada, phone.userPhoneNumber), false)
  const forMail = aToken(service, { ...good, contact: '+15551234567' })
  const { message } = await refused(service, ada, PHONE, { ...phone, verificationToken: forMail })
  assert.match(message, /does not prove/)
  const none = { userId, userEmail: '', verificationToken: aToken(service, good) }
  assert.match((await refused(service, ada, EMAIL, none)).message, /does not prove ""/)
  const { json } = await service.query(ada, 'get_user', { userId })
  assert.equal(json.user.userEmail, undefined)
})

test('a token proves one contact once, and one login besides', async () => {
  const service = await started()
  const ada = await aCustomer(service)
  const { userId, organizationId } = ada
  const key = service.newKey()
  const { publicKey } = key
  const verificationToken = aToken(service, { organizationId, contact: CONTACT, publicKey })
  const wanted = { userId, userEmail: CONTACT, verificationToken }
  await service.done(ada, EMAIL, wanted)
  await service.done(ada, EMAIL, { userId, userEmail: '' })

  const again = await refused(service, ada, EMAIL, wanted)
  assert.match(again.message, /it has been used already/)
  await service.done(ada, EMAIL, { userId, userEmail: CONTACT })
  const by = { token: verificationToken, key, organizationId }
  const { status, text } = await submitAttested(service, by, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey })
  assert.equal(status, 200, text)
})
