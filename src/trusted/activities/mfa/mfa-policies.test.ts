import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anMfaSetting, API_KEY, byKey, COMPLETED, EMAIL_OTP, PASSKEY, SESSION } from './testing/setting.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_MFA_POLICY'
const UPDATE = 'ACTIVITY_TYPE_UPDATE_MFA_POLICY'
const DELETE = 'ACTIVITY_TYPE_DELETE_MFA_POLICY'
const NOWHERE = '0198c5a0-7d3c-7000-8000-00000000dead'
const DEFAULT_PROFILE = '00000000-0000-0000-0000-000000000000'

const written = {
  mfaPolicyName: 'Signing',
  condition: "activity.action == 'SIGN'",
  requiredAuthenticationMethods: [{ any: [API_KEY] }, { any: [PASSKEY, SESSION] }],
  order: 1,
}

test('policies are kept with their user, shown in their order, changed in part and deleted', async (t) => {
  const { service, root } = await anMfaSetting(t)
  const { userId } = await service.user('Ada')
  const first = await service.done(root, CREATE, { userId, ...written, notes: 'why' })
  const second = await service.done(root, CREATE, { userId, ...written, mfaPolicyName: 'Other', order: '0' })

  const listed = await service.query(root, 'get_mfa_policies', { userId })
  const [other, signing] = listed.json.mfaPolicies
  assert.equal(other.mfaPolicyId, second.mfaPolicyId)
  assert.equal(other.order, 0)
  assert.equal(other.notes, undefined)
  const { createdAt, updatedAt, ...rest } = signing
  assert.deepEqual(rest, { mfaPolicyId: first.mfaPolicyId, ...written, notes: 'why' })
  assert.deepEqual(createdAt, updatedAt)
  const { json } = await service.query(root, 'get_user', { userId })
  assert.deepEqual(json.user.mfaPolicies, listed.json.mfaPolicies)

  service.world.advance(5_000)
  await service.done(root, UPDATE, { userId, mfaPolicyId: first.mfaPolicyId, condition: 'true' })
  const shown = await service.query(root, 'get_mfa_policy', { userId, mfaPolicyId: first.mfaPolicyId })
  const changed = shown.json.mfaPolicy
  assert.deepEqual(changed, { ...signing, condition: 'true', updatedAt: changed.updatedAt })
  assert.notDeepEqual(changed.updatedAt, updatedAt)
  const everything = {
    mfaPolicyName: 'All new',
    condition: 'false',
    requiredAuthenticationMethods: [{ any: [API_KEY] }],
    order: 9,
    notes: '',
  }
  await service.done(root, UPDATE, { userId, mfaPolicyId: first.mfaPolicyId, ...everything })
  const again = await service.query(root, 'get_mfa_policy', { userId, mfaPolicyId: first.mfaPolicyId })
  const { createdAt: _, updatedAt: __, ...terms } = again.json.mfaPolicy
  assert.deepEqual(terms, { mfaPolicyId: first.mfaPolicyId, ...everything })

  assert.deepEqual(await service.done(root, DELETE, { userId, mfaPolicyId: first.mfaPolicyId }), {
    mfaPolicyId: first.mfaPolicyId,
  })
  const left = await service.query(root, 'get_mfa_policies', { userId })
  assert.deepEqual(left.json.mfaPolicies, [other])
  for (const [operation, more] of [
    ['get_mfa_policy', { userId }],
    ['get_mfa_policy', { userId: root.userId, mfaPolicyId: second.mfaPolicyId }],
  ] as const) {
    const gone = await service.query(root, operation, { mfaPolicyId: first.mfaPolicyId, ...more })
    assert.equal(gone.status, 404)
    assert.match(gone.json.message, /^unable to find MFA policy .* of user /)
  }
  const nobody = await service.query(root, 'get_mfa_policies', { userId: NOWHERE })
  assert.equal(nobody.status, 404)
})

