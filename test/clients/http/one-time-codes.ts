import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  encryptOtpCodeToBundle,
  generateP256KeyPair,
  verifyOtpVerificationToken,
  verifySessionJwtSignature,
} from '@turnkey/crypto'
import { present } from '../../../src/trusted/base/assert.ts'
import { codeIn } from '../inbox.ts'
import { openedBundle } from '../credential-bundle.ts'
import { switchedOn } from '../features.ts'
import { loginSignature, newAddress, type Proven, provenContact } from '../one-time-code.ts'
import { signUp } from '../sign-up.ts'
import type { KeyPair, Setting, Stranger } from '../setting.ts'
import { signSomething } from '../sign-something.ts'

export function oneTimeCodeFlows(setting: Setting): void {
  const { root, inbox, keys } = setting
  before(() => switchedOn(root, ['FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH']))

  test('somebody signs up with a code by mail, logs in with the next, signs, and logs out', async () => {
    const contact = newAddress('ada')
    const mail = { otpType: 'OTP_TYPE_EMAIL', contact } as const
    const { organizationId } = await signUp(setting, await provenContact(setting, mail))
    const find = { organizationId: root.organizationId, filterType: 'EMAIL', filterValue: contact }
    assert.deepEqual((await root.client.getVerifiedSubOrgIds(find)).organizationIds, [organizationId])

    const session = await loggedIn(
      setting,
      organizationId,
      await provenContact(setting, mail, { messages: 2 }),
    )
    const asked = { organizationId: root.organizationId, email: contact }
    const { emailEvents } = await root.client.listEmailEvents(asked)
    assert.deepEqual(
      emailEvents.map(({ eventType, toAddress }) => [eventType, toAddress]),
      [
        ['Send', contact],
        ['Send', contact],
      ],
    )
    await signSomething(session)
    const { userId } = await session.client.getWhoami({ organizationId })
    const { apiKeys } = await session.client.getApiKeys({ organizationId, userId })
    const own = present(
      apiKeys.find(({ credential }) => credential.publicKey === session.publicKey),
      'the key of the session',
    )
    assert.equal(own.credential.type, 'CREDENTIAL_TYPE_LOGIN')
    await session.client.deleteApiKeys(
      session.activity('ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds: [own.apiKeyId] }),
    )
    await assert.rejects(
      session.client.getWhoami({ organizationId }),
      /^TurnkeyRequestError: Turnkey error 16: /,
    )
  })

  test('a session key beside the key of the token logs in, and a login that asks for it ends the others', async () => {
    const contact = newAddress('grace')
    const mail = { otpType: 'OTP_TYPE_EMAIL', contact } as const
    const proven = await provenContact(setting, mail)
    const { organizationId } = await signUp(setting, proven)
    const first = await loggedIn(setting, organizationId, proven, { sessionKeys: generateP256KeyPair() })
    await first.client.getWhoami({ organizationId })
    const again = await provenContact(setting, mail, { messages: 2 })
    const second = await loggedIn(setting, organizationId, again, { invalidateExisting: true })
    await second.client.getWhoami({ organizationId })
    await assert.rejects(first.client.getWhoami({ organizationId }), /Turnkey error 16: /)
  })

  test('a token logs in once, and only with the signature of its key over this very login', async () => {
    const contact = newAddress('eve')
    const proven = await provenContact(setting, { otpType: 'OTP_TYPE_EMAIL', contact })
    const { organizationId } = await signUp(setting, proven)
    const login = async (clientSignature: Awaited<ReturnType<typeof loginSignature>>) =>
      await root.client.otpLogin({
        ...root.activity('ACTIVITY_TYPE_OTP_LOGIN_V2', {
          verificationToken: proven.verificationToken,
          publicKey: proven.keys.publicKey,
          clientSignature,
        }),
        organizationId,
      })
    await assert.rejects(
      login(await loginSignature(proven, generateP256KeyPair().publicKey)),
      /Turnkey error 3: /,
    )
    const good = await loginSignature(proven)
    await login(good)
    await assert.rejects(login(good), { message: /^Turnkey error 3: invalid verification token: / })
  })

  test('a code by text message is sent in the words of the request, and three wrong tries are all there are', async () => {
    const contact = '+15551230001'
    const { activity } = await root.client.initOtp(
      root.activity('ACTIVITY_TYPE_INIT_OTP_V3', {
        otpType: 'OTP_TYPE_SMS',
        contact,
        appName: 'Example',
        otpLength: 6,
        alphanumeric: false,
        smsCustomization: { template: 'Example says\n{{.OtpCode}}' },
      }),
    )
    const { otpId, otpEncryptionTargetBundle } = present(activity.result.initOtpResultV2, 'a code')
    const text = await inbox.newest(contact)
    assert.match(text, /^Example says\n\d{6}$/)
    const code = codeIn(text)
    const { publicKey } = generateP256KeyPair()
    const verify = async (otpCode: string) =>
      await root.client.verifyOtp(
        root.activity('ACTIVITY_TYPE_VERIFY_OTP_V2', {
          otpId,
          encryptedOtpBundle: await encryptOtpCodeToBundle(
            otpCode,
            otpEncryptionTargetBundle,
            publicKey,
            keys.otp,
          ),
        }),
      )
    const wrong = code === '000000' ? '000001' : '000000'
    const refused = { name: 'TurnkeyRequestError', code: 3, message: /^Turnkey error 3: invalid OTP code/ }
    for (const otpCode of [wrong, wrong, wrong, code]) await assert.rejects(verify(otpCode), refused)
  })

  test('codes are asked for three times in a while for one person, and clients are told so in words they know', async () => {
    const userIdentifier = crypto.randomUUID()
    const initiate = () =>
      root.client.initOtp(
        root.activity('ACTIVITY_TYPE_INIT_OTP_V3', {
          otpType: 'OTP_TYPE_EMAIL',
          contact: newAddress('often'),
          appName: 'Example',
          userIdentifier,
        }),
      )
    for (let time = 0; time < 3; time++) await initiate()
    await assert.rejects(initiate(), {
      code: 3,
      message: /^Turnkey error 3: Max number of OTPs have been initiated please wait and try again/,
    })
  })

  test('the older way: a code of the user themselves becomes a key in a bundle, which the published library opens', async () => {
    const contact = newAddress('older')
    const { organizationId, userId } = await signUp(
      setting,
      await provenContact(setting, { otpType: 'OTP_TYPE_EMAIL', contact }),
    )
    const { activity } = await root.client.initOtpAuth({
      ...root.activity('ACTIVITY_TYPE_INIT_OTP_AUTH_V3', {
        otpType: 'OTP_TYPE_EMAIL',
        contact,
        appName: 'Example',
      }),
      organizationId,
    })
    const { otpId } = present(activity.result.initOtpAuthResultV2, 'a code')
    const target = generateP256KeyPair()
    const authenticated = await root.client.otpAuth({
      ...root.activity('ACTIVITY_TYPE_OTP_AUTH', {
        otpId,
        otpCode: codeIn(await inbox.newest(contact, 2)),
        targetPublicKey: target.publicKeyUncompressed,
      }),
      organizationId,
    })
    const result = present(authenticated.activity.result.otpAuthResult, 'the result')
    assert.equal(result.userId, userId)
    const opened = openedBundle(present(result.credentialBundle, 'the bundle'), target)
    const session = setting.someone(organizationId, opened)
    assert.equal((await session.client.getWhoami({ organizationId })).userId, userId)
    await signSomething(session)
  })

  test('tokens and sessions are not taken for those of anyone else by the published library', async () => {
    const proven = await provenContact(setting, { otpType: 'OTP_TYPE_EMAIL', contact: newAddress('pinned') })
    // Without the key of this service it verifies with the one that it was published with.
    await assert.rejects(verifyOtpVerificationToken(proven.verificationToken))
    await assert.rejects(verifyOtpVerificationToken(proven.verificationToken, keys.session))
    const { organizationId } = await signUp(setting, proven)
    const { session } = await loggedIn(setting, organizationId, proven)
    assert.equal(await verifySessionJwtSignature(session), false)
    assert.equal(await verifySessionJwtSignature(session, keys.otp), false)
  })
}

async function loggedIn(
  { root, keys, someone }: Setting,
  organizationId: string,
  proven: Proven,
  given: { readonly sessionKeys?: KeyPair; readonly invalidateExisting?: boolean } = {},
): Promise<Stranger & { readonly session: string }> {
  const { sessionKeys = proven.keys, invalidateExisting = false } = given
  const { activity } = await root.client.otpLogin({
    ...root.activity('ACTIVITY_TYPE_OTP_LOGIN_V2', {
      verificationToken: proven.verificationToken,
      publicKey: sessionKeys.publicKey,
      clientSignature: await loginSignature(proven, sessionKeys.publicKey),
      invalidateExisting,
    }),
    organizationId,
  })
  const { session } = present(activity.result.otpLoginResult, 'the session')
  assert.ok(await verifySessionJwtSignature(session, keys.session))
  return { ...someone(organizationId, sessionKeys), session }
}
