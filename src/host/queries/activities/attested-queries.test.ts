import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { anOtpSetting, aSubOrganization } from '../../../../test/support/otp-setting.ts'
import { aServiceWithIssuer } from '../../../../test/support/service-with-issuer.ts'
import type { Member, Response, TestService } from '../../../../test/support/service.ts'
import {
  API_KEY,
  byIdentity,
  byKey,
  byToken,
  COMPLETED,
  EMAIL_OTP,
  mfaSetting,
  NEEDED,
  OAUTH,
  overOtherBytes,
  statusOf,
} from '../../../trusted/activities/mfa/testing/setting.ts'
import { aCustomer, aSessionKey, CREATE_PROVIDERS } from '../../../trusted/activities/oauth/testing/oauth.ts'
import { STREAM_PATH } from '../../http/changes/stream-routes.ts'
import { LongQueries } from '../../pipeline/long-queries.ts'
import { queries } from '../list.ts'

type Stamper = ReturnType<typeof byKey>

const ATTESTABLE = ['get_activity', 'get_mfa_status']

/** Asks about an activity with any stamp, of any organization. */
function asking(service: TestService) {
  return async (stamper: Stamper, path: string, request: object): Promise<Response> => {
    const body = JSON.stringify(request)
    const { stampHeaderName, stampHeaderValue } = stamper(body)
    return await service.post(path, body, { [stampHeaderName]: stampHeaderValue })
  }
}

const pathOf = (operation: string) => `/public/v1/query/${operation}`

/** From now on each login of the user needs the key too. */
async function loginsNeedTheKey(service: TestService, user: Member, first: object): Promise<void> {
  await service.done(user, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId: user.userId,
    mfaPolicyName: 'The key too',
    condition: "activity.kind == 'STAMP_LOGIN'",
    requiredAuthenticationMethods: [{ any: [first] }, { any: [API_KEY] }],
    order: 0,
  })
}

/** Ada of a sub-organization, whose logins by a code need her key too. */
async function setting(t: TestContext) {
  const otp = await anOtpSetting(t)
  const { ada, service, subId } = otp
  await loginsNeedTheKey(service, ada, EMAIL_OTP)
  const mfa = mfaSetting(service)
  return {
    ...mfa,
    ...otp,
    ask: asking(service),
    /** A login of Ada by a code, which waits for her key, and the stamp of that code. */
    waitingLogin: async () => {
      const key = service.newKey()
      const token = await otp.token({ key })
      const stamper = byToken(token, key)
      const login = await mfa.send(stamper, 'STAMP_LOGIN', { publicKey: key.publicKey }, subId)
      assert.equal(statusOf(login), NEEDED)
      const { id: activityId, fingerprint } = login.json.activity
      return { key, token, stamper, activityId, fingerprint }
    },
  }
}

test('a code reads what its login waits for, and what became of it by the id of either organization', async (t) => {
  const { root, ada, ask, approve, waitingLogin } = await setting(t)
  const { organizationId } = ada
  const { stamper, activityId, fingerprint } = await waitingLogin()
  const waits = await ask(stamper, pathOf('get_mfa_status'), { organizationId, activityId })
  assert.equal(waits.status, 200, waits.text)
  const [status] = waits.json.mfaStatuses
  assert.deepEqual([status.userId, status.satisfied], [ada.userId, false])

  assert.equal(statusOf(await approve(byKey(ada.key), fingerprint, organizationId)), COMPLETED)
  for (const addressed of [organizationId, root.organizationId]) {
    const request = { organizationId: addressed, activityId }
    const read = await ask(stamper, pathOf('get_activity'), request)
    assert.equal(statusOf(read), COMPLETED, read.text)
    assert.equal(typeof read.json.activity.result.stampLoginResult.session, 'string')
  }
})

test('a token reads no activity that its own key has not stamped, not even of its user', async (t) => {
  const { ada, ask, send, waitingLogin } = await setting(t)
  const { organizationId } = ada
  const own = await waitingLogin()
  const other = await waitingLogin()
  const tag = { userTagName: 'By the key', userIds: [] }
  const byAda = (await send(byKey(ada.key), 'CREATE_USER_TAG', tag, organizationId)).json.activity.id
  for (const operation of ATTESTABLE) {
    for (const activityId of [other.activityId, byAda]) {
      const refused = await ask(own.stamper, pathOf(operation), { organizationId, activityId })
      assert.equal(refused.status, 404, refused.text)
      assert.match(refused.json.message, /^unable to find activity/)
      assert.equal((await ask(byKey(ada.key), pathOf(operation), { organizationId, activityId })).status, 200)
    }
  }
})