test('a waiting update does not change a policy that was changed after its request', async (t) => {
  const { service, root } = await anMfaSetting(t)
  const { userId } = await service.user('Ada')
  const second = await service.user('Second root')
  const { mfaPolicyId } = await service.done(root, CREATE, { userId, ...written })
  const quorum = { threshold: 2, userIds: [root.userId, second.userId] }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum)
  const proposed = async (change: object): Promise<{ id: string; fingerprint: string }> => {
    service.world.advance(1)
    return (await service.submit(root, UPDATE, { userId, mfaPolicyId, ...change })).json.activity
  }
  const approved = async ({ id: activityId, fingerprint }: { id: string; fingerprint: string }) => {
    await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    return (await service.query(root, 'get_activity', { activityId })).json.activity
  }
  const more = await proposed({ condition: "activity.action in ['SIGN', 'EXPORT']" })
  const laxer = await proposed({ requiredAuthenticationMethods: [{ any: [API_KEY] }] })
  assert.equal((await approved(more)).status, COMPLETED)
  const { failure } = await approved(laxer)
  assert.equal(
    failure?.message,
    'MFA policy "Signing" changed after this request: read it, and send the request again',
  )
  const shown = await service.query(root, 'get_mfa_policy', { userId, mfaPolicyId })
  const { requiredAuthenticationMethods } = shown.json.mfaPolicy
  assert.deepEqual(requiredAuthenticationMethods, written.requiredAuthenticationMethods)
  const again = await proposed({ requiredAuthenticationMethods: [{ any: [API_KEY] }] })
  assert.equal((await approved(again)).status, COMPLETED)
})

test('a policy that cannot be meant is refused, when it is written and when it is changed', async (t) => {
  const { service, root, apiKeyIdOf, passkeyOf, send } = await anMfaSetting(t)
  const ada = await service.user('Ada')
  const { userId } = ada
  const foreignKeyId = await apiKeyIdOf(root.userId)
  const { id: foreignPasskeyId } = await passkeyOf(root.userId)
  const { publicKey } = service.newKey()
  await send(byKey(ada.key), 'STAMP_LOGIN', { publicKey })
  const { apiKeys } = (await service.query(root, 'get_api_keys', { userId })).json
  const sessionKeyId = apiKeys.at(-1).apiKeyId
  assert.notEqual(sessionKeyId, await apiKeyIdOf(userId))
  const { mfaPolicyId } = await service.done(root, CREATE, { userId, ...written, order: 5 })
  await service.done(root, CREATE, { userId, ...written, order: 6 })
  const steps = (...any: readonly object[]) => ({ requiredAuthenticationMethods: [{ any }] })
  const cases: readonly (readonly [object, number, RegExp])[] = [
    [
      { condition: 'activity.type == "x"' },
      400,
      /^invalid MFA policy condition: Expression cannot be evaluated: /,
    ],
    [{ condition: '' }, 400, /^invalid MFA policy condition: /],
    [{ condition: 'approvers.count() > 1' }, 400, /^invalid MFA policy condition: /],
    [{ condition: `'${'x'.repeat(4096)}' == ''` }, 400, /`condition`/],
    [{ order: 6 }, 400, /^MFA policy order must be unique: 6 is that of "Signing" already$/],
    [{ order: -1 }, 400, /`order` must not be negative/],
    [{ order: 1.5 }, 400, /`order` must be a whole number/],
    [{ order: 'x' }, 400, /`order` must be a whole number/],
    [steps(), 400, /`requiredAuthenticationMethods\[0\]\.any` must have at least 1/],
    [
      steps({ type: 'AUTHENTICATION_TYPE_MAGIC' }),
      400,
      /`requiredAuthenticationMethods\[0\]\.any\[0\]\.type`/,
    ],
    [steps({ ...API_KEY, id: 'x' }), 400, /must be a UUID/],
    [steps({ ...API_KEY, id: '' }), 400, /must be a UUID/],
    [
      steps({ ...API_KEY, id: NOWHERE }),
      404,
      /^unable to find authentication method AUTHENTICATION_TYPE_API_KEY /,
    ],
    [steps({ ...API_KEY, id: foreignKeyId }), 404, /^unable to find authentication method/],
    [steps({ ...API_KEY, id: sessionKeyId }), 404, /^unable to find authentication method/],
    [steps({ ...PASSKEY, id: foreignPasskeyId }), 404, /^unable to find authentication method/],
    [steps(PASSKEY, { ...PASSKEY, id: NOWHERE }), 404, /^unable to find authentication method/],
    [steps({ ...SESSION, id: NOWHERE }), 404, /^unable to find authentication method/],
    [steps({ type: 'AUTHENTICATION_TYPE_OAUTH', id: NOWHERE }), 404, /^unable to find authentication method/],
    [steps(EMAIL_OTP), 400, /AUTHENTICATION_TYPE_EMAIL_OTP needs an email address/],
    [steps({ type: 'AUTHENTICATION_TYPE_SMS_OTP' }), 400, /AUTHENTICATION_TYPE_SMS_OTP needs a phone number/],
    [steps({ ...EMAIL_OTP, id: DEFAULT_PROFILE }), 400, /takes no id/],
    [{ userId: NOWHERE }, 404, /^unable to find user /],
  ]
  const before = await service.query(root, 'get_mfa_policies', { userId })
  for (const [terms, status, message] of cases) {
    for (const [type, parameters] of [
      [CREATE, { userId, ...written, order: 7, ...terms }],
      [UPDATE, { userId, mfaPolicyId, ...terms }],
    ] as const) {
      service.world.advance(1)
      const refused = await service.submit(root, type, parameters)
      assert.match(refused.json.message, message)
      assert.equal(refused.status, status, JSON.stringify(parameters))
    }
  }
  const none = { requiredAuthenticationMethods: [] }
  const { json } = await service.submit(root, CREATE, { userId, ...written, order: 7, ...none })
  assert.match(json.message, /`requiredAuthenticationMethods` must have at least 1/)
  assert.deepEqual((await service.query(root, 'get_mfa_policies', { userId })).json, before.json)
  // A change that leaves them as they are comes so from clients that cannot leave the field out.
  await service.done(root, UPDATE, { userId, mfaPolicyId, mfaPolicyName: 'Renamed', ...none })
  const [policy] = (await service.query(root, 'get_mfa_policies', { userId })).json.mfaPolicies
  const [unchanged] = before.json.mfaPolicies
  assert.deepEqual(policy, { ...unchanged, mfaPolicyName: 'Renamed', updatedAt: policy.updatedAt })
})

