import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serializeTransaction } from 'viem'
import { present } from '../../base/assert.ts'
import { aService, type Member, type Response, type TestService } from '../../../../test/support/service.ts'
import { stampWith } from '../../../../test/support/stamper.ts'
import { activities } from '../list.ts'

const HOUR_MS = 60 * 60 * 1000
const NEEDED = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'

const services: TestService[] = []
after(async () => {
  for (const service of services) await service.close()
})

/** An organization whose two root users must agree, and a third user who is nobody. */
async function twoRoots(options: Parameters<typeof aService>[0] = {}) {
  const service = await aService(options)
  services.push(service)
  const second = await service.user('Second')
  const bystander = await service.user('Bystander')
  const quorum = { threshold: 2, userIds: [service.root.userId, second.userId] }
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum)
  return { ...helpers(service), service, root: service.root, second, bystander }
}

function helpers(service: TestService) {
  const vote = (kind: 'APPROVE' | 'REJECT', by: Member, fingerprint: string) => {
    service.world.advance(1)
    return service.submit(by, `ACTIVITY_TYPE_${kind}_ACTIVITY`, { fingerprint })
  }
  return {
    approve: (by: Member, fingerprint: string) => vote('APPROVE', by, fingerprint),
    reject: (by: Member, fingerprint: string) => vote('REJECT', by, fingerprint),
    /** A request that changes something visible: a policy of this name. */
    propose: async (by: Member, policyName: string) => {
      service.world.advance(1)
      const proposed = await service.submit(by, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policyNamed(policyName))
      return proposed.json.activity
    },
    policyNames: async (): Promise<readonly string[]> => {
      const { json } = await service.query(service.root, 'list_policies')
      return json.policies.map((policy: { readonly policyName: string }) => policy.policyName)
    },
  }
}

function policyNamed(policyName: string) {
  return { policyName, effect: 'EFFECT_DENY', condition: 'false', notes: '' }
}

/** Bodies that a test writes to the letter. */
function byHand(service: TestService) {
  return {
    sent: (by: Member, operation: string, text: string) => {
      const { stampHeaderName, stampHeaderValue } = stampWith(by.key, text)
      return service.post(`/public/v1/submit/${operation}`, text, { [stampHeaderName]: stampHeaderValue })
    },
    bodyOf: (type: string, parameters: object): string => {
      service.world.advance(1)
      const { organizationId } = service
      return JSON.stringify({ type, timestampMs: String(service.world.now()), organizationId, parameters })
    },
  }
}

function statusOf({ json }: Response): string {
  return json.activity?.status ?? `${json.code} ${json.message}`
}

test('what one of two root users asks for waits, and is carried out when the other approves it by its fingerprint', async () => {
  const { root, second, propose, approve, policyNames } = await twoRoots()
  const proposed = await propose(root, 'Both agree')
  assert.equal(proposed.status, NEEDED)
  assert.deepEqual(Object.keys(proposed.result), ['activity'])
  assert.equal(proposed.canApprove, false)
  assert.equal(proposed.canReject, true)
  assert.deepEqual(await policyNames(), [])

  const approved = await approve(second, proposed.fingerprint)

  const { activity } = approved.json
  assert.equal(activity.status, COMPLETED)
  assert.equal(activity.id, proposed.id)
  assert.equal(activity.type, 'ACTIVITY_TYPE_CREATE_POLICY_V3')
  assert.deepEqual(
    activity.votes.map((vote: { userId: string; selection: string }) => [vote.userId, vote.selection]),
    [
      [root.userId, 'VOTE_SELECTION_APPROVED'],
      [second.userId, 'VOTE_SELECTION_APPROVED'],
    ],
  )
  assert.ok(activity.result.createPolicyResult.policyId)
  assert.deepEqual(await policyNames(), ['Both agree'])
})

test('each vote carries the bytes that its voter signed and the stamp over them', async () => {
  const { root, second, propose, approve } = await twoRoots()
  const { fingerprint, id } = await propose(root, 'Votes')
  const { json } = await approve(second, fingerprint)
  const [first, last] = json.activity.votes
  assert.equal(JSON.parse(first.message).type, 'ACTIVITY_TYPE_CREATE_POLICY_V3')
  assert.equal(JSON.parse(last.message).parameters.fingerprint, fingerprint)
  assert.equal(last.publicKey, second.key.publicKey)
  assert.equal(last.scheme, second.key.scheme)
  assert.equal(last.user.userName, 'Second')
  assert.equal(last.activityId, id)
  assert.match(last.signature, /^30[0-9a-f]+$/)
})

