import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifySessionJwtSignature } from '@turnkey/crypto'
import { present } from '../../base/assert.ts'
import type { Charter, User } from '../../charter/charter.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { oauthLogin } from '../oauth/oauth-login.ts'
import { stampLogin } from '../sessions/stamp-login.ts'
import { otpLogin } from './otp-login.ts'
import {
  anOtpSetting,
  aSubOrganization,
  claimsOf,
  EMAIL,
  loginSignature,
  type OtpSetting,
  PHONE,
  refusedWith,
  signedToken,
} from '../../../../test/support/otp-setting.ts'

const V1 = 'ACTIVITY_TYPE_OTP_LOGIN'
const V2 = 'ACTIVITY_TYPE_OTP_LOGIN_V2'
const CONTACT_OF_NOBODY = { status: 404, message: /unable to find one user with contact/ }

async function userOf(service: TestService, organizationId: string): Promise<User> {
  const row = present(await service.store.charter(organizationId), 'the charter')
  const charter: Charter = JSON.parse(row.body)
  return present(charter.users[0], 'the first user')
}

/** A login with a token that is bound to a key, as the newest clients make it. */
async function boundLogin({ service, token }: OtpSetting) {
  const tokenKey = service.newKey()
  const sessionKey = service.newKey()
  const verificationToken = await token({ key: tokenKey })
  const { publicKey } = sessionKey
  const clientSignature = loginSignature(tokenKey, { token: verificationToken, publicKey })
  return {
    tokenKey,
    sessionKey,
    verificationToken,
    intent: { verificationToken, publicKey, clientSignature },
  }
}

test('the parent logs a user in, and the session key works as theirs', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, ada, subId } = setting
  const key = service.newKey()
  const verificationToken = await setting.token()
  const { session } = await service.done(
    root,
    V1,
    { verificationToken, publicKey: key.publicKey },
    { organizationId: subId },
  )
  assert.deepEqual(claimsOf(session), {
    exp: Math.floor((service.world.now() + 900_000) / 1000),
    public_key: key.publicKey,
    session_type: 'SESSION_TYPE_READ_WRITE',
    user_id: ada.userId,
    organization_id: subId,
  })
  const records = await service.query(root, 'list_activities', { organizationId: subId })
  assert.ok(records.text.includes(session.slice(0, session.lastIndexOf('.'))))
  assert.ok(!records.text.includes(session), 'a record shows no token that a backend would accept')
  const who = await service.query({ ...ada, key }, 'whoami')
  assert.equal(who.json.userId, ada.userId)
  const user = await userOf(service, subId)
  assert.equal(user.emailVerified, true)
  assert.equal(user.phoneNumberVerified, false)
  assert.equal(user.apiKeys.at(-1)?.type, 'CREDENTIAL_TYPE_LOGIN')
  service.world.advance(900_000)
  assert.equal((await service.query({ ...ada, key }, 'whoami')).status, 401)
})

test('the published client verifies the session', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, subId } = setting
  const { session: notary } = await service.vault.serviceKeys()
  const { intent } = await boundLogin(setting)
  const { session } = await service.done(root, V2, intent, { organizationId: subId })
  assert.equal(await verifySessionJwtSignature(session, notary), true)
})

test('a sub-organization runs the whole flow by itself, and its token is of use nowhere else', async (t) => {
  const { service, root, ada, subId, token } = await anOtpSetting(t)
  const other = await aSubOrganization(service)
  const verificationToken = await token({ by: ada })
  const { publicKey } = service.newKey()
  const foreign = {
    status: 400,
    message: /invalid verification token: it was issued for another organization/,
  }
  const elsewhere = { organizationId: other.organizationId }
  refusedWith(await service.submit(root, V1, { verificationToken, publicKey }, elsewhere), foreign)
  refusedWith(await service.submit(root, V1, { verificationToken, publicKey }), foreign)
  const { session } = await service.done(ada, V1, { verificationToken, publicKey })
  assert.equal(claimsOf(session).organization_id, subId)
})

test('a top-level organization logs in its own users', async (t) => {
  const { service, root, token } = await anOtpSetting(t)
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: root.userId, userEmail: EMAIL })
  const { publicKey } = service.newKey()
  const { session } = await service.done(root, V1, { verificationToken: await token(), publicKey })
  assert.equal(claimsOf(session).user_id, root.userId)
})

test('a text message logs in as well, and proves the number', async (t) => {
  const { service, root, subId, token } = await anOtpSetting(t)
  const verificationToken = await token({ init: { otpType: 'OTP_TYPE_SMS', contact: PHONE } })
  const { publicKey } = service.newKey()
  await service.done(root, V1, { verificationToken, publicKey }, { organizationId: subId })
  const user = await userOf(service, subId)
  assert.deepEqual([user.emailVerified, user.phoneNumberVerified], [false, true])
})