test('a credential of the user, a contact of theirs and the session without a profile may be named', async (t) => {
  const { service, root, apiKeyIdOf, passkeyOf, policy } = await anMfaSetting(t)
  const { userId } = await service.user('Ada')
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'ada@example.com' })
  const { id } = await passkeyOf(userId)
  const any = [
    { ...API_KEY, id: await apiKeyIdOf(userId) },
    { ...PASSKEY, id },
    { ...SESSION, id: DEFAULT_PROFILE },
    EMAIL_OTP,
  ]
  const mfaPolicyId = await policy(userId, [any])
  const { json } = await service.query(root, 'get_mfa_policy', { userId, mfaPolicyId })
  assert.deepEqual(json.mfaPolicy.requiredAuthenticationMethods, [{ any }])
})

test('a user has at most ten policies', async (t) => {
  const { service, root, policy } = await anMfaSetting(t)
  for (let order = 0; order < 10; order++) await policy(root.userId, [[API_KEY]], { order })
  const refused = await service.submit(root, CREATE, { userId: root.userId, ...written, order: 10 })
  assert.equal(refused.json.code, 8)
  assert.match(refused.json.message, /^user has exceeded maximum MFA policies/)
})

test('nobody writes, changes or deletes their own policies unless root or a policy of the organization lets them', async (t) => {
  const { service, root, send, policy } = await anMfaSetting(t)
  const ada = await service.user('Ada')
  const { userId } = ada
  const mfaPolicyId = await policy(userId, [[PASSKEY]])
  const attempts = [
    ['CREATE_MFA_POLICY', { userId, ...written, order: 0 }],
    ['UPDATE_MFA_POLICY', { userId, mfaPolicyId, condition: 'false' }],
    ['DELETE_MFA_POLICY', { userId, mfaPolicyId }],
  ] as const
  for (const [type, parameters] of attempts) {
    assert.equal((await send(byKey(ada.key), type, parameters)).json.code, 7, type)
  }
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'MFA officers',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'MFA_POLICY' && activity.action in ['CREATE', 'UPDATE', 'DELETE']",
    consensus: `approvers.any(user, user.id == '${userId}')`,
    notes: '',
  })
  for (const [type, parameters] of attempts) {
    assert.equal((await send(byKey(ada.key), type, parameters)).json.activity.status, COMPLETED, type)
  }
})