test('the second person may also send the very same bytes, and nobody else may', async () => {
  const { service, root, second, bystander, policyNames } = await twoRoots()
  const path = '/public/v1/submit/create_policy'
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
    timestampMs: String(service.world.now()),
    organizationId: service.organizationId,
    parameters: policyNamed('Same bytes'),
  })
  const send = (by: Member) => {
    const { stampHeaderName, stampHeaderValue } = stampWith(by.key, body)
    return service.post(path, body, { [stampHeaderName]: stampHeaderValue })
  }
  assert.equal(statusOf(await send(root)), NEEDED)
  assert.equal((await send(root)).json.activity.votes.length, 1)
  const refused = await send(bystander)
  assert.equal(refused.status, 403)
  assert.equal(refused.json.code, 7)
  const approved = await send(second)
  assert.equal(statusOf(approved), COMPLETED)
  assert.equal(approved.json.activity.votes.length, 2)
  assert.deepEqual((await send(second)).json, approved.json)
  // Once it is settled they are no vote any more, and everybody here is answered with the record.
  assert.deepEqual((await send(bystander)).json, approved.json)
  assert.deepEqual(await policyNames(), ['Same bytes'])
})

test('the very same bytes are no approval once they are too old to be a request', async () => {
  const { service, root, second, propose, policyNames } = await twoRoots()
  const { id, votes } = await propose(root, 'Old bytes')
  const [{ message }] = votes
  const { stampHeaderName, stampHeaderValue } = stampWith(second.key, message)
  service.world.advance(HOUR_MS + 1)
  const late = await service.post('/public/v1/submit/create_policy', message, {
    [stampHeaderName]: stampHeaderValue,
  })
  assert.equal(late.status, 400, late.text)
  const { json } = await service.query(root, 'get_activity', { activityId: id })
  assert.equal(json.activity.status, NEEDED)
  assert.equal(json.activity.votes.length, 1)
  assert.deepEqual(await policyNames(), [])
})

test('one rejection is final', async () => {
  const { root, second, propose, approve, reject, policyNames } = await twoRoots()
  const { fingerprint } = await propose(root, 'Rejected')
  const rejected = await reject(second, fingerprint)
  assert.equal(statusOf(rejected), 'ACTIVITY_STATUS_REJECTED')
  assert.equal(rejected.json.activity.votes[1].selection, 'VOTE_SELECTION_REJECTED')
  assert.equal(rejected.json.activity.canApprove, false)
  assert.equal(rejected.json.activity.canReject, false)
  assert.equal(statusOf(await approve(second, fingerprint)), 'ACTIVITY_STATUS_REJECTED')
  assert.deepEqual(await policyNames(), [])
})

test('the sender of a request may take it back by a rejection', async () => {
  const { root, second, propose, approve, reject } = await twoRoots()
  const { fingerprint } = await propose(root, 'Withdrawn')
  assert.equal(statusOf(await reject(root, fingerprint)), 'ACTIVITY_STATUS_REJECTED')
  const late = await approve(second, fingerprint)
  assert.equal(late.status, 400)
  assert.equal(late.json.code, 9)
})

test('a vote of someone who has no say is refused, recorded as such, and changes nothing', async () => {
  const { service, root, bystander, propose, approve, reject } = await twoRoots()
  const { fingerprint, id } = await propose(root, 'No say')
  for (const cast of [approve, reject]) {
    const refused = await cast(bystander, fingerprint)
    assert.equal(refused.status, 403)
    assert.equal(
      refused.json.details[0]['@type'],
      'type.googleapis.com/errors.v1.PolicyEnginePermissionError',
    )
  }
  const { json } = await service.query(root, 'get_activity', { activityId: id })
  assert.equal(json.activity.status, NEEDED)
  assert.equal(json.activity.votes.length, 1)
  const listed = await service.query(root, 'list_activities', { filterByStatus: ['ACTIVITY_STATUS_FAILED'] })
  assert.deepEqual(
    listed.json.activities.map((activity: { type: string }) => activity.type),
    ['ACTIVITY_TYPE_REJECT_ACTIVITY', 'ACTIVITY_TYPE_APPROVE_ACTIVITY'],
  )
})