test('a token logs in once, even when it is presented twenty times at once', async (t) => {
  const { service, root, subId, token } = await anOtpSetting(t)
  const used = { status: 400, message: /invalid verification token: it has been used already/ }
  const verificationToken = await token()
  const at = service.world.now()
  const login = (index: number) =>
    service.submit(
      root,
      V1,
      { verificationToken, publicKey: service.newKey().publicKey },
      { organizationId: subId, timestampMs: at + index },
    )
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => login(index)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) refusedWith(answer, used)
  refusedWith(await login(30), used)
})

// Known, and written down in SECURITY.md: a reader of the database sees such a token, and it is bound to no key.
test('a token of the parent that has logged in serves once more in another sub-organization, and for a contact', async (t) => {
  const { service, root, subId, token } = await anOtpSetting(t)
  const other = await aSubOrganization(service)
  const verificationToken = await token()
  for (const organizationId of [subId, other.organizationId]) {
    const { publicKey } = service.newKey()
    await service.done(root, V1, { verificationToken, publicKey }, { organizationId })
  }
  const proof = { userId: other.userId, userEmail: EMAIL, verificationToken }
  await service.done(other, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', proof)
  const used = { status: 400, message: /invalid verification token: it has been used already/ }
  service.world.advance(1)
  refusedWith(await service.submit(other, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', proof), used)
})

test('a login that was refused leaves the token unused', async (t) => {
  const { service, root, subId, token } = await anOtpSetting(t)
  const verificationToken = await token()
  const to = { organizationId: subId }
  const badKey = { verificationToken, publicKey: '00' }
  refusedWith(await service.submit(root, V1, badKey, to), { status: 400, message: /invalid publicKey/ })
  await service.done(root, V1, { verificationToken, publicKey: service.newKey().publicKey }, to)
})

test('a token that is bound to a key needs the signature of that key, in both versions', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, subId } = setting
  const to = { organizationId: subId }
  const { intent, tokenKey, sessionKey, verificationToken: token } = await boundLogin(setting)
  const { publicKey } = sessionKey
  const good = intent.clientSignature
  const stranger = service.newKey()
  const signed = (message: string) => {
    const about = JSON.parse(message)
    return { ...loginSignature(tokenKey, { token, publicKey: about.login?.publicKey ?? '' }, about), message }
  }
  const cases: readonly (readonly [object | undefined, RegExp])[] = [
    [undefined, /invalid client signature: it is missing/],
    [loginSignature(stranger, { token, publicKey }), /its key is not the one/],
    [{ ...good, publicKey: stranger.publicKey }, /does not verify/],
    [{ ...good, message: good.message.replace('USAGE', 'usage') }, /does not verify/],
    [{ ...good, signature: good.signature.slice(2) }, /does not verify/],
    [{ ...good, signature: 'xyz' }, /hexadecimal/],
    [loginSignature(tokenKey, { token, publicKey: stranger.publicKey }), /another publicKey/],
    [loginSignature(tokenKey, { token, publicKey }, { tokenId: subId }), /another verification token/],
    [
      loginSignature(tokenKey, { token, publicKey }, { type: 'USAGE_TYPE_SIGNUP' }),
      /the usage in the message is unknown/,
    ],
    [signed('[]'), /does not verify|not a JSON object/],
  ]
  for (const [clientSignature, message] of cases) {
    service.world.advance(1)
    const sent = { ...intent, clientSignature }
    refusedWith(await service.submit(root, V1, sent, to), { status: 400, message })
    if (clientSignature !== undefined)
      refusedWith(await service.submit(root, V2, sent, to), { status: 400, message })
  }
  const missing = await service.submit(root, V2, { ...intent, clientSignature: undefined }, to)
  refusedWith(missing, { status: 400, message: /missing field `clientSignature`/ })
  const otherScheme = { ...good, scheme: 'CLIENT_SIGNATURE_SCHEME_UNSPECIFIED' }
  const refused = await service.submit(root, V2, { ...intent, clientSignature: otherScheme }, to)
  refusedWith(refused, { status: 400, message: /`clientSignature.scheme`/ })
  await service.done(root, V2, intent, to)
})

test('a message is compared by what it means, not by how it is written', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, subId, token } = setting
  const key = service.newKey()
  const verificationToken = await token({ key })
  const { publicKey } = service.newKey()
  const upper = loginSignature(key, { token: verificationToken, publicKey: publicKey.toUpperCase() })
  const clientSignature = { ...upper, publicKey: key.publicKey.toUpperCase() }
  await service.done(root, V2, { verificationToken, publicKey, clientSignature }, { organizationId: subId })
})

