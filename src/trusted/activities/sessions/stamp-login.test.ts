import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member, TestService } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'
import {
  aSubOrganizationOf,
  aToken,
  loggedIn,
  refused,
  sessionClaims,
  started,
  submitAttested,
  userOf,
} from './testing/logins.ts'

const LOGIN = 'ACTIVITY_TYPE_STAMP_LOGIN'

async function whoami(service: TestService, by: Member, organizationId = by.organizationId) {
  const { status, json } = await service.query(by, 'whoami', { organizationId })
  return { status, userId: json.userId, organizationId: json.organizationId, message: json.message }
}

test('a login gives a token that published clients verify and read, of fifteen minutes unless told', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const { publicKey } = service.newKey()

  const { session } = await service.done(ada, LOGIN, { publicKey })

  const claims = await sessionClaims(service, session)
  assert.deepEqual(claims, {
    exp: Math.floor(service.world.now() / 1000) + 900,
    public_key: publicKey,
    session_type: 'SESSION_TYPE_READ_WRITE',
    user_id: ada.userId,
    organization_id: ada.organizationId,
  })
  const records = await service.query(service.root, 'list_activities')
  assert.ok(records.text.includes(session.slice(0, session.lastIndexOf('.'))))
  assert.ok(!records.text.includes(session), 'a record shows no token that a backend would accept')
  const { apiKeys } = await userOf(service, ada)
  assert.deepEqual(apiKeys[1].credential, { publicKey, type: 'CREDENTIAL_TYPE_LOGIN' })
  assert.equal(apiKeys[1].expirationSeconds, '900')

  const spelled = publicKey.toUpperCase()
  const longer = await service.done(ada, LOGIN, { publicKey: spelled, expirationSeconds: '7200' })
  const { exp, public_key } = await sessionClaims(service, longer.session)
  assert.equal(exp, Math.floor(service.world.now() / 1000) + 7200)
  assert.equal(public_key, spelled, 'clients find their key by the text that they sent')
})

test('the key of a session stamps with all rights of its user, until its last second and not after', async () => {
  const service = await started()
  const session = await loggedIn(service, service.root, { expirationSeconds: '60' })

  await service.done(session, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Made', userIds: [] })
  service.world.advance(60_000 - 2)
  assert.equal((await whoami(service, session)).userId, service.root.userId)
  service.world.advance(1)
  const late = await whoami(service, session)
  assert.equal(late.status, 401)
  assert.match(
    late.message,
    /^authentication failed: code = Unauthenticated desc = expired api key publicKey=0/,
  )
})

test('a session can be opened with a passkey, and only with a credential that is registered', async () => {
  const service = await started()
  const device = createAuthenticator({ randomBytes: service.world.randomBytes })
  const challenge = Buffer.from('a challenge').toString('base64url')
  const attestation = device.register(challenge, 'http://localhost')
  const ada = await service.user('Ada')
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
    userId: ada.userId,
    authenticators: [{ authenticatorName: 'Phone', challenge, attestation }],
  })
  const key = service.newKey()
  const { organizationId } = ada
  const body = JSON.stringify({
    type: LOGIN,
    timestampMs: String(service.world.now()),
    organizationId,
    parameters: { publicKey: key.publicKey },
  })
  const { stampHeaderName, stampHeaderValue } = device.assert(body, 'http://localhost')

  const { status, text } = await service.post('/public/v1/submit/stamp_login', body, {
    [stampHeaderName]: stampHeaderValue,
  })

  assert.equal(status, 200, text)
  assert.equal((await whoami(service, { ...ada, key })).userId, ada.userId)
  // A key does not register itself.
  const own = service.newKey()
  const stranger = await refused(service, { ...ada, key: own }, LOGIN, { publicKey: own.publicKey })
  assert.equal(stranger.status, 401)
  assert.equal(stranger.turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND')
})

test('anybody may log in as themselves, even where a quorum of several decides', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const userIds = [service.root.userId, ada.userId]
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  await loggedIn(service, ada)
  await loggedIn(service, service.root)
})

test('a policy may deny logins, and can tell those without a profile', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'No logins without a profile',
    effect: 'EFFECT_DENY',
    condition: "activity.kind == 'STAMP_LOGIN' && activity.params.session_profile_id == ''",
    notes: '',
  })
  const denied = await refused(service, ada, LOGIN, { publicKey: service.newKey().publicKey })
  assert.equal(denied.status, 403)
})