test('one person does not count twice, with a second vote or with a second key', async () => {
  const { service, root, propose, approve } = await twoRoots()
  const { fingerprint } = await propose(root, 'Alone')
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Another', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: root.userId, apiKeys })
  for (const same of [root, { ...root, key }]) {
    const again = await approve(same, fingerprint)
    assert.equal(statusOf(again), NEEDED)
    assert.equal(again.json.activity.votes.length, 1)
  }
})

test('a number of credentials is no number of people: one person may approve with two keys', async () => {
  const { service, root, second, bystander, propose, approve } = await twoRoots()
  const key = service.newKey()
  const apiKey = { apiKeyName: 'Second', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }
  const { userId } = bystander
  await service.done(bystander, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys: [apiKey] })
  const allowed = {
    policyName: 'Allowed',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'POLICY'",
  }
  for (const [consensus, settled] of [
    ['approvers.count() >= 2', NEEDED],
    ['credentials.count() >= 2', COMPLETED],
  ] as const) {
    service.world.advance(1)
    const { json } = await service.submit(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      ...allowed,
      consensus,
      notes: '',
    })
    await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: json.activity.fingerprint })
    const { status, fingerprint } = await propose(bystander, consensus)
    assert.equal(status, NEEDED)
    assert.equal(statusOf(await approve({ ...bystander, key }, fingerprint)), settled)
    allowed.policyName = 'Allowed too'
  }
})

test('an approval lapses after 24 hours and is renewed by a fresh one, not by the old bytes', async () => {
  const { service, root, second, propose, approve, policyNames } = await twoRoots()
  const { fingerprint, votes } = await propose(root, 'Slow')
  service.world.advance(24 * HOUR_MS)
  const alone = await approve(second, fingerprint)
  assert.equal(statusOf(alone), NEEDED)
  assert.equal(alone.json.activity.votes.length, 2)
  const oldBytes = votes[0].message
  const { stampHeaderName, stampHeaderValue } = stampWith(root.key, oldBytes)
  const replayed = await service.post('/public/v1/submit/create_policy', oldBytes, {
    [stampHeaderName]: stampHeaderValue,
  })
  assert.equal(statusOf(replayed), NEEDED)
  assert.equal(replayed.json.activity.votes.length, 2)
  assert.equal(replayed.json.activity.canApprove, true)
  assert.deepEqual(await policyNames(), [])

  const renewed = await approve(root, fingerprint)

  assert.equal(statusOf(renewed), COMPLETED)
  assert.equal(renewed.json.activity.votes.length, 3)
  assert.deepEqual(await policyNames(), ['Slow'])
})

test('one millisecond before 24 hours an approval still counts', async () => {
  const { service, root, second, propose, approve } = await twoRoots()
  const { fingerprint } = await propose(root, 'In time')
  service.world.advance(24 * HOUR_MS - 2)
  assert.equal(statusOf(await approve(second, fingerprint)), COMPLETED)
})

test('an activity without a vote for 30 days is not approved any more, and can still be rejected', async () => {
  const { service, root, second, propose, approve, reject, policyNames } = await twoRoots()
  const days = 30 * 24 * HOUR_MS
  const { fingerprint } = await propose(root, 'Forgotten')
  service.world.advance(days - 2)
  // Each vote begins it anew, also where it settles nothing because the others have lapsed.
  assert.equal(statusOf(await approve(second, fingerprint)), NEEDED)
  service.world.advance(days)
  const late = await approve(root, fingerprint)
  assert.equal(late.status, 400)
  assert.match(late.json.message, /no vote for 30 days/)
  assert.deepEqual(await policyNames(), [])
  const { json } = await service.query(root, 'list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
  })
  assert.deepEqual([json.activities[0].canApprove, json.activities[0].canReject], [false, true])
  assert.equal(statusOf(await reject(root, fingerprint)), 'ACTIVITY_STATUS_REJECTED')
})

/** An organization where three of the operators must agree on a policy. */
async function operators() {
  const service = await aService()
  services.push(service)
  const { userTagId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'ops',
    userIds: [],
  })
  const members = []
  for (const name of ['A', 'B', 'C']) members.push(await service.user(name, { userTags: [userTagId] }))
  const { policyId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two operators',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'POLICY'",
    consensus: `approvers.filter(u, u.tags.contains('${userTagId}')).count() > 1`,
    notes: '',
  })
  const [a, b, c] = members as [Member, Member, Member] // three were just made
  const outsider = await service.user('Outsider')
  return { ...helpers(service), service, root: service.root, a, b, c, outsider, policyId }
}

