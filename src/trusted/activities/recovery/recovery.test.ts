import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../base/assert.ts'
import { sentMessages } from '../../../../test/support/messages.ts'
import type { Member, SubmitOptions, TestService } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'
import {
  aSubOrganizationOf,
  aTarget,
  keyInBundle,
  refused,
  started,
  userOf,
} from '../sessions/testing/logins.ts'

const INIT = 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY'
const RECOVER = 'ACTIVITY_TYPE_RECOVER_USER'
const ORIGIN = 'http://localhost'

async function aCustomer(service: TestService): Promise<readonly [Member, Member]> {
  const [ada, grace] = await aSubOrganizationOf(service, [
    { userName: 'Ada', userEmail: 'ada@example.com' },
    { userName: 'Grace' },
  ])
  await sentMessages(service)
  return [present(ada, 'the first user'), present(grace, 'the second user')]
}

/** Ada with the key that was mailed to her. */
async function recovering(
  service: TestService,
  ada: Member,
  by = ada,
  options?: SubmitOptions,
): Promise<Member> {
  const target = aTarget(service)
  const result = await service.done(
    by,
    `${INIT}_V2`,
    {
      email: 'ada@example.com',
      targetPublicKey: target.publicKey,
      emailCustomization: { appName: 'Shop' },
    },
    options,
  )
  assert.deepEqual(result, { userId: ada.userId })
  const [mail] = await sentMessages(service)
  assert.ok(mail?.channel === 'email' && mail.about === 'recovery')
  assert.equal(mail.to, 'ada@example.com')
  assert.equal(mail.expiresAt, service.world.now() + 900_000)
  return { ...ada, key: keyInBundle(mail.bundle ?? '', target) }
}

function aPasskey(service: TestService) {
  const device = createAuthenticator({ randomBytes: service.world.randomBytes })
  const challenge = Buffer.from('a challenge').toString('base64url')
  const attestation = device.register(challenge, ORIGIN)
  return { device, authenticator: { authenticatorName: 'Phone', challenge, attestation } }
}