test('what is no compressed P-256 key of its own is no session key', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const { publicKey } = service.newKey()
  const ed25519 = service.newKey('SIGNATURE_SCHEME_TK_API_ED25519').publicKey
  for (const wrong of ['', 'x', `${publicKey}00`, publicKey.slice(2), `05${publicKey.slice(2)}`, ed25519]) {
    const { status, message } = await refused(service, ada, LOGIN, { publicKey: wrong })
    assert.equal(status, 400, wrong)
    assert.match(message, /^invalid publicKey/)
  }
  for (const taken of [ada.key.publicKey, service.root.key.publicKey]) {
    const { status, message } = await refused(service, ada, LOGIN, { publicKey: taken })
    assert.equal(status, 400)
    assert.match(message, /^credential must be unique/)
  }
  for (const expirationSeconds of ['0', '-1', '1.5', ' '])
    assert.match(
      (await refused(service, ada, LOGIN, { publicKey, expirationSeconds })).message,
      /^invalid api key expiration/,
    )
})

test('logging in again with the same key renews its session, and is no second one', async () => {
  const service = await started()
  const session = await loggedIn(service, service.root, { expirationSeconds: '60' })
  service.world.advance(50_000)

  const { publicKey } = session.key
  await service.done(session, LOGIN, { publicKey, expirationSeconds: '60' })

  service.world.advance(50_000)
  assert.equal((await whoami(service, session)).status, 200)
  const { apiKeys } = await userOf(service, service.root)
  assert.equal(apiKeys.length, 2)
})

test('invalidateExisting ends the other sessions of the user, and nothing else', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const first = await loggedIn(service, ada)
  const ofAnother = await loggedIn(service, service.root)
  const second = await loggedIn(service, ada, { invalidateExisting: true })

  assert.equal((await whoami(service, first)).status, 401)
  for (const left of [second, ada, ofAnother]) assert.equal((await whoami(service, left)).status, 200)
})

test('the eleventh session pushes out an expired one first, and then the oldest', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const sessions: Member[] = []
  for (let index = 0; index < 9; index++)
    sessions.push(await loggedIn(service, ada, { expirationSeconds: '3600' }))
  const short = await loggedIn(service, ada, { expirationSeconds: '1' })
  service.world.advance(2_000)

  await loggedIn(service, ada, { expirationSeconds: '3600' })
  for (const session of sessions) assert.equal((await whoami(service, session)).status, 200)
  assert.match((await whoami(service, short)).message, /^could not find public key/)

  await loggedIn(service, ada, { expirationSeconds: '3600' })
  const statuses = await Promise.all(sessions.map(async (session) => (await whoami(service, session)).status))
  assert.deepEqual(statuses, [401, ...Array<number>(8).fill(200)])
  assert.equal((await whoami(service, ada)).status, 200, 'keys that do not expire stay')
})

test('with the id of the parent, a login goes to the one sub-organization of the credential', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  assert.ok(ada)
  const { organizationId } = service
  const { publicKey } = service.newKey()

  const { session } = await service.done(ada, LOGIN, { publicKey }, { organizationId })

  const claims = await sessionClaims(service, session)
  assert.equal(claims.organization_id, ada.organizationId)
  assert.equal(claims.user_id, ada.userId)
  // The parent's own user logs in to the parent.
  const own = await service.done(service.root, LOGIN, { publicKey: service.newKey().publicKey })
  assert.equal((await sessionClaims(service, own.session)).organization_id, organizationId)

  const [grace] = await aSubOrganizationOf(service, [{ userName: 'Grace', key: ada.key }])
  assert.ok(grace)
  // She has shown that the key is hers; from now on the key counts in both.
  await service.done(grace, LOGIN, { publicKey: service.newKey().publicKey })
  for (const type of [LOGIN, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION']) {
    const parameters = type === LOGIN ? { publicKey: service.newKey().publicKey } : {}
    const conflict = await refused(service, ada, type, parameters, { organizationId })
    assert.equal(conflict.status, 401)
    assert.equal(conflict.turnkeyErrorCode, 'CREDENTIAL_CONFLICT')
    assert.match(conflict.message, /^more than one suborg associated with a public key/)
    await service.done(grace, type, parameters)
  }
})

test('nobody of the parent logs in to a sub-organization by a stamp', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  assert.ok(ada)
  const { organizationId } = ada
  for (const [type, parameters] of [
    [LOGIN, { publicKey: service.newKey().publicKey }],
    ['ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {}],
    [
      'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
      { targetPublicKey: service.newKey().publicKey, userId: ada.userId },
    ],
  ] as const) {
    const mismatch = await refused(service, service.root, type, parameters, { organizationId })
    assert.equal(mismatch.turnkeyErrorCode, 'ORGANIZATION_MISMATCH')
  }
})

