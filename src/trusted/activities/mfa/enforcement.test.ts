import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { keccak256, parseEther, serializeTransaction } from 'viem'
import type { JsonAnswer, Member } from '../../../../test/support/service.ts'
import { aTarget } from '../sessions/testing/logins.ts'
import { aPrivateKey, aTag, aWallet } from '../../../../test/behaviour/things.ts'
import { activities } from '../list.ts'
import { createMfaPolicy } from './create-mfa-policy.ts'
import {
  anMfaSetting,
  API_KEY,
  byKey,
  byPasskey,
  COMPLETED,
  CONSENSUS,
  NEEDED,
  PASSKEY,
  SESSION,
  statusOf,
  twoRoots,
} from './testing/setting.ts'

const DEFAULT_PROFILE = '00000000-0000-0000-0000-000000000000'

test('what an MFA policy is about waits until its steps are shown, in either order', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy, tags, statuses, apiKeyIdOf } =
    await anMfaSetting(t)
  const { userId } = root
  const { passkey, id } = await passkeyOf(userId)
  const mfaPolicyId = await policy(userId, [[API_KEY], [PASSKEY]])
  const keyId = await apiKeyIdOf(userId)
  const requiredMethods = [{ any: [API_KEY] }, { any: [PASSKEY] }]
  const byBoth = [byKey(root.key), byPasskey(passkey)]
  const methods = [
    { ...API_KEY, id: keyId },
    { ...PASSKEY, id },
  ]
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const name = `By ${first} first`
    const proposed = await propose(byBoth[first] ?? assert.fail(), name)
    assert.equal(proposed.status, NEEDED)
    assert.deepEqual(Object.keys(proposed.result), ['activity'])
    assert.equal(proposed.canApprove, true)
    assert.equal(proposed.canReject, true)
    assert.equal((await tags()).includes(name), false)
    assert.deepEqual(await statuses(proposed.id), [
      { mfaPolicyId, userId, satisfied: false, satisfiedMethods: [methods[first]], requiredMethods },
    ])

    const { json } = await service.query(root, 'list_activities', { filterByStatus: [NEEDED] })
    assert.deepEqual(
      json.activities.map((activity: JsonAnswer) => activity.id),
      [proposed.id],
    )

    const same = await approve(byBoth[first] ?? assert.fail(), proposed.fingerprint)
    assert.equal(statusOf(same), NEEDED)
    assert.equal(same.json.activity.votes.length, 1)

    const approved = await approve(byBoth[second] ?? assert.fail(), proposed.fingerprint)
    assert.equal(statusOf(approved), COMPLETED)
    assert.equal(approved.json.activity.id, proposed.id)
    assert.equal(approved.json.activity.votes.length, 2)
    assert.equal((await tags()).includes(name), true)
    assert.deepEqual(await statuses(proposed.id, { userId }), [
      {
        mfaPolicyId,
        userId,
        satisfied: true,
        satisfiedMethods: [methods[first], methods[second]],
        requiredMethods,
      },
    ])
  }
})

test('who completes their own request by a further proof is answered the whole of it, and once', async (t) => {
  const { service, root, send, approve, passkeyOf, policy } = await anMfaSetting(t)
  const { passkey } = await passkeyOf(root.userId)
  const condition = "activity.kind == 'CREATE_READ_ONLY_SESSION'"
  await policy(root.userId, [[API_KEY], [PASSKEY]], { condition })
  const { json } = await send(byKey(root.key), 'CREATE_READ_ONLY_SESSION', {})
  const { fingerprint } = json.activity
  const settled = await approve(byPasskey(passkey), fingerprint)
  const { session } = settled.json.activity.result.createReadOnlySessionResult
  const body = JSON.stringify({ organizationId: root.organizationId })
  const asked = await service.post('/public/v1/query/whoami', body, { 'x-session': session })
  assert.equal(asked.status, 200)
  const { text } = await service.query(root, 'list_activities')
  assert.ok(!text.includes(session.split('.')[1]))
})

test('what the stamp alone proves is carried out at once, and the status says so', async (t) => {
  const { root, propose, policy, statuses, apiKeyIdOf } = await anMfaSetting(t)
  const { userId } = root
  await policy(userId, [[PASSKEY, API_KEY]])
  const { status, id } = await propose(byKey(root.key))
  assert.equal(status, COMPLETED)
  const [found] = await statuses(id)
  assert.equal(found.satisfied, true)
  assert.deepEqual(found.satisfiedMethods, [{ ...API_KEY, id: await apiKeyIdOf(userId) }])
})