test('a policy may ask for two approvers: the first waits, the second settles it, and others have no say', async () => {
  const { a, b, outsider, propose, approve, service, policyId } = await operators()
  const proposed = await propose(a, 'Two')
  assert.equal(proposed.status, NEEDED)
  assert.equal((await approve(outsider, proposed.fingerprint)).status, 403)
  const asked = await service.query(b, 'get_activity', { activityId: proposed.id })
  assert.equal(asked.json.activity.canApprove, true)
  const forOutsider = await service.query(outsider, 'get_activity', { activityId: proposed.id })
  assert.equal(forOutsider.json.activity.canApprove, false)
  assert.equal(forOutsider.json.activity.canReject, false)
  assert.equal(statusOf(await approve(b, proposed.fingerprint)), COMPLETED)
  const evaluated = await service.query(b, 'get_policy_evaluations', { activityId: proposed.id })
  assert.deepEqual(
    evaluated.json.policyEvaluations.map(
      (policyEvaluation: { policyEvaluations: unknown }) => policyEvaluation.policyEvaluations,
    ),
    [[{ policyId, outcome: 'OUTCOME_REQUIRES_CONSENSUS' }], [{ policyId, outcome: 'OUTCOME_ALLOW' }]],
  )
})

test('the vote of a user who was removed meanwhile no longer counts', async () => {
  const { service, root, a, b, c, propose, approve, policyNames } = await operators()
  const { fingerprint } = await propose(a, 'Gone')
  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [a.userId] })
  assert.equal(statusOf(await approve(b, fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(c, fingerprint)), COMPLETED)
  assert.deepEqual(await policyNames(), ['Two operators', 'Gone'])
})

test('a user who changes keys between votes has 32 votes a day on one activity, and the others still settle it', async () => {
  const { service, a, b, propose, approve } = await operators()
  const { fingerprint } = await propose(a, 'Many votes')
  const { userId } = a
  let by = a
  const withAnotherKey = async () => {
    const { json } = await service.query(by, 'get_api_keys', { userId })
    const apiKeyIds = json.apiKeys.map((apiKey: { readonly apiKeyId: string }) => apiKey.apiKeyId)
    const key = service.newKey()
    const apiKeys = [{ apiKeyName: 'Next', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
    await service.done(by, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys })
    by = { ...a, key }
    await service.done(by, 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds })
    return by
  }
  for (let votes = 2; votes <= 32; votes += 1) {
    const { activity } = (await approve(await withAnotherKey(), fingerprint)).json
    assert.equal(activity.votes.length, votes)
  }
  const refused = await approve(await withAnotherKey(), fingerprint)
  assert.equal(refused.status, 400)
  assert.match(refused.json.message, /has 32 votes of this user from the last 24 hours/)

  service.world.advance(24 * HOUR_MS)
  assert.equal(statusOf(await approve(by, fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(b, fingerprint)), COMPLETED)
})

test('what cannot be judged any more is taken back by who asked, or stopped by any root user', async () => {
  const { service, root, b, outsider, reject } = await operators()
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two sign',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() > 1',
    notes: '',
  })
  for (const stopping of [root, outsider]) {
    const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        { privateKeyName: 'Gone', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
      ],
    })
    const { privateKeyId } = privateKeys[0]
    service.world.advance(1)
    const { json } = await service.submit(outsider, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: privateKeyId,
      payload: 'abcd',
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    })
    assert.equal(json.activity.status, NEEDED)
    const gone = { privateKeyIds: [privateKeyId], deleteWithoutExport: true }
    await service.done(root, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', gone)

    assert.equal((await reject(b, json.activity.fingerprint)).status, 404)
    assert.equal(statusOf(await reject(stopping, json.activity.fingerprint)), 'ACTIVITY_STATUS_REJECTED')
  }
})