test('a token reads nothing that its own key has stamped for another user', async (t) => {
  const { service, ada, ask, send, token } = await setting(t)
  const { organizationId } = ada
  const contact = 'bob@example.com'
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_USERS_V3', {
    users: [
      {
        userName: 'Bob',
        userEmail: contact,
        apiKeys: [],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  })
  // One browser, in which two people log in.
  const key = service.newKey()
  const [byAda, byBob] = [
    byToken(await token({ key }), key),
    byToken(await token({ key, init: { contact } }), key),
  ]
  const login = await send(byBob, 'STAMP_LOGIN', { publicKey: service.newKey().publicKey }, organizationId)
  assert.equal(statusOf(login), COMPLETED)
  const activityId = login.json.activity.id
  for (const operation of ATTESTABLE) {
    const asked = { organizationId, activityId }
    assert.equal((await ask(byBob, pathOf(operation), asked)).status, 200)
    assert.equal((await ask(byAda, pathOf(operation), asked)).status, 404)
  }
})

test('no other query takes a token, and no stream of changes does', async (t) => {
  const { root, ada, ask, waitingLogin } = await setting(t)
  const { stamper } = await waitingLogin()
  assert.deepEqual(
    queries.filter(({ attestable }) => attestable === true).map(({ operation }) => operation),
    ATTESTABLE,
  )
  const others = queries.filter(({ operation }) => !ATTESTABLE.includes(operation))
  for (const { organizationId } of [ada, root]) {
    for (const [path, request] of [
      ...others.map(({ operation, example }) => [pathOf(operation), example] as const),
      [STREAM_PATH, {}] as const,
    ]) {
      const refused = await ask(stamper, path, { organizationId, ...request })
      assert.equal(refused.status, 401, `${path}: ${refused.text}`)
      assert.match(refused.json.message, /X-Stamp-Attested does not authenticate a query$/, path)
    }
  }
})

test('a token asks with its own key, over its own bytes, as long as it is good, and only where its user is', async (t) => {
  const { service, root, ada, subId, ask, token, waitingLogin } = await setting(t)
  const bob = await aSubOrganization(service, { userName: 'Bob', userEmail: 'bob@example.com' })
  const own = await waitingLogin()
  const asked = async (stamper: Stamper, organizationId = subId) =>
    await ask(stamper, pathOf('get_activity'), { organizationId, activityId: own.activityId })
  const unbound = byToken(await token(), own.key)
  const strangers = byToken(await token({ key: own.key, init: { contact: 'eve@example.com' } }), own.key)
  for (const [stamper, organizationId] of [
    [byToken(own.token, service.newKey()), subId],
    [overOtherBytes(own.stamper), subId],
    [unbound, subId],
    [strangers, subId],
    [strangers, root.organizationId],
    [own.stamper, bob.organizationId],
  ] as const) {
    const refused = await asked(stamper, organizationId)
    assert.equal(refused.status, 401, refused.text)
  }
  assert.equal((await asked(own.stamper)).status, 200)

  const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' }
  await service.done(ada, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', feature)
  assert.equal((await asked(own.stamper)).status, 403)
  await service.done(ada, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature)
  service.world.advance(60 * 60 * 1000)
  assert.match((await asked(own.stamper)).json.message, /^invalid verification token/)
})

test('without a parent, a code reads nothing, not even the activity that it has approved', async (t) => {
  const { service, root, ask, propose, approve, policy, token } = await setting(t)
  const { userId, organizationId } = root
  const userEmail = 'root@example.com'
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail })
  await policy(userId, [[API_KEY], [EMAIL_OTP]])
  const { id: activityId, fingerprint } = await propose(byKey(root.key))
  const key = service.newKey()
  const stamper = byToken(await token({ key, init: { contact: userEmail } }), key)
  assert.equal(statusOf(await approve(stamper, fingerprint)), COMPLETED)
  for (const operation of ATTESTABLE) {
    const refused = await ask(stamper, pathOf(operation), { organizationId, activityId })
    assert.deepEqual([refused.status, refused.json.turnkeyErrorCode], [401, 'CREDENTIAL_NOT_FOUND'])
  }
})