test('a user with nothing to prove has no status, and a user of nowhere is not found', async (t) => {
  const { service, root, propose, statuses, policy } = await anMfaSetting(t)
  await policy(root.userId, [[PASSKEY]], { condition: "activity.action == 'EXPORT'" })
  const { status, id } = await propose(byKey(root.key))
  assert.equal(status, COMPLETED)
  assert.deepEqual(await statuses(id), [])
  assert.deepEqual(await statuses(id, { userId: root.userId }), [])
  const userId = '0198c5a0-7d3c-7000-8000-00000000dead'
  assert.equal((await service.query(root, 'get_mfa_status', { activityId: id, userId })).status, 404)
  assert.equal((await service.query(root, 'get_mfa_status', { activityId: userId })).status, 404)
})

test('a step that names a credential takes that one and no other', async (t) => {
  const { root, propose, approve, passkeyOf, policy } = await anMfaSetting(t)
  const wanted = await passkeyOf(root.userId)
  const other = await passkeyOf(root.userId)
  await policy(root.userId, [[{ ...PASSKEY, id: wanted.id }]])
  const { fingerprint } = await propose(byKey(root.key))
  assert.equal(statusOf(await approve(byPasskey(other.passkey), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(byPasskey(wanted.passkey), fingerprint)), COMPLETED)
})

test('every step takes a proof of its own', async (t) => {
  const { root, propose, approve, passkeyOf, policy } = await anMfaSetting(t)
  const [first, second] = [await passkeyOf(root.userId), await passkeyOf(root.userId)]
  await policy(root.userId, [[API_KEY, PASSKEY], [{ ...PASSKEY, id: first.id }]])
  const { fingerprint, status } = await propose(byPasskey(first.passkey))
  assert.equal(status, NEEDED)
  assert.equal(statusOf(await approve(byPasskey(first.passkey), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(byPasskey(second.passkey), fingerprint)), COMPLETED)
})

test('only the policy with the lowest order whose condition is true is asked', async (t) => {
  const { root, propose, policy } = await anMfaSetting(t)
  await policy(root.userId, [[PASSKEY]], { order: 2 })
  assert.equal((await propose(byKey(root.key))).status, NEEDED)
  await policy(root.userId, [[API_KEY]], { order: 1 })
  assert.equal((await propose(byKey(root.key))).status, COMPLETED)
  await policy(root.userId, [[PASSKEY]], { order: 0, condition: "activity.action == 'SIGN'" })
  assert.equal((await propose(byKey(root.key))).status, COMPLETED)
})

test('a condition about what an activity does not have is not about it; one that fails is', async (t) => {
  const { root, propose, policy } = await anMfaSetting(t)
  await policy(root.userId, [[PASSKEY]], { order: 1, condition: "private_key.label == 'Treasury'" })
  assert.equal((await propose(byKey(root.key))).status, COMPLETED)
  await policy(root.userId, [[PASSKEY]], { order: 0, condition: "activity.kind[99] == 'x'" })
  assert.equal((await propose(byKey(root.key))).status, NEEDED)
})

test('a condition about contents is not about a digest, and one about two kinds of keys is about nothing', async (t) => {
  const { service, root, send, policy } = await anMfaSetting(t)
  const { userId } = root
  const addressFormats = ['ADDRESS_FORMAT_ETHEREUM']
  const key = { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats }
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [key],
  })
  const [{ privateKeyId: signWith }] = privateKeys
  const isEither = `private_key.id == '${signWith}' || wallet.id == '${signWith}'`
  await policy(userId, [[PASSKEY]], { condition: isEither })
  const payment = { to: `0x${'11'.repeat(20)}`, chainId: 1, gas: 21_000n, value: 5n } as const
  const unsigned = serializeTransaction({ ...payment, type: 'eip1559' })
  const signed = { signWith, type: 'TRANSACTION_TYPE_ETHEREUM', unsignedTransaction: unsigned.slice(2) }
  assert.equal(statusOf(await send(byKey(root.key), 'SIGN_TRANSACTION_V2', signed)), COMPLETED)

  await policy(userId, [[PASSKEY]], { condition: "activity.action == 'SIGN' && eth.tx.value > 4" })
  assert.equal(statusOf(await send(byKey(root.key), 'SIGN_TRANSACTION_V2', signed)), NEEDED)
  const digest = {
    signWith,
    payload: keccak256(unsigned).slice(2),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  }
  assert.equal(statusOf(await send(byKey(root.key), 'SIGN_RAW_PAYLOAD_V2', digest)), COMPLETED)
})

