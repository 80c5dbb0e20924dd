import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { serializeTransaction } from 'viem'
import type { StampKey } from '../../../../test/support/stamper.ts'
import { anOtpSetting, EMAIL, PHONE } from '../../../../test/support/otp-setting.ts'
import {
  API_KEY,
  byKey,
  byToken,
  COMPLETED,
  CONSENSUS,
  EMAIL_OTP,
  mfaSetting,
  NEEDED,
  overOtherBytes,
  PASSKEY,
  SMS_OTP,
  statusOf,
} from './testing/setting.ts'

/** The root user has an address, at which codes may be received. */
async function setting(t: TestContext) {
  const otp = await anOtpSetting(t)
  const { root, service } = otp
  const { userId } = root
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: EMAIL })
  return {
    ...mfaSetting(service),
    otp,
    /** A key, and the stamp of a user who has both the key and the mail. */
    mailed: async () => {
      const key: StampKey = service.newKey()
      return byToken(await otp.token({ key }), key)
    },
  }
}

test('a code received by mail is a step of its own, shown by a stamp with its token', async (t) => {
  const { root, propose, approve, policy, statuses, mailed, apiKeyIdOf, tags } = await setting(t)
  const { userId } = root
  await policy(userId, [[API_KEY], [EMAIL_OTP]])
  const { status, fingerprint, id } = await propose(byKey(root.key), 'Mailed')
  assert.equal(status, NEEDED)
  const approved = await approve(await mailed(), fingerprint)
  assert.equal(statusOf(approved), COMPLETED)
  const [, vote] = approved.json.activity.votes
  assert.equal(vote.userId, userId)
  assert.equal(vote.scheme, 'SIGNATURE_SCHEME_TK_ATTESTED_P256')
  assert.deepEqual(await tags(), ['Mailed'])
  const [found] = await statuses(id)
  assert.deepEqual(found.satisfiedMethods, [{ ...API_KEY, id: await apiKeyIdOf(userId) }, EMAIL_OTP])
  assert.equal(found.satisfied, true)
})

test('two codes are one proof', async (t) => {
  const { root, propose, approve, policy, mailed } = await setting(t)
  await policy(root.userId, [[EMAIL_OTP], [EMAIL_OTP, API_KEY]])
  const { fingerprint, id } = await propose(byKey(root.key))
  const once = await approve(await mailed(), fingerprint)
  assert.equal(statusOf(once), COMPLETED)
  const again = await propose(byKey(root.key))
  assert.notEqual(again.id, id)
  assert.equal(again.status, NEEDED)
})

test('a vote by a token counts, when it is looked at again, for as long as its user has the contact', async (t) => {
  const { service, root, propose, approve, policy, mailed } = await setting(t)
  const { userId } = root
  await policy(userId, [[EMAIL_OTP]])
  const [second, third] = [await service.user('Second'), await service.user('Third')]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Second keeps the addresses',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'UPDATE_USER_EMAIL'",
    notes: '',
  })
  // While the root user may still send codes alone.
  const stamps = [await mailed(), await mailed()] as const
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 3,
    userIds: [userId, second.userId, third.userId],
  })
  for (const [stamp, userEmail] of [
    [stamps[0], undefined],
    [stamps[1], 'elsewhere@example.com'],
  ] as const) {
    const { fingerprint } = await propose(byKey(second.key))
    assert.equal(statusOf(await approve(stamp, fingerprint)), CONSENSUS)
    if (userEmail !== undefined)
      await service.done(second, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail })
    const expected = userEmail === undefined ? COMPLETED : CONSENSUS
    assert.equal(statusOf(await approve(byKey(third.key), fingerprint)), expected)
  }
})

test('a token is refused with another key, over another request, of another contact, after its hour, and where codes are switched off', async (t) => {
  const { service, root, otp, propose, approve, policy } = await setting(t)
  await policy(root.userId, [[API_KEY], [EMAIL_OTP]])
  const { fingerprint } = await propose(byKey(root.key))
  const [key, other] = [service.newKey(), service.newKey()]
  const token = await otp.token({ key })
  assert.equal((await approve(byToken(token, other), fingerprint)).status, 401)
  assert.equal((await approve(overOtherBytes(byToken(token, key)), fingerprint)).status, 401)
  const unbound = await otp.token()
  assert.equal((await approve(byToken(unbound, key), fingerprint)).status, 401)
  const stranger = await otp.token({ key, init: { contact: 'someone@example.com' } })
  assert.equal((await approve(byToken(stranger, key), fingerprint)).status, 401)

  const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' }
  await service.done(root, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', feature)
  const off = await approve(byToken(token, key), fingerprint)
  assert.equal(off.status, 403)
  assert.match(off.json.message, /^feature FEATURE_NAME_OTP_EMAIL_AUTH is not enabled/)
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature)

  service.world.advance(60 * 60 * 1000)
  assert.match((await approve(byToken(token, key), fingerprint)).json.message, /^invalid verification token/)
  service.world.advance(-60 * 60 * 1000)
  assert.equal(statusOf(await approve(byToken(token, key), fingerprint)), COMPLETED)
})