test('a user who has lost everything registers a passkey with a mailed key, which is used up by that', async () => {
  const service = await started()
  const [ada] = await aCustomer(service)
  const recovery = await recovering(service, ada)
  const before = await userOf(service, ada)
  assert.equal(before.apiKeys[1].credential.type, 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256')
  const { device, authenticator } = aPasskey(service)
  const { userId, organizationId } = ada

  const { authenticatorId } = await service.done(recovery, RECOVER, { userId, authenticator })

  const user = await userOf(service, ada)
  assert.deepEqual(
    user.authenticators.map((authenticator: { authenticatorId: string }) => authenticator.authenticatorId),
    authenticatorId,
  )
  assert.deepEqual(user.apiKeys, before.apiKeys.slice(0, 1))
  const body = JSON.stringify({ organizationId })
  const { stampHeaderName, stampHeaderValue } = device.assert(body, ORIGIN)
  const me = await service.post('/public/v1/query/whoami', body, { [stampHeaderName]: stampHeaderValue })
  assert.equal(me.json.userId, userId)
  const { authenticator: another } = aPasskey(service)
  const again = await refused(service, recovery, RECOVER, { userId, authenticator: another })
  assert.equal(again.turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND')
})

test('a recovery key does nothing else, though its user may do anything: no query, no session, no vote', async () => {
  const service = await started()
  const [ada, grace] = await aCustomer(service)
  const recovery = await recovering(service, ada)
  const { authenticator } = aPasskey(service)
  const onlyRecovers = {
    status: 403,
    message: 'request not authorized: a recovery key may only recover its own user, with recover_user',
    turnkeyErrorCode: 'REQUEST_NOT_AUTHORIZED',
  }
  const { publicKey } = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  for (const [type, parameters] of [
    [RECOVER, { userId: grace.userId, authenticator }],
    ['ACTIVITY_TYPE_STAMP_LOGIN', { publicKey }],
    ['ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {}],
    ['ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', { targetPublicKey: publicKey }],
    ['ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: ada.userId, apiKeys }],
    ['ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', { userId: ada.userId, authenticators: [authenticator] }],
    ['ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Tag', userIds: [] }],
    ['ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: `sha256:${'0'.repeat(64)}` }],
  ] as const)
    assert.deepEqual(await refused(service, recovery, type, parameters), onlyRecovers, type)
  for (const operation of ['whoami', 'list_users', 'get_organization']) {
    const { status, json } = await service.query(recovery, operation)
    assert.deepEqual([status, json.message], [403, onlyRecovers.message])
  }
  await service.done(recovery, RECOVER, { userId: ada.userId, authenticator })
})

test('what someone else has asked for is not approved by sending its bytes with a recovery key', async () => {
  const service = await started()
  const [ada, grace] = await aCustomer(service)
  const recovery = await recovering(service, ada)
  const userIds = [ada.userId, grace.userId]
  await service.done(grace, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  service.world.advance(1)
  const tag = { userTagName: 'Tag', userIds: [] }
  const waiting = await service.submit(grace, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  assert.equal(waiting.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')

  const copied = await service.submit(recovery, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)

  assert.equal(copied.status, 403)
  const { json } = await service.query(ada, 'get_activity', { activityId: waiting.json.activity.id })
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
})

test('only the newest recovery of a user works, and only until it expires', async () => {
  const service = await started()
  const [ada] = await aCustomer(service)
  const first = await recovering(service, ada)
  const second = await recovering(service, ada)
  const { userId } = ada
  const { authenticator } = aPasskey(service)
  const early = await refused(service, first, RECOVER, { userId, authenticator })
  assert.equal(early.turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND')
  service.world.advance(900_000)
  const late = await refused(service, second, RECOVER, { userId, authenticator })
  assert.equal(late.turnkeyErrorCode, 'API_KEY_EXPIRED')
})

test('a mailed recovery key ends when the user gets another address, and by nothing else', async () => {
  const service = await started()
  const [ada] = await aCustomer(service)
  const { userId } = ada
  for (const [type, change] of [
    ['ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userEmail: 'ada@new.example' }],
    ['ACTIVITY_TYPE_UPDATE_USER', { userEmail: '' }],
  ] as const) {
    await service.done(ada, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'ada@example.com' })
    const recovery = await recovering(service, ada)
    await service.done(ada, type, { userId, ...change })
    const { authenticator } = aPasskey(service)
    const { turnkeyErrorCode } = await refused(service, recovery, RECOVER, { userId, authenticator })
    assert.equal(turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND', type)
  }
  await service.done(ada, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'ada@example.com' })
  const recovery = await recovering(service, ada)
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Tag', userIds: [userId] })
  await service.done(ada, 'ACTIVITY_TYPE_UPDATE_USER', { userId, userEmail: 'Ada@example.com' })
  // What is switched off is the sending.
  const feature = { name: 'FEATURE_NAME_EMAIL_RECOVERY' }
  await service.done(ada, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', feature)
  const { authenticator } = aPasskey(service)
  await service.done(recovery, RECOVER, { userId, authenticator })
})

test('the address of a user who has nothing but a mailed recovery key can still be changed', async () => {
  const service = await started()
  const [ada] = await aCustomer(service)
  const { publicKey } = service.newKey()
  const apiKey = { apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256', expirationSeconds: '60' }
  const joan = { userName: 'Joan', userEmail: 'joan@example.com', userTags: [] }
  const { userIds } = await service.done(ada, 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: [{ ...joan, apiKeys: [apiKey], authenticators: [], oauthProviders: [] }],
  })
  for (const name of ['FEATURE_NAME_EMAIL_AUTH', 'FEATURE_NAME_OTP_EMAIL_AUTH'])
    await service.done(ada, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', { name })
  service.world.advance(60_000)
  const email = joan.userEmail
  const emailCustomization = { appName: 'Shop' }
  const { publicKey: targetPublicKey } = aTarget(service)
  await service.done(ada, `${INIT}_V2`, { email, targetPublicKey, emailCustomization })
  const [userId] = userIds
  await service.done(ada, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'joan@new.example' })
  const { apiKeys } = await userOf(service, { ...ada, userId })
  assert.equal(apiKeys.length, 1)
})

test('recovery has to be on where the user is, and with a parent that starts it; for root users by either name', async () => {
  const service = await started()
  const users = [{ userName: 'Ada', userEmail: 'ada@example.com' }]
  const [ada] = await aSubOrganizationOf(service, users, { disableEmailRecovery: true })
  assert.ok(ada)
  const { organizationId } = ada
  await sentMessages(service)
  const parameters = { email: 'ada@example.com', targetPublicKey: aTarget(service).publicKey }
  const off = await refused(service, ada, INIT, parameters)
  assert.equal(off.status, 403)
  assert.match(off.message, /^feature FEATURE_NAME_EMAIL_RECOVERY is not enabled/)
  assert.deepEqual(await sentMessages(service), [])

  const roots = { name: 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY', value: '' }
  await service.done(ada, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', roots)
  await recovering(service, ada)
  const byParent = await refused(service, service.root, INIT, parameters, { organizationId })
  assert.match(byParent.message, new RegExp(`not enabled in organization ${service.organizationId}`))
  await service.done(service.root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    ...roots,
    name: 'FEATURE_NAME_EMAIL_RECOVERY',
  })
  await recovering(service, ada, service.root, { organizationId })

  // The older name is about root users alone.
  const userEmail = 'grace@example.com'
  const { publicKey } = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: [{ userName: 'Grace', userEmail, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }],
  })
  const notRoot = await refused(service, ada, INIT, { ...parameters, email: userEmail })
  assert.equal(notRoot.status, 403)
})

test('a user who is no root user recovers with the mailed key, and adds no passkey with any other in that way', async () => {
  const service = await started()
  const [ada] = await aCustomer(service)
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const { userIds } = await service.done(ada, 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: [
      {
        userName: 'Joan',
        userEmail: 'joan@example.com',
        apiKeys,
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  })
  const joan: Member = { ...ada, userId: userIds[0], key }
  const { userId } = joan
  const { authenticator } = aPasskey(service)
  // New credentials of users wait for Ada, or are denied: a recovery is no way around either.
  const consensus = `approvers.any(u, u.id == '${ada.userId}')`
  const policy = {
    policyName: 'Passkeys',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'CREDENTIAL'",
  }
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_POLICY_V3', { ...policy, consensus, notes: '' })
  // A recovery waits for nobody, as a login does: only a denial keeps the user from it.
  const recoveries = { policyName: 'Recoveries', condition: "activity.kind == 'RECOVER_USER'" }
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    ...policy,
    ...recoveries,
    consensus,
    notes: '',
  })
  service.world.advance(1)
  const asked = await service.submit(joan, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
    userId,
    authenticators: [authenticator],
  })
  assert.equal(asked.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')

  const { status } = await refused(service, joan, RECOVER, { userId, authenticator })

  assert.equal(status, 403)
  assert.deepEqual((await userOf(service, joan)).authenticators, [])
  const target = aTarget(service)
  await sentMessages(service)
  await service.done(ada, `${INIT}_V2`, {
    email: 'joan@example.com',
    targetPublicKey: target.publicKey,
    emailCustomization: { appName: 'Shop' },
  })
  const [mail] = await sentMessages(service)
  assert.ok(mail?.channel === 'email' && mail.about === 'recovery')
  const recovery = { ...joan, key: keyInBundle(mail.bundle ?? '', target) }
  const denial = { policyName: 'No recovery', effect: 'EFFECT_DENY', condition: recoveries.condition }
  const { policyId } = await service.done(ada, 'ACTIVITY_TYPE_CREATE_POLICY_V3', { ...denial, notes: '' })
  assert.equal((await refused(service, recovery, RECOVER, { userId, authenticator })).status, 403)
  await service.done(ada, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  await service.done(recovery, RECOVER, { userId, authenticator })
  assert.equal((await userOf(service, joan)).authenticators.length, 1)
})

test('a passkey from where the parent does not allow them is not registered by a recovery', async () => {
  const service = await started()
  const [ada] = await aCustomer(service)
  await service.done(service.root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
    value: 'https://app.example.com',
  })
  const recovery = await recovering(service, ada)
  const { authenticator } = aPasskey(service)
  const { status, message } = await refused(service, recovery, RECOVER, { userId: ada.userId, authenticator })
  assert.equal(status, 400)
  assert.match(message, /^invalid authenticator attestation/)
})