test('a condition about votes is about nothing: of a vote it sees the activity that is voted on', async (t) => {
  const { service, root, approve, propose, policy } = await anMfaSetting(t)
  const second = await service.user('Second')
  await policy(second.userId, [[PASSKEY]], { condition: "activity.kind == 'APPROVE_ACTIVITY'" })
  await policy(second.userId, [[PASSKEY]], { condition: "activity.kind == 'DELETE_USERS'" })
  const userIds = [root.userId, second.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const { fingerprint } = await propose(byKey(root.key))
  assert.equal(statusOf(await approve(byKey(second.key), fingerprint)), COMPLETED)
  const gone = { userIds: [second.userId] }
  const { json } = await service.submit(root, 'ACTIVITY_TYPE_DELETE_USERS', gone)
  assert.equal(statusOf(await approve(byKey(second.key), json.activity.fingerprint)), NEEDED)
})

test('a condition that fails hides no policy behind it', async (t) => {
  const { root, propose, approve, passkeyOf, policy, statuses } = await anMfaSetting(t)
  const { passkey } = await passkeyOf(root.userId)
  await policy(root.userId, [[API_KEY]], { order: 0, condition: "activity.kind[99] == 'x'" })
  const mfaPolicyId = await policy(root.userId, [[PASSKEY]], { order: 1 })
  const { status, id, fingerprint } = await propose(byKey(root.key))
  assert.equal(status, NEEDED)
  const [asked] = await statuses(id)
  assert.deepEqual([asked.mfaPolicyId, asked.satisfied], [mfaPolicyId, false])
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), COMPLETED)
})

test('each payload of a request asks for the proofs of its own MFA policy', async (t) => {
  const { service, root, send, approve, passkeyOf, policy, statuses } = await anMfaSetting(t)
  const { passkey } = await passkeyOf(root.userId)
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Treasury', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  await policy(root.userId, [[API_KEY]], { order: 0, condition: 'eth.tx.value <= 5' })
  const condition = "activity.action == 'SIGN'"
  const mfaPolicyId = await policy(root.userId, [[PASSKEY]], { order: 1, condition })
  const sign = async (...payloads: readonly string[]) =>
    (
      await send(byKey(root.key), 'SIGN_RAW_PAYLOADS', {
        signWith: privateKeys[0].privateKeyId,
        payloads,
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_KECCAK256',
      })
    ).json.activity
  const [small, large] = [5n, parseEther('100')].map((value) =>
    serializeTransaction({ type: 'eip1559', chainId: 1, gas: 21_000n, to: `0x${'a'.repeat(40)}`, value }),
  )
  assert.ok(small !== undefined && large !== undefined)
  assert.equal((await sign(small, small)).status, COMPLETED)
  for (const payloads of [
    [small, large],
    [large, small],
    [small, '0xabcd'],
  ]) {
    const { status, id, fingerprint } = await sign(...payloads)
    assert.equal(status, NEEDED, 'a small payment opens the way for no other payload')
    const [asked] = await statuses(id)
    assert.deepEqual([asked.mfaPolicyId, asked.satisfied], [mfaPolicyId, false])
    assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), COMPLETED)
  }
})