/** Ada, who logs in with an account at a real issuer and her key: in a sub-organization, or without a parent. */
async function issuerSetting(t: TestContext, place: 'sub' | 'top') {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const { key, publicKey, nonce } = aSessionKey(service)
  const oidcToken = await issuer.token({ subject: 'ada', nonce })
  const oauthProviders = [{ providerName: 'Mine', oidcToken }]
  const { userId } = service.root
  if (place === 'top') await service.done(service.root, CREATE_PROVIDERS, { userId, oauthProviders })
  const ada = place === 'top' ? service.root : await aCustomer(service, { oauthProviders })
  await loginsNeedTheKey(service, ada, OAUTH)
  const { send, approve } = mfaSetting(service)
  const stamper = byIdentity(oidcToken, key)
  const { organizationId } = ada
  const login = await send(stamper, 'STAMP_LOGIN', { publicKey }, organizationId)
  assert.equal(statusOf(login), NEEDED, login.text)
  const { id: activityId, fingerprint } = login.json.activity
  const ask = asking(service)
  return {
    ...{ service, issuer, questions, key, nonce, oidcToken, ada, organizationId, stamper, activityId },
    approve: async () => await approve(byKey(ada.key), fingerprint, organizationId),
    asked: async (by: Stamper, operation = 'get_activity', at = organizationId) =>
      await ask(by, pathOf(operation), { organizationId: at, activityId }),
  }
}

test('an account elsewhere reads what became of its login, and each query asks for the keys of the issuer once', async (t) => {
  for (const place of ['sub', 'top'] as const) {
    const { service, questions, stamper, organizationId, approve, asked } = await issuerSetting(t, place)
    const before = questions.length
    const waits = await asked(stamper, 'get_mfa_status')
    assert.equal(waits.json.mfaStatuses?.[0].satisfied, false, waits.text)
    assert.equal(questions.length, before + 1)
    assert.equal(statusOf(await approve()), COMPLETED)
    for (const id of [organizationId, service.organizationId])
      assert.equal(statusOf(await asked(stamper, 'get_activity', id)), COMPLETED)
    assert.equal(questions.length, before + 3)
  }
})

test('a query that has waited for its turn asks the issuer no second time', async (t) => {
  const { questions, stamper, asked } = await issuerSetting(t, 'sub')
  const { run } = LongQueries.prototype
  let waited = 0
  t.mock.method(
    LongQueries.prototype,
    'run',
    async function (this: LongQueries, ...of: Parameters<typeof run>) {
      await new Promise((resolve) => setImmediate(resolve))
      waited += 1
      return await run.apply(this, of)
    },
  )
  const before = questions.length
  assert.equal(statusOf(await asked(stamper)), NEEDED)
  assert.deepEqual([waited, questions.length - before], [1, 1])
})

test('a query that a false token stamps is refused as a login is, and no issuer is asked about a stranger', async (t) => {
  const { service, issuer, questions, key, nonce, oidcToken, organizationId, asked } = await issuerSetting(
    t,
    'sub',
  )
  const exp = Math.floor(service.world.now() / 1000) + 600
  const claims = { iss: issuer.issuer, aud: 'web', sub: 'ada', nonce, exp }
  const [header, , signature] = oidcToken.split('.')
  const changed = Buffer.from(JSON.stringify({ ...claims, exp: exp + 1 })).toString('base64url')
  for (const [token, status, code] of [
    [await issuer.sign({ ...claims, nonce: 'other' }), 401, undefined],
    [await issuer.sign({ ...claims, exp: 1 }), 400, 'INVALID_OIDC_TOKEN'],
    [`${header}.${changed}.${signature}`, 400, 'INVALID_OIDC_TOKEN'],
  ] as const) {
    const refused = await asked(byIdentity(token, key))
    assert.equal(refused.status, status, refused.text)
    if (code !== undefined) assert.equal(refused.json.turnkeyErrorCode, code)
  }
  for (const [stranger, most] of [
    [byIdentity(await issuer.sign({ ...claims, sub: 'bob' }), key), 0],
    [overOtherBytes(byIdentity(oidcToken, key)), 0],
    [byIdentity(oidcToken, service.newKey()), 1],
  ] as const) {
    for (const id of [organizationId, service.organizationId]) {
      const before = questions.length
      const refused = await asked(stranger, 'get_activity', id)
      assert.equal(refused.status, 401, refused.text)
      assert.equal(questions.length - before, most)
    }
  }

  // Its keys are forgotten by then.
  await issuer.close()
  service.world.advance(3 * 60 * 60 * 1000)
  const gone = await asked(byIdentity(oidcToken, key))
  assert.equal(gone.status, 400, gone.text)
  assert.match(gone.json.message, /^invalid OIDC token: the keys of .* could not be had: /)
})