test('of several payments in one request, each may need another approver, in any order', async () => {
  const { service, root, a, b, c, outsider, approve, reject } = await operators()
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Treasury', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  const by = ({ userId }: Member) => `approvers.any(u, u.id == '${userId}')`
  for (const [condition, consensus] of [
    ['eth.tx.value == 0', 'true'],
    ['eth.tx.value == 5', `${by(a)} && ${by(b)}`],
    ['eth.tx.value > 5', `${by(a)} && ${by(c)}`],
  ] as const) {
    const terms = { policyName: condition, effect: 'EFFECT_ALLOW', condition, consensus, notes: '' }
    await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', terms)
  }
  const payloads = [0n, 5n, 100n].map((value) =>
    serializeTransaction({ type: 'eip1559', chainId: 1, gas: 21_000n, to: `0x${'a'.repeat(40)}`, value }),
  )
  const proposed = async () => {
    service.world.advance(1)
    const { json } = await service.submit(a, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      signWith: privateKeys[0].privateKeyId,
      payloads,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    })
    return json.activity
  }
  for (const [first, second] of [
    [b, c],
    [c, b],
  ] as const) {
    const { id: activityId, fingerprint, status } = await proposed()
    assert.equal(status, NEEDED)
    for (const [member, mayApprove] of [
      [b, true],
      [c, true],
      [outsider, false],
    ] as const) {
      const { activity } = (await service.query(member, 'get_activity', { activityId })).json
      assert.equal(activity.canApprove, mayApprove)
    }
    // A say in a payment that waits for nobody is none in the others.
    for (const vote of [approve, reject]) assert.equal((await vote(outsider, fingerprint)).status, 403)
    assert.equal(statusOf(await approve(first, fingerprint)), NEEDED)
    assert.equal(statusOf(await approve(second, fingerprint)), COMPLETED)
  }
  // Also where the vote of the proposer has lapsed, which may be renewed at any time.
  const { id: activityId, fingerprint } = await proposed()
  service.world.advance(24 * HOUR_MS)
  for (const vote of [approve, reject]) assert.equal((await vote(outsider, fingerprint)).status, 403)
  for (const member of [b, c]) {
    assert.equal(statusOf(await approve(member, fingerprint)), NEEDED)
    const { judgement } = (await service.query(root, 'explain_activity', { activityId })).json
    assert.equal(judgement.decision, 'wait')
  }
  assert.equal(statusOf(await approve(a, fingerprint)), COMPLETED)
})

