import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentMessages } from '../../../../test/support/messages.ts'
import { anOtpSetting, APP, EMAIL, PHONE, refusedWith } from '../../../../test/support/otp-setting.ts'
import { setQuota } from '../../../../test/support/set-quota.ts'
import { EVERY_ORGANIZATION } from '../../../host/store/quotas/settings.ts'

const INVALID = 400
const byMail = { otpType: 'OTP_TYPE_EMAIL', contact: EMAIL }
const bySms = { otpType: 'OTP_TYPE_SMS', contact: PHONE }
const V3 = 'ACTIVITY_TYPE_INIT_OTP_V3'

test('each version sends a code and answers in its own form', async (t) => {
  const { service, root } = await anOtpSetting(t)
  const answered = async (type: string, parameters: object) =>
    (await service.submit(root, type, parameters)).json.activity.result
  for (const [type, parameters] of [
    ['ACTIVITY_TYPE_INIT_OTP', byMail],
    // The published Kotlin client reads this key of the second version, and no other.
    ['ACTIVITY_TYPE_INIT_OTP_V2', { ...byMail, ...APP }],
  ] as const) {
    const { initOtpResult } = await answered(type, parameters)
    assert.deepEqual(Object.keys(initOtpResult ?? {}), ['otpId'])
  }
  const { initOtpResultV2 } = await answered(V3, { ...byMail, ...APP })
  assert.deepEqual(Object.keys(initOtpResultV2), ['otpId', 'otpEncryptionTargetBundle'])
  assert.equal((await sentMessages(service)).length, 3)
})

test('a code has nine letters and digits, or as many and of what the request says', async (t) => {
  const { initiated } = await anOtpSetting(t)
  const { code } = await initiated({ otpLength: undefined, alphanumeric: undefined })
  assert.match(code, /^[0-9A-Z]{9}$/)
  for (const otpLength of [6, 9])
    assert.match(
      (await initiated({ otpLength, alphanumeric: false })).code,
      new RegExp(`^\\d{${otpLength}}$`),
    )
})

test('a mail says what the request wants it to say', async (t) => {
  const { service, initiated } = await anOtpSetting(t)
  const { message, code } = await initiated({
    emailCustomization: {
      logoUrl: 'https://example.com/logo.png',
      magicLinkTemplate: 'https://example.com/?code=%s',
      templateVariables: '{"greeting":"Hi"}',
    },
    sendFromEmailAddress: 'codes@example.com',
    sendFromEmailSenderName: 'Codes',
    replyToEmailAddress: 'help@example.com',
    expirationSeconds: '600',
  })
  assert.deepEqual(message, {
    channel: 'email',
    about: 'otp',
    to: EMAIL,
    code,
    organizationName: 'Test',
    expiresAt: service.world.now() + 600_000,
    customization: {
      appName: 'Example',
      logoUrl: 'https://example.com/logo.png',
      magicLinkTemplate: 'https://example.com/?code=%s',
      templateVariables: { greeting: 'Hi' },
    },
    sender: { fromAddress: 'codes@example.com', fromName: 'Codes', replyTo: 'help@example.com' },
  })
})

test('a text message carries the code, for five minutes unless told', async (t) => {
  const { service, initiated } = await anOtpSetting(t)
  const smsCustomization = { template: 'Code: {{.OtpCode}}' }
  const { message, code } = await initiated({ ...bySms, smsCustomization })
  assert.deepEqual(message, {
    channel: 'sms',
    about: 'otp',
    to: PHONE,
    code,
    expiresAt: service.world.now() + 300_000,
    appName: 'Example',
    template: 'Code: {{.OtpCode}}',
  })
})

test('in the first version the name may stand in the customization, or nowhere', async (t) => {
  const { service, root } = await anOtpSetting(t)
  await service.done(root, 'ACTIVITY_TYPE_INIT_OTP', { ...byMail, emailCustomization: { appName: 'Old' } })
  await service.done(root, 'ACTIVITY_TYPE_INIT_OTP', byMail)
  const [named, unnamed] = await sentMessages(service)
  assert.ok(named?.channel === 'email' && unnamed?.channel === 'email')
  assert.equal(named.customization.appName, 'Old')
  assert.deepEqual(unnamed.customization, {})
})

