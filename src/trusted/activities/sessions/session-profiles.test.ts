import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Member, TestService } from '../../../../test/support/service.ts'
import {
  aSubOrganizationOf,
  aTarget,
  loggedIn,
  refused,
  sessionClaims,
  started,
  userOf,
} from './testing/logins.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE'
const LOGIN = 'ACTIVITY_TYPE_STAMP_LOGIN'
const NOBODY = '0198c5a0-7d3c-7000-8000-0000000000ff'

async function aProfile(service: TestService, scope: string, more: object = {}): Promise<string> {
  const profile = { sessionProfileName: `Profile ${scope}`, scope, ...more }
  return (await service.done(service.root, CREATE, profile)).sessionProfileId
}

async function aKey(service: TestService, by: Member): Promise<string> {
  const { privateKeys } = await service.done(by, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: 'Treasury',
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  return privateKeys[0].privateKeyId
}

function signing(signWith: string, payload = 'hello') {
  return {
    signWith,
    payload,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  }
}

test('a session may do what the scope of its profile is true of and nothing else, even for a root user', async () => {
  const service = await started()
  const privateKeyId = await aKey(service, service.root)
  const sessionProfileId = await aProfile(service, "activity.action == 'SIGN'")
  const session = await loggedIn(service, service.root, { sessionProfileId })

  await service.done(session, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', signing(privateKeyId))
  const targetPublicKey = aTarget(service).publicKey
  for (const [type, parameters] of [
    ['ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', { privateKeyId, targetPublicKey }],
    ['ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Tag', userIds: [] }],
    [LOGIN, { publicKey: session.key.publicKey }],
    ['ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {}],
  ] as const) {
    service.world.advance(1)
    const { status, json, text } = await service.submit(session, type, parameters)
    assert.equal(status, 403, text)
    assert.equal(json.code, 7)
    assert.equal(json.details[0].message, 'No policies evaluated to outcome: Allow')
  }
  // The same user is not limited by their other credentials.
  await service.done(service.root, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', { privateKeyId, targetPublicKey })
  assert.equal((await service.query(session, 'list_users')).status, 200, 'queries are not limited')
})

test('the scope of the page leaves a session of a root user no way to outlive itself', async () => {
  const service = await started()
  const { root } = service
  const privateKeyId = await aKey(service, root)
  const { userId } = await service.user('Ada')
  const page = new URL('../../../../docs/decisions/sessions.md', import.meta.url)
  const [, scope = assert.fail('the page shows a scope')] =
    /`(!\(activity\.action in [^`]+)`/.exec(readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')) ?? []
  const sessionProfileId = await aProfile(service, scope, { sessionProfileName: 'Of the page' })
  const session = await loggedIn(service, root, { sessionProfileId })
  await service.done(session, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', signing(privateKeyId))
  const { publicKey } = service.newKey()
  const targetPublicKey = aTarget(service).publicKey
  const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  for (const [type, parameters] of [
    [LOGIN, { publicKey }],
    ['ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {}],
    ['ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', { targetPublicKey }],
    ['ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: root.userId, apiKeys }],
    ['ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', { privateKeyId, targetPublicKey }],
    ['ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [userId] }],
    ['ACTIVITY_TYPE_UPDATE_USER_NAME', { userId, userName: 'Eve' }],
    ['ACTIVITY_TYPE_CREATE_POLICY_V3', { policyName: 'All', effect: 'EFFECT_ALLOW', notes: '' }],
    ['ACTIVITY_TYPE_DELETE_MFA_POLICY', { userId: root.userId, mfaPolicyId: userId }],
  ] as const)
    assert.equal((await refused(service, session, type, parameters)).status, 403, type)
  // An agent proposes a key for itself, which waits for the root user.
  const agent = await service.user('Agent')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Keys of agents',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_API_KEYS'",
    consensus: `approvers.any(u, u.id == '${root.userId}')`,
    notes: '',
  })
  const { json } = await service.submit(agent, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
    userId: agent.userId,
    apiKeys,
  })
  const { fingerprint } = json.activity
  const vote = await refused(service, session, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(vote.status, 403)
})

test('a scope that is true lends no rights that the user does not have', async () => {
  const service = await started()
  const privateKeyId = await aKey(service, service.root)
  const sessionProfileId = await aProfile(service, "activity.action == 'SIGN'")
  const ada = await service.user('Ada')
  const session = await loggedIn(service, ada, { sessionProfileId })
  const { status } = await refused(
    service,
    session,
    'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    signing(privateKeyId),
  )
  assert.equal(status, 403)
})

test('a vote is a request too: a limited session does not approve what it is not for', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const sessionProfileId = await aProfile(service, "activity.action == 'SIGN'")
  const session = await loggedIn(service, ada, { sessionProfileId })
  const userIds = [service.root.userId, ada.userId]
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  service.world.advance(1)
  const tag = { userTagName: 'Tag', userIds: [] }
  const waiting = await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  const { fingerprint } = waiting.json.activity

  // The same bytes from another user are a vote too.
  const copy = await service.submit(session, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  const { status } = await refused(service, session, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })

  assert.deepEqual([copy.status, status], [403, 403], copy.text)
  service.world.advance(1)
  await service.submit(ada, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  const after = await service.query(service.root, 'get_activity', { activityId: waiting.json.activity.id })
  assert.equal(after.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test('a scope that cannot be evaluated for a request refuses it', async () => {
  const service = await started()
  const sessionProfileId = await aProfile(service, "activity.params.encoding[0..40] == 'x'")
  const session = await loggedIn(service, service.root, { sessionProfileId })
  const { status, message } = await refused(service, session, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Tag',
    userIds: [],
  })
  assert.equal(status, 500)
  assert.match(message, /the scope of the session profile could not be evaluated for it$/)
})

test('the token of a limited session tells its profile, in letters that every client reads', async () => {
  const service = await started()
  const scope = "activity.params.encoding == '~~~???>>>ÿÿÿ' || activity.action == 'SIGN'"
  const profile = { sessionProfileName: 'Käse ~?> Läden', expirationSeconds: '120' }
  const sessionProfileId = await aProfile(service, scope, profile)
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  assert.ok(ada)
  const { publicKey } = service.newKey()

  for (const [asked, given] of [
    [undefined, 120],
    ['60', 60],
    ['900', 120],
  ] as const) {
    const expirationSeconds = asked === undefined ? {} : { expirationSeconds: asked }
    const { session } = await service.done(ada, LOGIN, { publicKey, sessionProfileId, ...expirationSeconds })
    assert.deepEqual(await sessionClaims(service, session), {
      exp: Math.floor(service.world.now() / 1000) + given,
      public_key: publicKey,
      session_type: profile.sessionProfileName,
      user_id: ada.userId,
      organization_id: ada.organizationId,
      session_profile_id: sessionProfileId,
      scope,
    })
  }
  const { apiKeys } = await userOf(service, ada)
  const type = 'CREDENTIAL_TYPE_LOGIN'
  assert.deepEqual(apiKeys[1].credential, { publicKey, type, sessionProfileId })
})

test('sub-organizations log in under the profiles of their parent, and have none of their own', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  assert.ok(ada)
  const profile = { sessionProfileName: 'Mine', scope: 'true' }
  const own = await refused(service, ada, CREATE, profile)
  assert.equal(own.status, 400)
  assert.equal(own.turnkeyErrorCode, 'INVALID_ACTIVITY_CALLER')

  const unknown = await refused(service, ada, LOGIN, {
    publicKey: service.newKey().publicKey,
    sessionProfileId: NOBODY,
  })
  assert.deepEqual(unknown, { status: 404, message: `could not find session profile ${NOBODY}` })
  const malformed = { publicKey: service.newKey().publicKey, sessionProfileId: 'x' }
  assert.match(
    (await refused(service, ada, LOGIN, malformed)).message,
    /field `sessionProfileId` must be a UUID/,
  )
  // Empty text is no profile.
  await loggedIn(service, ada, { sessionProfileId: '' })
})

test('profiles are read back, by their organization and by its sub-organizations', async () => {
  const service = await started()
  const scope = "activity.action == 'SIGN'"
  const first = await aProfile(service, scope, { expirationSeconds: '60', notes: 'For the shop' })
  const second = await aProfile(service, 'true', { notes: '' })
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  assert.ok(ada)

  for (const reader of [service.root, ada]) {
    const all = await service.query(reader, 'get_session_profiles')
    assert.equal(all.status, 200, all.text)
    const [one, two] = all.json.sessionProfiles
    const { createdAt, updatedAt, ...rest } = one
    assert.deepEqual(rest, {
      sessionProfileId: first,
      sessionProfileName: `Profile ${scope}`,
      scope,
      expirationSeconds: '60',
      notes: 'For the shop',
    })
    assert.deepEqual(createdAt, updatedAt)
    assert.deepEqual([two.sessionProfileId, two.notes], [second, undefined])
    const single = await service.query(reader, 'get_session_profile', { sessionProfileId: first })
    assert.deepEqual(single.json, { sessionProfile: one })
    const none = await service.query(reader, 'get_session_profile', { sessionProfileId: NOBODY })
    assert.equal(none.status, 404)
    assert.equal(none.json.message, `could not find session profile ${NOBODY}`)
  }
})

test('a profile has a name of its own and a scope that can be read', async () => {
  const service = await started()
  const good = { sessionProfileName: 'Signs', scope: "activity.action == 'SIGN'" }
  await service.done(service.root, CREATE, good)
  for (const [changed, message] of [
    [{}, /^session profile label must be unique/],
    [{ sessionProfileName: 'SESSION_TYPE_READ_WRITE' }, /must not begin with SESSION_TYPE_/],
    [
      { sessionProfileName: 'B', scope: '' },
      /^invalid session profile scope: Expression cannot be evaluated/,
    ],
    [{ sessionProfileName: 'B', scope: 'activity.surprise' }, /^invalid session profile scope: .*surprise/],
    [{ sessionProfileName: 'B', scope: "'text'" }, /^invalid session profile scope/],
    [{ sessionProfileName: 'B', scope: 'approvers.count() > 1' }, /^invalid session profile scope/],
    [{ sessionProfileName: 'B', scope: 'true || '.repeat(300) }, /field `scope` must have at most 2048/],
    [{ sessionProfileName: 'B', expirationSeconds: '0' }, /^invalid api key expiration/],
  ] as const) {
    const { status, message: said } = await refused(service, service.root, CREATE, { ...good, ...changed })
    assert.equal(status, 400)
    assert.match(said, message)
  }
  for (let index = 1; index < 100; index++)
    await service.done(service.root, CREATE, { ...good, sessionProfileName: `Signs ${index}` })
  const full = await refused(service, service.root, CREATE, { ...good, sessionProfileName: 'Too many' })
  assert.equal(full.status, 429)
  assert.match(full.message, /maximum session profiles/)
})