test('a verification token logs its contact in once, and marks the contact as verified', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'Ada@example.com' }])
  assert.ok(ada)
  const key = service.newKey()
  const contact = 'ada@example.com'
  const { organizationId } = ada
  const token = aToken(service, { organizationId: service.organizationId, contact, publicKey: key.publicKey })
  const by = { token, key, organizationId }
  const byParent = { ...by, organizationId: service.organizationId }
  const early = await submitAttested(service, byParent, LOGIN, { publicKey: key.publicKey })
  assert.equal(early.status, 401, 'by a contact that nobody has proven, no sub-organization is found')

  const answer = await submitAttested(service, by, LOGIN, { publicKey: key.publicKey })

  assert.equal(answer.status, 200, answer.text)
  const claims = await sessionClaims(service, answer.json.activity.result.stampLoginResult.session)
  assert.deepEqual([claims.user_id, claims.public_key], [ada.userId, key.publicKey])
  assert.equal((await whoami(service, { ...ada, key })).userId, ada.userId)

  const again = await submitAttested(service, by, LOGIN, { publicKey: key.publicKey })
  assert.equal(again.status, 400)
  assert.match(again.json.message, /^invalid verification token: it has been used already/)

  // Now that the contact is verified, the sub-organization is found by it.
  const next = service.newKey()
  const second = aToken(service, {
    organizationId: service.organizationId,
    contact,
    publicKey: next.publicKey,
  })
  const found = await submitAttested(
    service,
    { token: second, key: next, organizationId: service.organizationId },
    LOGIN,
    { publicKey: next.publicKey },
  )
  assert.equal(found.status, 200, found.text)
  assert.equal(found.json.activity.organizationId, organizationId)
})

test('a token used many times at once logs in once', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'ada@example.com' }])
  assert.ok(ada)
  const key = service.newKey()
  const { organizationId } = ada
  const contact = 'ada@example.com'
  const token = aToken(service, { organizationId, contact, publicKey: key.publicKey })

  const answers = await Promise.all(
    [1, 2, 3, 4].map(async () =>
      submitAttested(service, { token, key, organizationId }, LOGIN, { publicKey: key.publicKey }),
    ),
  )

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
})

test('a token that is expired, foreign, bound to another key, or of nobody logs nobody in', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'ada@example.com' }])
  const [other] = await aSubOrganizationOf(service, [{ userName: 'Grace', userEmail: 'ada@example.com' }])
  assert.ok(ada && other)
  const key = service.newKey()
  const good = { organizationId: ada.organizationId, contact: 'ada@example.com', publicKey: key.publicKey }
  const { publicKey: _, ...unbound } = good
  const tokens = {
    expired: aToken(service, { ...good, expiresAt: service.world.now() }),
    foreign: aToken(service, { ...good, organizationId: other.organizationId }),
    unbound: aToken(service, unbound),
    ofAnotherKey: aToken(service, { ...good, publicKey: service.newKey().publicKey }),
    ofNobody: aToken(service, { ...good, contact: 'grace@example.com' }),
    ofAnotherType: aToken(service, { ...good, verificationType: 'OTP_TYPE_SMS' }),
    truncated: aToken(service, good).slice(0, -8),
  }
  for (const [what, token] of Object.entries(tokens)) {
    const by = { token, key, organizationId: ada.organizationId }
    const { status, text } = await submitAttested(service, by, LOGIN, { publicKey: key.publicKey })
    assert.ok([400, 401].includes(status), `${what}: ${text}`)
  }
  assert.equal((await whoami(service, { ...ada, key })).status, 401)
})

test('a token logs nobody in where codes of its kind are switched off, and is not used up by that', async () => {
  const service = await started()
  const users = [{ userName: 'Ada', userEmail: 'ada@example.com' }]
  const [ada] = await aSubOrganizationOf(service, users, { disableOtpEmailAuth: true })
  assert.ok(ada)
  const key = service.newKey()
  const { organizationId } = ada
  const token = aToken(service, { organizationId, contact: 'ada@example.com', publicKey: key.publicKey })
  const login = () =>
    submitAttested(service, { token, key, organizationId }, LOGIN, { publicKey: key.publicKey })

  const off = await login()
  assert.equal(off.status, 403)
  assert.match(off.json.message, /^feature FEATURE_NAME_OTP_EMAIL_AUTH is not enabled/)
  await service.done(ada, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    value: '',
  })
  const on = await login()
  assert.equal(on.status, 200, on.text)
})
