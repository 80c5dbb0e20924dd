import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import { sentMessages } from '../../../../test/support/messages.ts'
import {
  anOtpSetting,
  aSubOrganization,
  EMAIL,
  nearly,
  type OtpSetting,
  PHONE,
  refusedWith,
} from '../../../../test/support/otp-setting.ts'

const INIT = 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3'
const AUTH = 'ACTIVITY_TYPE_OTP_AUTH'
const WRONG = { status: 400, message: /^invalid OTP code$/ }

async function authed({ initiated, subId }: OtpSetting, parameters: object = {}) {
  const { result, code } = await initiated(parameters, { type: INIT, organizationId: subId })
  const target = generateP256KeyPair()
  const sent = { otpId: result.otpId, otpCode: code, targetPublicKey: target.publicKeyUncompressed }
  return { sent, target, code }
}

test('each version sends a code to a user, and answers in its own form', async (t) => {
  const { service, root, subId } = await anOtpSetting(t)
  const to = { organizationId: subId }
  const contact = { otpType: 'OTP_TYPE_EMAIL', contact: EMAIL }
  const emailCustomization = { appName: 'Old' }
  const forms = [
    ['ACTIVITY_TYPE_INIT_OTP_AUTH', 'initOtpAuthResult', { ...contact, emailCustomization }],
    [
      'ACTIVITY_TYPE_INIT_OTP_AUTH_V2',
      'initOtpAuthResultV2',
      { ...contact, otpLength: 7, alphanumeric: false },
    ],
    [INIT, 'initOtpAuthResultV2', { ...contact, appName: 'New', otpLength: 6 }],
  ] as const
  const codes: (string | undefined)[] = []
  for (const [type, key, intent] of forms) {
    const { json } = await service.submit(root, type, intent, to)
    assert.ok(Object.hasOwn(json.activity.result, key))
    assert.deepEqual(Object.keys(json.activity.result[key]), ['otpId'])
    codes.push((await sentMessages(service))[0]?.code)
  }
  assert.match(codes[0] ?? '', /^[0-9A-Z]{9}$/)
  assert.match(codes[1] ?? '', /^\d{7}$/)
  assert.match(codes[2] ?? '', /^[0-9A-Z]{6}$/)
})

test('a right code gives a bundle that the published client opens, with a key that works', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, ada, subId } = setting
  const { sent, target } = await authed(setting)
  const result = await service.done(root, AUTH, sent, { organizationId: subId })
  assert.deepEqual(Object.keys(result), ['userId', 'apiKeyId', 'credentialBundle'])
  assert.equal(result.userId, ada.userId)
  const secret = decryptCredentialBundle(result.credentialBundle, target.privateKey)
  const privateKey = new Uint8Array(Buffer.from(secret, 'hex'))
  const publicKey = Buffer.from(getPublicKey(privateKey, true)).toString('hex')
  const key = { scheme: 'SIGNATURE_SCHEME_TK_API_P256', privateKey, publicKey } as const
  const { json } = await service.query({ ...ada, key }, 'get_user', { userId: ada.userId })
  const made = json.user.apiKeys.at(-1)
  assert.equal(made.apiKeyId, result.apiKeyId)
  assert.equal(made.credential.type, 'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256')
  assert.match(made.apiKeyName, /^OTP Auth - /)
  assert.equal(made.expirationSeconds, '900')
  const again = await service.submit(root, AUTH, { ...sent, apiKeyName: 'Again' }, { organizationId: subId })
  refusedWith(again, WRONG)
})

test('a key has the name and lifetime of the request, and replaces others of its kind where it is told to', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, ada, subId } = setting
  const named = { apiKeyName: 'Browser', expirationSeconds: '60' }
  for (const more of [{}, named, { ...named, invalidateExisting: true }]) {
    const { sent } = await authed(setting, { otpType: 'OTP_TYPE_SMS', contact: PHONE })
    await service.done(root, AUTH, { ...sent, ...more }, { organizationId: subId })
  }
  const { json } = await service.query(ada, 'get_user', { userId: ada.userId })
  const keys: readonly { readonly apiKeyName: string; readonly expirationSeconds?: string }[] =
    json.user.apiKeys
  assert.deepEqual(
    keys.map(({ apiKeyName, expirationSeconds }) => [apiKeyName, expirationSeconds]),
    [
      ['Key', undefined],
      ['Browser', '60'],
    ],
  )
})