test('what is wrong with a request is said before anything is sent', async (t) => {
  const { service, root } = await anOtpSetting(t)
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ otpType: 'OTP_TYPE_WHATSAPP' }, /`otpType` must be one of OTP_TYPE_EMAIL, OTP_TYPE_SMS/],
    [{ otpLength: 5 }, /`otpLength` must be from 6 to 9/],
    [{ otpLength: 10 }, /`otpLength`/],
    [{ expirationSeconds: '601' }, /`expirationSeconds` must be a whole number of seconds from 1 to 600/],
    [{ expirationSeconds: '0' }, /`expirationSeconds`/],
    [{ expirationSeconds: 'soon' }, /`expirationSeconds`/],
    [{ contact: 'nobody' }, /invalid email address/],
    [{ contact: 'a@example.com\r\nBcc: b@example.com' }, /invalid email address/],
    [{ otpType: 'OTP_TYPE_SMS', contact: EMAIL }, /invalid phone number/],
    [{ otpType: 'OTP_TYPE_SMS', contact: '0015551234567' }, /invalid phone number/],
    [{ appName: undefined }, /missing field `appName`/],
    [{ appName: 'Example\r\nBcc: b@example.com' }, /`appName` must not contain control characters/],
    [{ sendFromEmailSenderName: 'A\nB' }, /`sendFromEmailSenderName`/],
    [{ sendFromEmailAddress: 'a@example.com\r\nX: y' }, /`sendFromEmailAddress`/],
    [{ replyToEmailAddress: 'a@example.com\r\nX: y' }, /`replyToEmailAddress`/],
    [{ emailCustomization: { magicLinkTemplate: 'https://example.com' } }, /invalid magic link template/],
    [{ emailCustomization: { templateId: 'x' } }, /failed to get email template contents/],
    [{ emailCustomization: { templateVariables: '{"a":1}' } }, /failed to unmarshal template variables/],
    [{ emailCustomization: { logoUrl: 'http://example.com' } }, /`emailCustomization.logoUrl`/],
    [{ smsCustomization: { template: 'no code' } }, /`smsCustomization.template`/],
  ]
  for (const [change, message] of cases)
    refusedWith(await service.submit(root, V3, { ...byMail, ...APP, ...change }), {
      status: INVALID,
      message,
    })
  assert.deepEqual(await sentMessages(service), [])
})

test('codes are sent only where their feature is on', async (t) => {
  const { service, root } = await anOtpSetting(t, { features: ['FEATURE_NAME_SMS_AUTH'] })
  await service.done(root, V3, { ...bySms, ...APP })
  refusedWith(await service.submit(root, V3, { ...byMail, ...APP }), {
    status: 403,
    message: /FEATURE_NAME_OTP_EMAIL_AUTH is not enabled/,
  })
})

test('a sub-organization sends codes to anybody, whatever its parent switches off, up to a quota of messages', async (t) => {
  const { service, ada, initiated } = await anOtpSetting(t, { features: [] })
  await setQuota(service, EVERY_ORGANIZATION, { requests: 1 })
  await setQuota(service, service.organizationId, { subOrganizationMessages: 3, messages: 1 })
  const smsCustomization = { template: 'Read https://eve.example {{.OtpCode}}' }
  for (const contact of ['+15550000001', '+15550000002', '+15550000003']) {
    const sent = await initiated({ otpType: 'OTP_TYPE_SMS', contact, smsCustomization }, { by: ada })
    assert.equal(sent.message.to, contact)
  }
  const intent = { otpType: 'OTP_TYPE_SMS', contact: '+15550000004', smsCustomization, ...APP }
  refusedWith(await service.submit(ada, V3, intent), {
    status: 429,
    message: /its parent is over its allotted quota of e-mails and text messages of sub-organizations a day/,
  })
  assert.deepEqual(await sentMessages(service), [])
})