test('in a sub-organization, a token that its parent issued approves for the user with that contact', async (t) => {
  const { otp, service, approve, propose } = await setting(t)
  const { ada, subId } = otp
  const by = byKey(ada.key)
  const policy = {
    userId: ada.userId,
    mfaPolicyName: 'By mail too',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    requiredAuthenticationMethods: [{ any: [API_KEY] }, { any: [EMAIL_OTP] }],
    order: 0,
  }
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', policy)
  const { fingerprint, status } = await propose(by, 'Sub', subId)
  assert.equal(status, NEEDED)
  const key = service.newKey()
  const stamp = byToken(await otp.token({ key }), key)
  // Its own switch decides whether codes prove anything there.
  const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' }
  await service.done(ada, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', feature)
  const off = await approve(stamp, fingerprint, subId)
  assert.match(statusOf(off), /^7 feature FEATURE_NAME_OTP_EMAIL_AUTH is not enabled/)
  await service.done(ada, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature)
  assert.equal(statusOf(await approve(stamp, fingerprint, subId)), COMPLETED)
})

test('a token stamps no activity but a login or a vote, and reads no list', async (t) => {
  const { service, root, send, mailed, tags } = await setting(t)
  const stamper = await mailed()
  const refused = await send(stamper, 'CREATE_USER_TAG', { userTagName: 'By mail', userIds: [] })
  assert.equal(refused.status, 401, refused.text)
  assert.match(refused.json.message, /X-Stamp-Attested does not authenticate create_user_tag$/)
  const body = JSON.stringify({ organizationId: root.organizationId })
  const { stampHeaderName, stampHeaderValue } = stamper(body)
  const asked = await service.post('/public/v1/query/list_users', body, {
    [stampHeaderName]: stampHeaderValue,
  })
  assert.equal(asked.status, 401, asked.text)
  assert.deepEqual(await tags(), [])
})

test('a stamp is one too many beside a token stamp, also beside one that cannot be read', async (t) => {
  const { service, root, send, mailed } = await setting(t)
  const unreadable = { stampHeaderName: 'X-Stamp-Attested', stampHeaderValue: 'e30' }
  const login = { publicKey: service.newKey().publicKey }
  const alone = await send(() => unreadable, 'STAMP_LOGIN', login)
  assert.equal(alone.status, 401, alone.text)
  const stamper = await mailed()
  const { organizationId } = root
  const timestampMs = String(service.world.now())
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_STAMP_LOGIN',
    timestampMs,
    organizationId,
    parameters: login,
  })
  for (const token of [stamper(body), unreadable]) {
    const headers = [byKey(root.key)(body), token].map(({ stampHeaderName, stampHeaderValue }) => [
      stampHeaderName,
      stampHeaderValue,
    ])
    const two = await service.post('/public/v1/submit/stamp_login', body, Object.fromEntries(headers))
    assert.equal(two.status, 401, two.text)
    assert.match(two.json.message, /both X-Stamp and X-Stamp-Attested were sent/)
  }
})

test('a login that a token has asked for and a second proof completes has used the token up', async (t) => {
  const { otp, service, send, approve } = await setting(t)
  const { ada, subId } = otp
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId: ada.userId,
    mfaPolicyName: 'Not by mail alone',
    condition: "activity.kind == 'STAMP_LOGIN'",
    requiredAuthenticationMethods: [{ any: [EMAIL_OTP] }, { any: [API_KEY] }],
    order: 0,
  })
  const key = service.newKey()
  const stamper = byToken(await otp.token({ key }), key)
  const completed = async () => {
    const asked = await send(stamper, 'STAMP_LOGIN', { publicKey: service.newKey().publicKey }, subId)
    assert.equal(statusOf(asked), NEEDED)
    return await approve(byKey(ada.key), asked.json.activity.fingerprint, subId)
  }
  assert.equal(statusOf(await completed()), COMPLETED)
  const again = await completed()
  assert.equal(statusOf(again), 'ACTIVITY_STATUS_FAILED')
  assert.match(again.json.activity.failure.message, /it has been used already$/)
})

test('without a parent, a code opens no session, and is a step of a vote only where the user asks for codes', async (t) => {
  const { otp, root, service, send, propose, approve, reject, policy, mailed } = await setting(t)
  const second = await service.user('Second')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two make a tag',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 2',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    notes: '',
  })
  const voted = async () => {
    const { fingerprint } = await propose(byKey(second.key))
    return (await approve(await mailed(), fingerprint)).status
  }
  const login = { publicKey: service.newKey().publicKey }
  // The first proves the address, so that the second finds the user of the sub-organization who has it too.
  for (const where of [otp.subId, root.organizationId]) {
    const { json } = await send(await mailed(), 'STAMP_LOGIN', login, where)
    assert.deepEqual([json.activity.status, json.activity.organizationId], [COMPLETED, otp.subId])
  }
  await service.done(otp.ada, 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
  assert.equal((await send(await mailed(), 'STAMP_LOGIN', login)).status, 401)
  assert.equal(await voted(), 401)
  // A factor of other activities is none of this one.
  await policy(root.userId, [[API_KEY], [EMAIL_OTP]], { condition: "activity.kind == 'DELETE_POLICY'" })
  assert.deepEqual([(await send(await mailed(), 'STAMP_LOGIN', login)).status, await voted()], [401, 401])
  const stopped = async () => {
    const { fingerprint } = await propose(byKey(second.key))
    return (await reject(await mailed(), fingerprint)).status
  }
  assert.equal(await stopped(), 401)
  // Nor is it a step of a policy about this one that asks for others.
  await policy(root.userId, [[API_KEY], [PASSKEY]], { order: 90 })
  assert.equal(await voted(), 401)
  await policy(root.userId, [[EMAIL_OTP, API_KEY]], { order: 0 })
  assert.deepEqual([(await send(await mailed(), 'STAMP_LOGIN', login)).status, await voted()], [401, 200])
  assert.equal(await stopped(), 200)
})