test('the condition of the page leaves the key of a lone root user no way around the policy', async (t) => {
  const { service, root, send, passkeyOf, policy } = await anMfaSetting(t)
  await passkeyOf(root.userId)
  const { userId } = await service.user('Ada')
  const page = new URL('../../../../docs/decisions/mfa-policies.md', import.meta.url)
  const shown = /`(activity\.resource in \[[^`]+\])`/.exec(readFileSync(page, 'utf8').replaceAll(/\s+/g, ' '))
  const condition = shown?.[1] ?? assert.fail('the page shows a condition')
  const within = { service, by: root }
  const { privateKeyId } = await aPrivateKey(within)
  const { walletId, address } = await aWallet(within)
  const privateKeyTagId = await aTag(within, 'private_key')
  const mfaPolicyId = await policy(root.userId, [[API_KEY], [PASSKEY]], { condition })
  const { publicKey } = aTarget(service)
  const tagged = { privateKeyTagId, addPrivateKeyIds: [privateKeyId], removePrivateKeyIds: [] }
  const ways = [
    // An exported key signs without the service.
    ['EXPORT_PRIVATE_KEY', { privateKeyId, targetPublicKey: publicKey }],
    ['EXPORT_WALLET', { walletId, targetPublicKey: publicKey }],
    ['EXPORT_WALLET_ACCOUNT', { address, targetPublicKey: publicKey }],
    // The policies of other users may name tags and names.
    ['UPDATE_PRIVATE_KEY_TAG', tagged],
    ['UPDATE_WALLET', { walletId, walletName: 'Hot' }],
    // From an address of the thief alone.
    ['SET_IP_ALLOWLIST', { rules: [{ cidr: '192.0.2.1/32' }] }],
    ['DELETE_MFA_POLICY', { userId: root.userId, mfaPolicyId }],
    ['UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [userId] }],
    ['CREATE_POLICY_V3', { policyName: 'Ada', effect: 'EFFECT_ALLOW', notes: '' }],
    ['UPDATE_USER_NAME', { userId, userName: 'Eve' }],
    [
      'CREATE_API_KEYS_V2',
      {
        userId,
        apiKeys: [
          { apiKeyName: 'Key', curveType: 'API_KEY_CURVE_P256', publicKey: service.newKey().publicKey },
        ],
      },
    ],
    // A session as another user has what policies let that user do.
    ['CREATE_READ_WRITE_SESSION_V2', { userId, targetPublicKey: publicKey }],
  ] as const
  for (const [type, parameters] of ways)
    assert.equal(statusOf(await send(byKey(root.key), type, parameters)), NEEDED, type)
  // The rest moves no right and no key; of a vote the condition sees the activity that is voted on.
  const rest = new Set(activities.map(({ resource }) => resource))
  for (const resource of rest) if (condition.includes(`'${resource}'`)) rest.delete(resource)
  assert.deepEqual([...rest].toSorted(), [
    'ACTIVITY',
    'INVITATION',
    'OTP',
    'SESSION_PROFILE',
    'WEBHOOK_ENDPOINT',
  ])
})

test('the condition that the console offers, and that of the example, ask for signatures and for what goes around them', async (t) => {
  const { service, root, send, policy } = await anMfaSetting(t)
  const within = { service, by: root }
  const { privateKeyId } = await aPrivateKey(within)
  const { walletId } = await aWallet(within)
  const page = new URL('../../../../console/screens/users/mfa/new-mfa-policy.tsx', import.meta.url)
  const [, offered = assert.fail('the page offers a condition')] =
    /^const \w+ =\s+"(activity\.[^"]+)"$/m.exec(readFileSync(page, 'utf8')) ?? []
  const example = Object(createMfaPolicy.example.intent).condition as string
  for (const condition of [offered, example]) {
    const mfaPolicyId = await policy(root.userId, [[API_KEY], [PASSKEY]], { condition })
    const { publicKey: targetPublicKey } = aTarget(service)
    const apiKeys = [
      { apiKeyName: 'Key', curveType: 'API_KEY_CURVE_P256', publicKey: service.newKey().publicKey },
    ]
    const message = {
      signWith: privateKeyId,
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    }
    const ways = [
      ['SIGN_RAW_PAYLOAD_V2', message],
      ['EXPORT_PRIVATE_KEY', { privateKeyId, targetPublicKey }],
      ['EXPORT_WALLET', { walletId, targetPublicKey }],
      ['CREATE_API_KEYS_V2', { userId: root.userId, apiKeys }],
    ] as const
    for (const [type, parameters] of ways)
      assert.equal(statusOf(await send(byKey(root.key), type, parameters)), NEEDED, `${type}: ${condition}`)
    await service.done(root, 'ACTIVITY_TYPE_DELETE_MFA_POLICY', { userId: root.userId, mfaPolicyId })
  }
})

test('what is denied is denied, and nobody is asked for more', async (t) => {
  const { service, send, policy } = await anMfaSetting(t)
  const ada = await service.user('Ada')
  await policy(ada.userId, [[PASSKEY]])
  const refused = await send(byKey(ada.key), 'CREATE_USER_TAG', { userTagName: 'No', userIds: [] })
  assert.equal(refused.status, 403)
})

test('the same bytes sent again by another credential prove nothing', async (t) => {
  const { service, root, passkeyOf, policy, propose } = await anMfaSetting(t)
  const { passkey } = await passkeyOf(root.userId)
  await policy(root.userId, [[PASSKEY]])
  const proposed = await propose(byKey(root.key))
  const body = proposed.votes[0].message
  const { stampHeaderName, stampHeaderValue } = passkey.assert(body, 'http://localhost')
  const again = await service.post('/public/v1/submit/create_user_tag', body, {
    [stampHeaderName]: stampHeaderValue,
  })
  assert.equal(statusOf(again), NEEDED)
  assert.equal(again.json.activity.votes.length, 1)
})

test('a session does not prove the passkey it was opened with, and proves itself', async (t) => {
  const { service, root, send, propose, approve, passkeyOf, policy } = await anMfaSetting(t)
  const { userId } = root
  const { passkey } = await passkeyOf(userId)
  const session = service.newKey()
  const login = await send(byPasskey(passkey), 'STAMP_LOGIN', { publicKey: session.publicKey })
  assert.equal(statusOf(login), COMPLETED)
  await policy(userId, [[PASSKEY, API_KEY], [{ ...SESSION, id: DEFAULT_PROFILE }]])
  const { status, fingerprint } = await propose(byKey(session))
  assert.equal(status, NEEDED)
  const other = service.newKey()
  assert.equal(statusOf(await send(byKey(session), 'STAMP_LOGIN', { publicKey: other.publicKey })), COMPLETED)
  assert.equal(statusOf(await approve(byKey(other), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(byKey(root.key), fingerprint)), COMPLETED)
})

test('an approval counts only once its voter has proven it', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy, tags, statuses } = await anMfaSetting(t)
  const second = await service.user('Approver')
  const { passkey } = await passkeyOf(second.userId)
  await policy(second.userId, [[API_KEY], [PASSKEY]])
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 2,
    userIds: [root.userId, second.userId],
  })
  const { fingerprint, id, status } = await propose(byKey(root.key), 'Both')
  assert.equal(status, CONSENSUS)
  const unproven = await approve(byKey(second.key), fingerprint)
  assert.equal(statusOf(unproven), NEEDED)
  assert.equal(unproven.json.activity.canApprove, true)
  const forRoot = await service.query(root, 'get_activity', { activityId: id })
  assert.equal(forRoot.json.activity.canApprove, false)
  assert.equal(forRoot.json.activity.canReject, true)
  assert.deepEqual(await tags(), [])
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), COMPLETED)
  assert.deepEqual(await tags(), ['Both'])
  const found = await statuses(id)
  assert.deepEqual(
    found.map(({ userId, satisfied }: { userId: string; satisfied: boolean }) => [userId, satisfied]),
    [[second.userId, true]],
  )
})

test('an approval is proven by the credentials of its voter alone, and not by those of others who voted', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy, tags } = await anMfaSetting(t)
  const [ada, ben, cal] = [await service.user('Ada'), await service.user('Ben'), await service.user('Cal')]
  const [ofAda, ofBen] = [await passkeyOf(ada.userId), await passkeyOf(ben.userId)]
  await policy(ada.userId, [[API_KEY], [PASSKEY]])
  const userIds = [root, ada, ben, cal].map(({ userId }) => userId)
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 4, userIds })
  const { fingerprint } = await propose(byKey(root.key), 'All four')
  assert.equal(statusOf(await approve(byKey(ada.key), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(byPasskey(ofBen.passkey), fingerprint)), CONSENSUS)
  assert.equal(statusOf(await approve(byKey(cal.key), fingerprint)), CONSENSUS)
  assert.deepEqual(await tags(), [])
  assert.equal(statusOf(await approve(byPasskey(ofAda.passkey), fingerprint)), COMPLETED)
  assert.deepEqual(await tags(), ['All four'])
})

test('an unproven approval takes the vote of nobody else, and nobody is told that it does', async (t) => {
  const { service, root, propose, approve, reject, policy } = await anMfaSetting(t)
  const [second, third] = [await service.user('Second'), await service.user('Third')]
  await policy(second.userId, [[API_KEY], [PASSKEY]])
  const userIds = [root, second, third].map(({ userId }) => userId)
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  for (const vote of [approve, reject]) {
    const { fingerprint, id } = await propose(byKey(root.key))
    const rights = async () => {
      const { status, canApprove, canReject } = (
        await service.query(third, 'get_activity', { activityId: id })
      ).json.activity
      return [status, canApprove, canReject]
    }
    assert.deepEqual(await rights(), [CONSENSUS, true, true])
    assert.equal(statusOf(await approve(byKey(second.key), fingerprint)), NEEDED)
    assert.deepEqual(await rights(), [NEEDED, true, true])
    const settled = statusOf(await vote(byKey(third.key), fingerprint))
    assert.equal(settled, vote === approve ? COMPLETED : 'ACTIVITY_STATUS_REJECTED')
  }
})

test('an unproven request does not count for the others; it is proven afterwards', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy, tags } = await anMfaSetting(t)
  const { passkey } = await passkeyOf(root.userId)
  await policy(root.userId, [[PASSKEY]])
  const second = await twoRoots(service)
  const { fingerprint, id, status } = await propose(byKey(root.key), 'Late proof')
  assert.equal(status, NEEDED)
  const approved = await approve(byKey(second.key), fingerprint)
  assert.equal(statusOf(approved), CONSENSUS)
  assert.equal(approved.json.activity.canApprove, false)
  const forRoot = await service.query(root, 'get_activity', { activityId: id })
  assert.equal(forRoot.json.activity.canApprove, true)
  assert.deepEqual(await tags(), [])
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), COMPLETED)
  assert.deepEqual(await tags(), ['Late proof'])
})

test('proving comes before consensus: then the others are waited for', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy } = await anMfaSetting(t)
  const { passkey } = await passkeyOf(root.userId)
  await policy(root.userId, [[PASSKEY]])
  const second = await twoRoots(service)
  const { fingerprint } = await propose(byKey(root.key))
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), CONSENSUS)
  assert.equal(statusOf(await approve(byKey(second.key), fingerprint)), COMPLETED)
})

test('consensus sees every credential that was shown', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy } = await anMfaSetting(t)
  const ada = await service.user('Ada')
  const { passkey } = await passkeyOf(ada.userId)
  await policy(ada.userId, [[API_KEY], [PASSKEY]])
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'By this very key',
    effect: 'EFFECT_ALLOW',
    consensus: `credentials.any(c, c.public_key == '${ada.key.publicKey}')`,
    notes: '',
  })
  const { fingerprint, status, id } = await propose(byKey(ada.key))
  assert.equal(status, NEEDED)
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), COMPLETED)
  const { judgement } = (await service.query(root, 'explain_activity', { activityId: id })).json
  assert.equal(judgement.decision, 'allow', 'an explanation sees them too')
})

test('a second vote by another credential counts where a consensus asks for credentials, and else changes nothing', async (t) => {
  const { service, root, propose, approve, passkeyOf } = await anMfaSetting(t)
  const [ada, ben, eve] = [await service.user('Ada'), await service.user('Ben'), await service.user('Eve')]
  const { passkey } = await passkeyOf(ada.userId)
  await passkeyOf(eve.userId)
  const { policyId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two, and a passkey',
    effect: 'EFFECT_ALLOW',
    consensus: "approvers.count() >= 2 && credentials.any(c, c.credential_id != '')",
    notes: '',
  })
  const vote = async (fingerprint: string, by: Parameters<typeof approve>[0]) => {
    const { activity } = (await approve(by, fingerprint)).json
    return [activity.status, activity.votes.length]
  }
  const first = await propose(byKey(ada.key))
  assert.equal(first.status, CONSENSUS)
  assert.deepEqual(await vote(first.fingerprint, byPasskey(passkey)), [CONSENSUS, 2])
  assert.deepEqual(await vote(first.fingerprint, byPasskey(passkey)), [CONSENSUS, 2])
  assert.deepEqual(await vote(first.fingerprint, byKey(ben.key)), [COMPLETED, 3])

  const policyConsensus = 'approvers.count() >= 2'
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyConsensus })
  const second = await propose(byKey(ada.key))
  assert.deepEqual(await vote(second.fingerprint, byPasskey(passkey)), [CONSENSUS, 1])
})

test('a further proof counts beside those before it, where a consensus asks for one of them and for others', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy, send } = await anMfaSetting(t)
  const [ada, ben] = [await service.user('Ada'), await service.user('Ben')]
  const { passkey } = await passkeyOf(ada.userId)
  const session = service.newKey()
  const login = await send(byKey(ada.key), 'STAMP_LOGIN', { publicKey: session.publicKey })
  assert.equal(statusOf(login), COMPLETED)
  await policy(ada.userId, [[API_KEY], [PASSKEY], [SESSION]])
  const byPasskeyOfAda = `credentials.any(c, c.user_id == '${ada.userId}' && c.credential_id != '')`
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'A passkey, and Ben',
    effect: 'EFFECT_ALLOW',
    consensus: `${byPasskeyOfAda} && approvers.any(u, u.id == '${ben.userId}')`,
    notes: '',
  })
  for (const isBenFirst of [true, false]) {
    const { fingerprint, status } = await propose(byPasskey(passkey))
    assert.equal(status, NEEDED)
    assert.equal(statusOf(await approve(byKey(session), fingerprint)), NEEDED)
    if (isBenFirst) assert.equal(statusOf(await approve(byKey(ben.key), fingerprint)), CONSENSUS)
    const proven = statusOf(await approve(byKey(ada.key), fingerprint))
    assert.equal(proven, isBenFirst ? COMPLETED : CONSENSUS)
    if (!isBenFirst) assert.equal(statusOf(await approve(byKey(ben.key), fingerprint)), COMPLETED)
  }
})

test('the last proof of an approver settles an expensive request too, whichever credential the consensus asks for', async (t) => {
  const { service, root, send, approve, passkeyOf, policy } = await anMfaSetting(t)
  const [ada, ben] = [await service.user('Ada'), await service.user('Ben')]
  const { passkey } = await passkeyOf(ada.userId)
  await policy(ada.userId, [[API_KEY], [PASSKEY]], { condition: "activity.action == 'SIGN'" })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Ben, and a passkey of Ada',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: `approvers.any(u, u.id == '${ben.userId}') && credentials.any(c, c.credential_id != '')`,
    notes: '',
  })
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Treasury', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  const { json } = await send(byKey(ben.key), 'SIGN_RAW_PAYLOADS', {
    signWith: privateKeys[0].privateKeyId,
    payloads: Array.from({ length: 200 }, (_, at) => at.toString(16).padStart(64, '0')),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  })
  const { fingerprint, status } = json.activity
  assert.equal(status, CONSENSUS)
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(byKey(ada.key), fingerprint)), COMPLETED)
})

test('of several payments, an approver of one may vote before the proposer has shown all proofs', async (t) => {
  const { service, root, send, approve, reject, passkeyOf, policy } = await anMfaSetting(t)
  const [ada, ben, eve] = [await service.user('Ada'), await service.user('Ben'), await service.user('Eve')]
  const { passkey } = await passkeyOf(ada.userId)
  await policy(ada.userId, [[API_KEY], [PASSKEY]], { condition: "activity.action == 'SIGN'" })
  const by = ({ userId }: typeof ada) => `approvers.any(u, u.id == '${userId}')`
  for (const [condition, consensus] of [
    ['eth.tx.value == 0', 'true'],
    ['eth.tx.value == 5', by(ada)],
    ['eth.tx.value > 5', `${by(ada)} && ${by(ben)}`],
  ] as const) {
    const terms = { policyName: condition, effect: 'EFFECT_ALLOW', condition, consensus, notes: '' }
    await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', terms)
  }
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Treasury', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  const { json } = await send(byKey(ada.key), 'SIGN_RAW_PAYLOADS', {
    signWith: privateKeys[0].privateKeyId,
    payloads: [0n, 5n, 100n].map((value) =>
      serializeTransaction({ type: 'eip1559', chainId: 1, gas: 21_000n, to: `0x${'a'.repeat(40)}`, value }),
    ),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  })
  const { fingerprint, status } = json.activity
  assert.equal(status, NEEDED)
  for (const vote of [approve, reject]) assert.equal((await vote(byKey(eve.key), fingerprint)).status, 403)
  assert.equal(statusOf(await approve(byKey(ben.key), fingerprint)), CONSENSUS)
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), COMPLETED)
})

test('a rejection needs no more than a stamp, and is final', async (t) => {
  const { root, propose, approve, reject, passkeyOf, policy } = await anMfaSetting(t)
  const { passkey } = await passkeyOf(root.userId)
  await policy(root.userId, [[PASSKEY]])
  const { fingerprint } = await propose(byKey(root.key))
  assert.equal(statusOf(await reject(byKey(root.key), fingerprint)), 'ACTIVITY_STATUS_REJECTED')
  assert.match(statusOf(await approve(byPasskey(passkey), fingerprint)), /REJECTED/)
})

test('what a policy no longer asks for is carried out at the next approval', async (t) => {
  const { service, root, propose, approve, policy, statuses } = await anMfaSetting(t)
  const ada = await service.user('Ada')
  const mfaPolicyId = await policy(ada.userId, [[PASSKEY]])
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Anyone tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    notes: '',
  })
  const { fingerprint, id, status } = await propose(byKey(ada.key))
  assert.equal(status, NEEDED)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_MFA_POLICY', { userId: ada.userId, mfaPolicyId })
  assert.equal(statusOf(await approve(byKey(ada.key), fingerprint)), COMPLETED)
  assert.deepEqual(await statuses(id), [])
})

test('a proof lapses after 24 hours like any vote', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy } = await anMfaSetting(t)
  const { passkey } = await passkeyOf(root.userId)
  await policy(root.userId, [[API_KEY], [PASSKEY]])
  const { fingerprint } = await propose(byKey(root.key))
  service.world.advance(24 * 60 * 60 * 1000)
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(byKey(root.key), fingerprint)), COMPLETED)
})

test('a proof by a credential that is gone no longer counts', async (t) => {
  const { service, root, propose, approve, passkeyOf, policy } = await anMfaSetting(t)
  const [gone, kept] = [await passkeyOf(root.userId), await passkeyOf(root.userId)]
  await policy(root.userId, [[API_KEY], [PASSKEY]])
  const { fingerprint } = await propose(byPasskey(gone.passkey))
  await service.done(root, 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS', {
    userId: root.userId,
    authenticatorIds: [gone.id],
  })
  assert.equal(statusOf(await approve(byKey(root.key), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(byPasskey(kept.passkey), fingerprint)), COMPLETED)
})

test('a vote by a key that is gone is renewed by the key that took its place', async (t) => {
  const { service, root, propose, approve } = await anMfaSetting(t)
  const second = await twoRoots(service)
  const { fingerprint } = await propose(byKey(root.key))
  const key = service.newKey()
  const { userId } = root
  const { json } = await service.query(root, 'get_api_keys', { userId })
  const apiKeyIds = [json.apiKeys[0].apiKeyId]
  const apiKeys = [{ apiKeyName: 'New', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys })
  await service.done({ ...root, key }, 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds })
  assert.equal(statusOf(await approve(byKey(second.key), fingerprint)), CONSENSUS)
  assert.equal(statusOf(await approve(byKey(key), fingerprint)), COMPLETED)
})

test('nobody lets in a user who has yet to show a proof, and who may have lost the other one', async (t) => {
  const { service, root, send, approve, passkeyOf, policy } = await anMfaSetting(t)
  const [ada, ben] = [await service.user('Ada'), await service.user('Ben')]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Everybody logs in',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'STAMP_LOGIN'",
    notes: '',
  })
  const { passkey } = await passkeyOf(ada.userId)
  await policy(ada.userId, [[API_KEY], [PASSKEY]], { condition: "activity.resource == 'AUTH'" })
  const key = service.newKey()
  const asked = await send(byKey(ada.key), 'STAMP_LOGIN', { publicKey: key.publicKey })
  const { id: activityId, fingerprint } = asked.json.activity
  const forRoot = (await service.query(root, 'get_activity', { activityId })).json.activity
  // The vote of a root user counts, and stops the thief of a key.
  assert.deepEqual([forRoot.canApprove, forRoot.canReject], [true, true])
  const voted = async (by: Parameters<typeof approve>[0]) => {
    const { json } = await approve(by, fingerprint)
    return [json.activity.status, json.activity.canApprove, json.activity.votes.length]
  }
  assert.deepEqual(await voted(byKey(ben.key)), [NEEDED, false, 2])
  assert.deepEqual(await voted(byKey(ben.key)), [NEEDED, false, 2])
  assert.deepEqual(await voted(byKey(root.key)), [NEEDED, false, 3])
  assert.equal((await service.query({ ...ada, key }, 'whoami')).status, 401)
  assert.deepEqual(await voted(byPasskey(passkey)), [COMPLETED, false, 4])
  assert.equal((await service.query({ ...ada, key }, 'whoami')).json.username, 'Ada')
})

test('a user whose login waits for their own proof is told that they can approve it, after each vote', async (t) => {
  const { service, root, send, approve, passkeyOf, policy } = await anMfaSetting(t)
  const [ada, ben, cal] = [await service.user('Ada'), await service.user('Ben'), await service.user('Cal')]
  const by = ({ userId }: typeof ada) => `approvers.any(u, u.id == '${userId}')`
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Ben and Cal let people in',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'STAMP_LOGIN'",
    consensus: `${by(ben)} && ${by(cal)}`,
    notes: '',
  })
  const { passkey } = await passkeyOf(ada.userId)
  await policy(ada.userId, [[API_KEY], [PASSKEY]], { condition: "activity.resource == 'AUTH'" })
  const { publicKey } = service.newKey()
  const { id: activityId, fingerprint } = (await send(byKey(ada.key), 'STAMP_LOGIN', { publicKey })).json
    .activity
  for (const [{ key }, expected] of [
    [ben, CONSENSUS],
    [cal, NEEDED],
  ] as const) {
    assert.equal(statusOf(await approve(byKey(key), fingerprint)), expected)
    const { activity } = (await service.query(ada, 'get_activity', { activityId })).json
    assert.equal(activity.canApprove, true, expected)
  }
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), COMPLETED)
})

test('nobody lets in a sender whose credential is gone', async (t) => {
  const { service, root, send, approve, passkeyOf } = await anMfaSetting(t)
  const [ada, ben, cal] = [await service.user('Ada'), await service.user('Ben'), await service.user('Cal')]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two let people in',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'STAMP_LOGIN'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  const { passkey } = await passkeyOf(ada.userId)
  const key = service.newKey()
  const asked = await send(byKey(ada.key), 'STAMP_LOGIN', { publicKey: key.publicKey })
  const { fingerprint } = asked.json.activity
  const { apiKeys } = (await service.query(root, 'get_api_keys', { userId: ada.userId })).json
  const apiKeyIds = apiKeys.map(({ apiKeyId }: { readonly apiKeyId: string }) => apiKeyId)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId: ada.userId, apiKeyIds })
  const mayReject = async (by: Member) =>
    (await service.query(by, 'get_activity', { activityId: asked.json.activity.id })).json.activity.canReject
  for (const by of [ben, cal, root]) {
    assert.equal(await mayReject(by), true)
    const { activity } = (await approve(byKey(by.key), fingerprint)).json
    assert.deepEqual([activity.status, activity.canApprove], [CONSENSUS, false])
  }
  assert.equal((await service.query({ ...ada, key }, 'whoami')).status, 401)
  assert.equal(statusOf(await approve(byPasskey(passkey), fingerprint)), COMPLETED)
  assert.equal((await service.query({ ...ada, key }, 'whoami')).json.username, 'Ada')
})