test('any root user stops what a policy denies by now', async () => {
  const { service, root, second, bystander, propose, approve, reject } = await twoRoots()
  const agreed = async (type: string, parameters: object, ...others: readonly Member[]) => {
    service.world.advance(1)
    const asked = await service.submit(root, type, parameters)
    let last = asked
    for (const other of others) last = await approve(other, asked.json.activity.fingerprint)
    assert.equal(statusOf(last), COMPLETED)
  }
  const userIds = [root, second, bystander].map(({ userId }) => userId)
  await agreed('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 3, userIds }, second)
  const { fingerprint } = await propose(root, 'Denied by now')
  const terms = { policyName: 'None', effect: 'EFFECT_DENY', condition: "activity.resource == 'POLICY'" }
  await agreed('ACTIVITY_TYPE_CREATE_POLICY_V3', { ...terms, notes: '' }, second, bystander)

  assert.equal((await approve(second, fingerprint)).status, 403)
  assert.equal(statusOf(await reject(second, fingerprint)), 'ACTIVITY_STATUS_REJECTED')
})

test('what waits is judged by the policies there are when someone votes', async () => {
  const { service, root, a, b, propose, approve, policyId } = await operators()
  const { fingerprint } = await propose(a, 'Policy gone')
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  assert.equal((await approve(b, fingerprint)).status, 403)
  assert.equal(statusOf(await approve(root, fingerprint)), COMPLETED)
})

test('a vote is no longer than it has to be, and a request that is repeated leaves room for votes', async () => {
  const { service, root, second } = await twoRoots()
  const { sent, bodyOf } = byHand(service)
  const long = bodyOf('ACTIVITY_TYPE_CREATE_POLICY_V3', policyNamed('Long')).replace(
    '{',
    `{${'\n'.repeat(1_040_000)}`,
  )
  const proposed = (await sent(root, 'create_policy', long)).json.activity
  assert.equal(proposed.status, NEEDED)

  const padded = bodyOf('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: proposed.fingerprint })
  const refused = await sent(second, 'approve_activity', padded.padEnd(16 * 1024 + 1))
  assert.equal(refused.status, 400, refused.text)
  assert.match(refused.json.message, /the vote has more than 16384 characters/)
  const repeated = await sent(second, 'create_policy', long)
  assert.equal(repeated.status, 400)
  assert.match(repeated.json.message, /vote with approve_activity/)

  assert.equal(statusOf(await sent(second, 'approve_activity', padded.padEnd(16 * 1024))), COMPLETED)
})

test('the votes of a request and a repetition of it may have 2,097,152 characters together, and not one more', async () => {
  const { service, root, second } = await twoRoots()
  const { sent, bodyOf } = byHand(service)
  // Signatures of this kind of key all have one length.
  const key = service.newKey('SIGNATURE_SCHEME_TK_API_ED25519')
  await service.done(second, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
    userId: second.userId,
    apiKeys: [{ apiKeyName: 'Ed', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_ED25519' }],
  })
  const proposed = async (padding: string) => {
    const body = bodyOf('ACTIVITY_TYPE_CREATE_POLICY_V3', policyNamed('Padded')).replace('{', `{${padding}`)
    const { activity } = (await sent({ ...second, key }, 'create_policy', body)).json
    const row = present(await service.store.activity(service.organizationId, activity.id), activity.id)
    return { body, characters: row.votes.length + body.length }
  }
  const missing = 2 * 1024 * 1024 - (await proposed('')).characters
  // A space is one character of the request and one of its vote; a line feed is two of its vote.
  const spaces = (characters: number) =>
    characters % 2 === 0 ? ' '.repeat(characters / 2) : `\n${' '.repeat((characters - 3) / 2)}`
  const [most, more] = [await proposed(spaces(missing)), await proposed(spaces(missing + 1))]
  assert.deepEqual([most.characters, more.characters], [2 * 1024 * 1024, 2 * 1024 * 1024 + 1])

  assert.match((await sent(root, 'create_policy', more.body)).json.message, /vote with approve_activity/)
  assert.equal(statusOf(await sent(root, 'create_policy', most.body)), COMPLETED)
})

test('when the quorum has been lowered, only who is of it settles or stops what waits', async () => {
  for (const cast of ['approve', 'reject'] as const) {
    const { service, root, second, bystander, propose, policyNames, ...votes } = await twoRoots()
    const { fingerprint } = await propose(root, 'Lowered')
    service.world.advance(1)
    const quorum = { threshold: 1, userIds: [root.userId, second.userId] }
    const asked = await service.submit(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum)
    assert.equal(statusOf(await votes.approve(second, asked.json.activity.fingerprint)), COMPLETED)

    const refused = await votes[cast](bystander, fingerprint)
    assert.equal(refused.status, 403, refused.text)
    assert.deepEqual(await policyNames(), [])

    const settled = await votes[cast](cast === 'approve' ? root : second, fingerprint)
    assert.equal(statusOf(settled), cast === 'approve' ? COMPLETED : 'ACTIVITY_STATUS_REJECTED')
  }
})

test('the same vote again changes nothing, also where it would be enough by now', async () => {
  const { service, root, second, bystander, propose, approve } = await twoRoots()
  const userIds = [root, second, bystander].map(({ userId }) => userId)
  const agreed = async (threshold: number, ...others: readonly Member[]) => {
    service.world.advance(1)
    const asked = await service.submit(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold, userIds })
    for (const other of others) await approve(other, asked.json.activity.fingerprint)
  }
  await agreed(3, second)
  const { fingerprint } = await propose(root, 'Of three')
  service.world.advance(1)
  const timestampMs = service.world.now()
  const vote = () =>
    service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }, { timestampMs })
  assert.equal(statusOf(await vote()), NEEDED)
  await agreed(2, second, bystander)
  assert.equal(statusOf(await vote()), NEEDED)
  assert.equal(statusOf(await approve(second, fingerprint)), COMPLETED)
})

test('when a policy has been loosened, only who it counts settles or stops what waits', async () => {
  for (const cast of ['approve', 'reject'] as const) {
    const { service, root, a, b, outsider, propose, policyId, ...votes } = await operators()
    const { fingerprint } = await propose(a, 'Loosened')
    const update = (policyConsensus: string) =>
      service.done(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyConsensus })
    await update(`approvers.any(u, u.id == '${a.userId}') || approvers.any(u, u.id == '${b.userId}')`)

    assert.equal((await votes[cast](outsider, fingerprint)).status, 403)

    const settled = await votes[cast](b, fingerprint)
    assert.equal(statusOf(settled), cast === 'approve' ? COMPLETED : 'ACTIVITY_STATUS_REJECTED')
  }
})