test('without a parent, a code that has been shown is no approval once no MFA policy asks for it', async (t) => {
  const { root, service, propose, approve, policy, mailed } = await setting(t)
  const [second, third] = [await service.user('Second'), await service.user('Third')]
  await service.user('Fourth')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Four make a tag',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 4',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    notes: '',
  })
  const mfaPolicyId = await policy(root.userId, [[API_KEY], [EMAIL_OTP]])
  const { fingerprint } = await propose(byKey(second.key))
  assert.equal(statusOf(await approve(await mailed(), fingerprint)), NEEDED)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_MFA_POLICY', { userId: root.userId, mfaPolicyId })
  const approved = await approve(byKey(third.key), fingerprint)
  assert.equal(statusOf(approved), CONSENSUS)
  // The key of its user alone is an approval now.
  assert.equal(statusOf(await approve(byKey(root.key), fingerprint)), COMPLETED)
})

test('without a parent, a code approves no part of a request that the policy of its user is not about', async (t) => {
  const { root, service, send, approve, policy, mailed } = await setting(t)
  const second = await service.user('Second')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two sign',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 2',
    condition: "activity.action == 'SIGN'",
    notes: '',
  })
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  await policy(root.userId, [[EMAIL_OTP, API_KEY]], { condition: 'eth.tx.value >= 0' })
  const payment = serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    gas: 21_000n,
    maxFeePerGas: 2n,
    to: `0x${'11'.repeat(20)}`,
    value: 1n,
  })
  const asked = async (...payloads: readonly string[]) => {
    const { json } = await send(byKey(second.key), 'SIGN_RAW_PAYLOADS', {
      signWith: privateKeys[0].privateKeyId,
      payloads,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    })
    return json.activity.fingerprint
  }
  const votedOn = async (...payloads: readonly string[]) =>
    statusOf(await approve(await mailed(), await asked(...payloads)))
  assert.equal(await votedOn(payment), COMPLETED)
  assert.match(await votedOn(payment, '0x2222'), /^16 /)

  // Another proof approves the other part, and the code is the step that the payment asks for.
  await policy(root.userId, [[EMAIL_OTP], [API_KEY]], { condition: 'eth.tx.value >= 0', order: 0 })
  const fingerprint = await asked(payment, '0x2222')
  assert.match(statusOf(await approve(await mailed(), fingerprint)), /^16 /)
  assert.equal(statusOf(await approve(byKey(root.key), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(await mailed(), fingerprint)), COMPLETED)
})

test('without a parent, codes beside one another approve no part that the policy of their user is no longer about', async (t) => {
  const { otp, root, service, send, approve, policy, mailed } = await setting(t)
  const { userId } = root
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', { userId, userPhoneNumber: PHONE })
  const [second, third, fourth] = [
    await service.user('Second'),
    await service.user('Third'),
    await service.user('Fourth'),
  ]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Three sign',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 3',
    condition: "activity.action == 'SIGN'",
    notes: '',
  })
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  const mfaPolicyId = await policy(userId, [[EMAIL_OTP], [SMS_OTP]], {
    condition: "activity.action == 'SIGN'",
  })
  const key = service.newKey()
  const texted = byToken(await otp.token({ key, init: { otpType: 'OTP_TYPE_SMS', contact: PHONE } }), key)
  const byMail = await mailed()
  // The others have to approve from here on.
  const userIds = [fourth.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds })
  const { json } = await send(byKey(second.key), 'SIGN_RAW_PAYLOADS', {
    signWith: privateKeys[0].privateKeyId,
    payloads: [serializeTransaction({ type: 'eip1559', chainId: 1, gas: 21_000n, value: 1n }), '0x2222'],
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  })
  const { fingerprint } = json.activity
  assert.equal(statusOf(await approve(byMail, fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(texted, fingerprint)), CONSENSUS)

  const condition = 'eth.tx.value >= 0'
  await service.done(fourth, 'ACTIVITY_TYPE_UPDATE_MFA_POLICY', { userId, mfaPolicyId, condition })
  assert.equal(statusOf(await approve(byKey(third.key), fingerprint)), CONSENSUS)
  // Beside another proof of their user the codes count again.
  assert.equal(statusOf(await approve(byKey(root.key), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(byKey(third.key), fingerprint)), COMPLETED)
})