test('the messages of a parent are its own: its sub-organizations cannot use them up', async (t) => {
  const { service, root, ada, initiated } = await anOtpSetting(t)
  await setQuota(service, service.organizationId, { subOrganizationMessages: 0, messages: 2 })
  refusedWith(await service.submit(ada, V3, { ...byMail, ...APP }), { status: 429, message: /its parent/ })
  await initiated()
  // Asked for by the parent's user, in the sub-organization.
  const where = { organizationId: ada.organizationId }
  const mailed = await service.submit(root, 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3', { ...byMail, ...APP }, where)
  assert.equal(mailed.status, 200, mailed.text)
  const listed = await service.query(root, 'list_quotas')
  assert.deepEqual(
    listed.json.quotas.map((quota: { quota: string; used: string }) => [quota.quota, quota.used]),
    [
      ['QUOTA_MESSAGES', '2'],
      ['QUOTA_SUB_ORGANIZATION_MESSAGES', '0'],
    ],
  )
  refusedWith(await service.submit(root, 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3', { ...bySms, ...APP }, where), {
    status: 429,
    message: /its parent is over its allotted quota of e-mails and text messages a day/,
  })
})

test('a contact has at most three codes at a time, whatever the case of its letters', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  await initiated()
  await initiated({ contact: EMAIL.toLowerCase() })
  await initiated({ contact: EMAIL.toUpperCase(), expirationSeconds: '60' })
  const fourth = await service.submit(root, V3, { ...byMail, ...APP })
  refusedWith(fourth, {
    status: INVALID,
    message: /^Max number of OTPs have been initiated please wait and try again$/,
    errorCode: 'MAX_OTP_INITIATED',
  })
  await initiated({ contact: 'other@example.com' })
  await initiated(bySms)
  service.world.advance(60_000)
  await initiated()
})

test('in the name of one user codes are asked for three times within three minutes', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const userIdentifier = '203.0.113.7'
  for (const name of ['a', 'b', 'c']) await initiated({ userIdentifier, contact: `${name}@example.com` })
  const again = { ...byMail, ...APP, userIdentifier, contact: 'd@example.com' }
  refusedWith(await service.submit(root, V3, again), { status: INVALID, message: /^Max number of OTPs/ })
  await initiated({ userIdentifier: '203.0.113.8', contact: 'd@example.com' })
  await initiated({ userIdentifier: '', contact: 'd@example.com' })
  service.world.advance(180_000)
  await initiated({ userIdentifier, contact: 'd@example.com' })
})

test('of twenty requests at once three are sent, by contact and by user', async (t) => {
  const { service, root } = await anOtpSetting(t)
  const many = (change: (index: number) => object) =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.submit(
          root,
          V3,
          { ...byMail, ...APP, ...change(index) },
          { timestampMs: service.world.now() + index },
        ),
      ),
    )
  const ofContact = await many(() => ({}))
  assert.equal(ofContact.filter(({ status }) => status === 200).length, 3)
  assert.equal((await sentMessages(service)).length, 3)
  const ofUser = await many((index) => ({ contact: `u${index}@example.com`, userIdentifier: 'one' }))
  assert.equal(ofUser.filter(({ status }) => status === 200).length, 3)
  assert.equal((await sentMessages(service)).length, 3)
})

test('a user needs a policy to send codes, and may wait for another', async (t) => {
  const { service, root } = await anOtpSetting(t)
  const sender = await service.user('Sender')
  const second = await service.user('Second')
  refusedWith(await service.submit(sender, V3, { ...byMail, ...APP }), { status: 403, message: /permission/ })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two send codes',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'OTP' && activity.action == 'CREATE'",
    consensus: `approvers.any(user, user.id == '${sender.userId}') && approvers.any(user, user.id == '${second.userId}')`,
    notes: '',
  })
  service.world.advance(1)
  const waiting = await service.submit(sender, V3, { ...byMail, ...APP })
  assert.equal(waiting.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.deepEqual(await sentMessages(service), [])
  const { fingerprint } = waiting.json.activity
  const voted = await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(voted.status, 200, voted.text)
  assert.equal((await sentMessages(service)).length, 1)
})

test('neither the record nor any row of a code tells it', async (t) => {
  const { service, initiated, root } = await anOtpSetting(t)
  const { code } = await initiated({ otpLength: 9 })
  const activities = await service.store.activities(root.organizationId, {}, { limit: 100 })
  const rows = await service.store.objectsOfKind(root.organizationId, 'otp_contact', { limit: 100 })
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify([activities, rows]).includes(code))
})