test('a signature for a token that is bound to no key is refused', async (t) => {
  const { service, root, subId, token } = await anOtpSetting(t)
  const verificationToken = await token()
  const key = service.newKey()
  const { publicKey } = key
  const clientSignature = loginSignature(key, { token: verificationToken, publicKey })
  for (const type of [V1, V2])
    refusedWith(
      await service.submit(
        root,
        type,
        { verificationToken, publicKey, clientSignature },
        { organizationId: subId },
      ),
      { status: 400, message: /the verification token is bound to no key/ },
    )
})

test('a token that was not made by the service, or not for this, is refused', async (t) => {
  const { service, root, subId, token } = await anOtpSetting(t)
  const good = await token()
  const [header = '', payload = '', signature = ''] = good.split('.')
  const claims = claimsOf(good)
  const stranger = service.newKey().privateKey
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const es256 = { typ: 'JWT', alg: 'ES256' }
  const { otp } = await service.vault.serviceKeys()
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['re-signed', signedToken(es256, claims, stranger), /signature does not verify/],
    [
      'other claims',
      `${header}.${part({ ...claims, contact: 'eve@example.com' })}.${signature}`,
      /does not verify/,
    ],
    ['truncated', good.slice(0, -10), /malformed|does not verify/],
    ['two parts', `${header}.${payload}`, /malformed/],
    ['no signature', `${header}.${payload}.`, /malformed|does not verify/],
    ['alg none', `${part({ typ: 'JWT', alg: 'none' })}.${payload}.`, /malformed/],
    ['HS256', `${part({ typ: 'JWT', alg: 'HS256' })}.${payload}.${signature}`, /malformed/],
    ['key in header', `${part({ ...es256, jwk: { otp } })}.${payload}.${signature}`, /malformed/],
    ['no contact', signedToken(es256, { ...claims, contact: '' }, stranger), /malformed/],
    ['number as exp', signedToken(es256, { ...claims, exp: 1 }, stranger), /malformed/],
    ['strange id', signedToken(es256, { ...claims, id: '\0' }, stranger), /does not verify/],
    ['no token', 'token', /malformed/],
  ]
  const to = { organizationId: subId }
  for (const [what, verificationToken, message] of cases) {
    const answer = await service.submit(
      root,
      V1,
      { verificationToken, publicKey: service.newKey().publicKey },
      to,
    )
    assert.match(answer.json.message, message, what)
    assert.match(answer.json.message, /^invalid verification token: /, what)
    assert.equal(answer.status, 400, what)
  }
  const publicKey = service.newKey().publicKey
  const { session } = await service.done(root, V1, { verificationToken: good, publicKey }, to)
  // A session token is no verification token.
  const swapped = await service.submit(root, V1, { verificationToken: session, publicKey }, to)
  refusedWith(swapped, { status: 400, message: /invalid verification token: malformed/ })
})

test('a token that has expired is refused, to the millisecond', async (t) => {
  const { service, root, subId, token } = await anOtpSetting(t)
  const verificationToken = await token({ verify: { expirationSeconds: '60' } })
  service.world.advance(60_000)
  const login = { verificationToken, publicKey: service.newKey().publicKey }
  refusedWith(await service.submit(root, V1, login, { organizationId: subId }), {
    status: 400,
    message: /invalid verification token: it has expired/,
  })
})

test('a contact that is nobody’s here, or that two have, logs nobody in', async (t) => {
  const { service, root, ada, subId, token } = await anOtpSetting(t)
  const publicKey = service.newKey().publicKey
  const to = { organizationId: subId }
  const strangers = await token({ init: { contact: 'eve@example.com' } })
  refusedWith(
    await service.submit(root, V1, { verificationToken: strangers, publicKey }, to),
    CONTACT_OF_NOBODY,
  )
  const apiKeys = [
    { apiKeyName: 'Key', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' },
  ]
  const twin = {
    userName: 'Twin',
    userEmail: EMAIL.toLowerCase(),
    apiKeys,
    authenticators: [],
    oauthProviders: [],
  }
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users: [{ ...twin, userTags: [] }] })
  const verificationToken = await token()
  refusedWith(await service.submit(root, V1, { verificationToken, publicKey }, to), CONTACT_OF_NOBODY)
})

test('an address does not log in the holder of the same text as a number, nor the other way', async (t) => {
  const { service, root, token } = await anOtpSetting(t)
  const sub = await aSubOrganization(service, { userEmail: 'other@example.com', userPhoneNumber: PHONE })
  const verificationToken = await token()
  const login = { verificationToken, publicKey: service.newKey().publicKey }
  refusedWith(
    await service.submit(root, V1, login, { organizationId: sub.organizationId }),
    CONTACT_OF_NOBODY,
  )
})