test('three wrong codes lock it, however many come at once', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, subId } = setting
  const { sent, code } = await authed(setting)
  const at = service.world.now()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      service.submit(
        root,
        AUTH,
        { ...sent, otpCode: nearly(code) },
        { organizationId: subId, timestampMs: at + index },
      ),
    ),
  )
  for (const answer of answers) refusedWith(answer, WRONG)
  const failed = await service.store.activities(
    subId,
    { statuses: ['ACTIVITY_STATUS_FAILED'] },
    { limit: 100 },
  )
  assert.equal(failed.length, 3)
  refusedWith(await service.submit(root, AUTH, sent, { organizationId: subId }), WRONG)
})

test('a contact that is nobody’s here gets no code', async (t) => {
  const { service, root, subId } = await anOtpSetting(t)
  const sent = { otpType: 'OTP_TYPE_EMAIL', contact: 'eve@example.com', appName: 'Example' }
  const answer = await service.submit(root, INIT, sent, { organizationId: subId })
  refusedWith(answer, { status: 404, message: /unable to find one user with contact "eve@example.com"/ })
  assert.deepEqual(await sentMessages(service), [])
})

test('a code that was sent to what is no longer the user’s is none', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, ada, subId } = setting
  const { sent } = await authed(setting)
  await service.done(ada, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', {
    userId: ada.userId,
    userEmail: 'new@example.com',
  })
  refusedWith(await service.submit(root, AUTH, sent, { organizationId: subId }), WRONG)
})

test('a code of a verification is none, and a key that is none is refused before the code is tried', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, ada, subId, initiated } = setting
  const { sent, code } = await authed(setting)
  const verification = await initiated({}, { by: ada })
  const other = { ...sent, otpId: verification.result.otpId, otpCode: verification.code }
  refusedWith(await service.submit(root, AUTH, other, { organizationId: subId }), WRONG)
  for (const otpCode of [code, nearly(code)])
    refusedWith(
      await service.submit(
        root,
        AUTH,
        { ...sent, otpCode, targetPublicKey: '04' },
        { organizationId: subId },
      ),
      { status: 400, message: /invalid targetPublicKey/ },
    )
  await service.done(ada, AUTH, sent)
})

test('the feature is needed in both organizations where the parent asks', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, ada, subId } = setting
  const off = { status: 403, message: /feature FEATURE_NAME_OTP_EMAIL_AUTH is not enabled/ }
  const disabled = await aSubOrganization(service, {}, { disableOtpEmailAuth: true })
  const init = { otpType: 'OTP_TYPE_EMAIL', contact: EMAIL, appName: 'Example' }
  refusedWith(await service.submit(root, INIT, init, { organizationId: disabled.organizationId }), off)
  const { sent } = await authed(setting)
  await service.done(root, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
  })
  refusedWith(await service.submit(root, INIT, init, { organizationId: subId }), off)
  refusedWith(await service.submit(root, AUTH, sent, { organizationId: subId }), off)
  await service.done(ada, INIT, init)
  await service.done(ada, AUTH, sent)
})

test('policies know the length of the code, as sent or as it is by default', async (t) => {
  const { service, root, subId } = await anOtpSetting(t)
  const backend = await service.user('Backend')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Long codes',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'INIT_OTP_AUTH' && activity.params.otp_length >= 8",
    consensus: `approvers.any(user, user.id == '${backend.userId}')`,
    notes: '',
  })
  const init = { otpType: 'OTP_TYPE_EMAIL', contact: EMAIL, appName: 'Example' }
  const to = { organizationId: subId }
  const short = await service.submit(backend, INIT, { ...init, otpLength: 6 }, to)
  refusedWith(short, { status: 403, message: /permission/ })
  await service.done(backend, INIT, { ...init, otpLength: 8 }, to)
  await service.done(backend, INIT, init, to)
})