test('a policy that asks for nobody in particular, or for anybody but one, gives everybody else a say', async () => {
  for (const consensus of ['true', 'approvers.count() > 1', 'approvers.all(u, u.id != "OUT")']) {
    const { service, root, a, b, c, propose, policyId, approve } = await operators()
    const { fingerprint } = await propose(a, 'Anybody')
    const policyConsensus = consensus.replace('"OUT"', `'${c.userId}'`)
    await service.done(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyConsensus })
    if (policyConsensus !== consensus) assert.equal((await approve(c, fingerprint)).status, 403)
    assert.equal(statusOf(await approve(b, fingerprint)), COMPLETED, consensus)
  }
})

test('who has voted and has lost their say stops nothing, and who asked may always take it back', async () => {
  const { service, root, a, b, c, propose, approve, reject, policyId } = await operators()
  const three = `approvers.filter(u, u.id in ['${a.userId}', '${b.userId}', '${c.userId}']).count() > 2`
  const two = `approvers.filter(u, u.id in ['${root.userId}', '${c.userId}']).count() > 1`
  const update = (policyConsensus: string) =>
    service.done(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyConsensus })
  await update(three)
  const { fingerprint } = await propose(a, 'No say any more')
  assert.equal(statusOf(await approve(b, fingerprint)), NEEDED)
  await update(two)
  assert.equal((await reject(b, fingerprint)).status, 403)
  assert.equal(statusOf(await reject(a, fingerprint)), 'ACTIVITY_STATUS_REJECTED')
})

test('what fails once it has been approved is a failed activity that says why', async () => {
  const { service, root, second, propose, approve } = await twoRoots()
  const first = await propose(root, 'Same name')
  const other = await propose(second, 'Same name')
  assert.equal(statusOf(await approve(second, first.fingerprint)), COMPLETED)
  const failed = await approve(root, other.fingerprint)
  assert.equal(failed.status, 200)
  const { activity } = failed.json
  assert.equal(activity.status, 'ACTIVITY_STATUS_FAILED')
  assert.equal(activity.failure.code, 3)
  assert.match(activity.failure.message, /policy label must be unique/)
  assert.equal(activity.votes.length, 2)
  const stored = await service.query(root, 'get_activity', { activityId: activity.id })
  assert.deepEqual(stored.json.activity, activity)
})

test('a bug in what has been approved is reported, and the activity goes on waiting', async () => {
  const broken = activities.map((activity) =>
    activity.operation === 'create_policy'
      ? {
          ...activity,
          execute: () => {
            throw new Error('a bug of ours')
          },
        }
      : activity,
  )
  const { service, root, second, propose, approve } = await twoRoots({ activities: broken })
  const { id, fingerprint } = await propose(root, 'Broken')
  await assert.rejects(approve(second, fingerprint), /met a bug/)
  const { json } = await service.query(root, 'get_activity', { activityId: id })
  assert.equal(json.activity.status, NEEDED)
  assert.equal(json.activity.votes.length, 1)
})

test('a fingerprint of nothing that waits is not found', async () => {
  const { service, root, second, approve, reject } = await twoRoots()
  const { json } = await service.query(root, 'list_activities', { paginationOptions: { limit: '1' } })
  const [completed] = json.activities
  assert.equal(completed.status, COMPLETED)
  const message =
    'No activity found with fingerprint. Consensus activities must target an existing activity by fingerprint'
  for (const fingerprint of [`sha256:${'0'.repeat(64)}`, 'anything', completed.fingerprint]) {
    for (const cast of [approve, reject]) {
      const refused = await cast(second, fingerprint)
      assert.equal(refused.status, 404)
      assert.deepEqual(refused.json, { code: 5, message, details: [] })
    }
  }
})

test('a policy that names approvals is accepted, and changes nothing about who may vote', async () => {
  const { service, a, outsider, root, propose, approve } = await operators()
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Outsider approves',
    effect: 'EFFECT_ALLOW',
    condition: "activity.type == 'ACTIVITY_TYPE_APPROVE_ACTIVITY'",
    consensus: `approvers.any(u, u.id == '${outsider.userId}')`,
    notes: '',
  })
  const { fingerprint } = await propose(a, 'Still two')
  assert.equal((await approve(outsider, fingerprint)).status, 403)
})