test('the feature is needed in the sub-organization, and in the parent where the parent asks', async (t) => {
  const { service, root, ada, subId, token } = await anOtpSetting(t)
  const disabled = await aSubOrganization(service, {}, { disableOtpEmailAuth: true })
  const verificationToken = await token()
  const login = { verificationToken, publicKey: service.newKey().publicKey }
  const off = { status: 403, message: /feature FEATURE_NAME_OTP_EMAIL_AUTH is not enabled/ }
  refusedWith(await service.submit(root, V1, login, { organizationId: disabled.organizationId }), off)
  const own = await token({ by: ada })
  await service.done(root, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
  })
  refusedWith(await service.submit(root, V1, login, { organizationId: subId }), off)
  await service.done(ada, V1, { ...login, verificationToken: own })
})

test('a new login leaves earlier sessions, unless it is to invalidate them', async (t) => {
  const { service, root, ada, subId, token } = await anOtpSetting(t)
  const keys = [service.newKey(), service.newKey(), service.newKey()] as const
  const works = async (key: (typeof keys)[number]) =>
    (await service.query({ ...ada, key }, 'whoami')).status === 200
  const to = { organizationId: subId }
  for (const [index, key] of keys.entries()) {
    const more = index === 2 ? { invalidateExisting: true } : {}
    const verificationToken = await token()
    await service.done(root, V1, { verificationToken, publicKey: key.publicKey, ...more }, to)
    if (index === 1) assert.deepEqual(await Promise.all(keys.map(works)), [true, true, false])
  }
  assert.deepEqual(await Promise.all(keys.map(works)), [false, false, true])
  assert.equal(await works(ada.key), true)
})

test('the parent’s policies decide, and know the session profile that is asked for', async (t) => {
  const { service, root, ada, subId, token } = await anOtpSetting(t)
  const backend = await service.user('Backend')
  const verificationToken = await token()
  const login = { verificationToken, publicKey: service.newKey().publicKey }
  const to = { organizationId: subId }
  refusedWith(await service.submit(backend, V1, login, to), { status: 403, message: /permission/ })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Logs in without a profile',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'OTP_LOGIN' && activity.params.session_profile_id == ''",
    consensus: `approvers.any(user, user.id == '${backend.userId}')`,
    notes: '',
  })
  service.world.advance(1)
  const profiled = { ...login, sessionProfileId: ada.userId }
  refusedWith(await service.submit(backend, V1, profiled, to), { status: 403, message: /permission/ })
  await service.done(backend, V1, login, to)
})

test('a session profile that is not there is refused', async (t) => {
  const { service, root, subId, token } = await anOtpSetting(t)
  const sent = {
    verificationToken: await token(),
    publicKey: service.newKey().publicKey,
    sessionProfileId: subId,
  }
  refusedWith(await service.submit(root, V1, sent, { organizationId: subId }), {
    status: 404,
    message: /could not find session profile/,
  })
})

test('a login that two have to approve is carried out with the second vote', async (t) => {
  const { service, root, ada, subId, token } = await anOtpSetting(t)
  const second = await service.user('Second')
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 2,
    userIds: [root.userId, second.userId],
  })
  const verificationToken = await token({ by: ada })
  const key = service.newKey()
  const waiting = await service.submit(
    root,
    V1,
    { verificationToken, publicKey: key.publicKey },
    { organizationId: subId },
  )
  assert.equal(waiting.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', waiting.text)
  const { fingerprint } = waiting.json.activity
  const voted = await service.submit(
    second,
    'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    { fingerprint },
    { organizationId: subId },
  )
  assert.equal(voted.status, 200, voted.text)
  assert.equal((await service.query({ ...ada, key }, 'whoami')).json.userId, ada.userId)
})

test('a text that is no key is refused before a second user is asked to approve the login', async (t) => {
  const { service, root, ada, subId, token } = await anOtpSetting(t)
  const second = await service.user('Second')
  const userIds = [root.userId, second.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const login = { verificationToken: await token({ by: ada }), publicKey: '00' }
  const answer = await service.submit(root, V1, login, { organizationId: subId })
  refusedWith(answer, { status: 400, message: /^invalid publicKey: "00" / })
})

test('a session of the longest scope is told of as the description says', async (t) => {
  const { service, root, token } = await anOtpSetting(t)
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: root.userId, userEmail: EMAIL })
  const scope = "activity.kind == ''"
  const { sessionProfileId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE', {
    sessionProfileName: 'Wordy',
    scope: scope.replace("''", `'${'字'.repeat(2048 - scope.length)}'`),
  })
  const { publicKey } = service.newKey()
  const result = await service.done(root, V1, {
    verificationToken: await token(),
    publicKey,
    sessionProfileId,
  })
  for (const { forms } of [otpLogin, stampLogin, oauthLogin])
    for (const form of forms) assert.deepEqual(form.result.read(result, 'result', 'strict'), result)
})
