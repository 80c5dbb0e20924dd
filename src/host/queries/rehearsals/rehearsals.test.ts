import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { costs } from '../../../trusted/base/costs.ts'
import { Pace, SLICE } from '../../../trusted/base/work.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../../../../test/support/service.ts'

const service: TestService = await aService()
const { root } = service
after(() => service.close())
const ada = await service.user('Ada')

const SIGN = "activity.action == 'SIGN'"
const payload = (signWith: string) => ({
  signWith,
  payload: 'hello',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
})

let names = 0
async function aKey(): Promise<string> {
  const created = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: `Key ${names++}`, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  return created.privateKeys[0].privateKeyId
}

async function aPolicy(effect: string, condition: string): Promise<string> {
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: `Policy ${names++}`,
    effect,
    condition,
    notes: '',
  })
  return made.policyId
}

async function tried(by: Member, asked: object): Promise<JsonAnswer> {
  const { status, json } = await service.query(by, 'try_activity', {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    ...asked,
  })
  assert.equal(status, 200, JSON.stringify(json))
  return json
}

test('a request that is tried is judged as it would be when it is made, and leaves nothing behind', async () => {
  const key = await aKey()
  const policyId = await aPolicy('EFFECT_ALLOW', `private_key.id == '${key}'`)
  const before = await service.query(root, 'list_activities', {})
  const { judgement } = await tried(ada, { parameters: payload(key) })
  assert.deepEqual([judgement.decision, judgement.asked], ['allow', true])
  assert.deepEqual(judgement.explanations, [], 'it was not asked for')
  const own = judgement.policyEvaluations.filter((item: JsonAnswer) => item.policyId === policyId)
  assert.deepEqual(own, [{ policyId, outcome: 'OUTCOME_ALLOW' }])
  const other = await tried(ada, { parameters: payload(await aKey()) })
  assert.equal(other.judgement.decision, 'deny')
  const asRoot = await tried(ada, { parameters: payload(key), userId: root.userId })
  assert.deepEqual([asRoot.judgement.decision, asRoot.judgement.asked], ['allow', false])
  const bad = await service.query(ada, 'try_activity', {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    parameters: { ...payload(key), signWith: 'nothing' },
  })
  assert.deepEqual([bad.status, bad.json.code], [404, 5])
  const afterwards = await service.query(root, 'list_activities', {})
  // The second key was made meanwhile, and nothing else.
  assert.equal(afterwards.json.activities.length, Math.min(10, before.json.activities.length + 1))
  assert.equal((await service.submit(ada, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', payload(key))).status, 200)
})

test('a refusal is explained down to each value', async () => {
  const key = await aKey()
  const policyId = await aPolicy('EFFECT_DENY', `private_key.id == '${key}' && ${SIGN}`)
  const refused = await service.submit(ada, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', payload(key))
  assert.equal(refused.status, 403)
  const { json: listed } = await service.query(root, 'list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_FAILED'],
  })
  const { status, json } = await service.query(ada, 'explain_activity', {
    activityId: listed.activities[0].id,
  })
  assert.equal(status, 200, JSON.stringify(json))
  assert.deepEqual([json.judgement.decision, json.judgement.deniedBy], ['deny', [policyId]])
  const told = json.judgement.explanations[0].policies.find(
    (policy: JsonAnswer) => policy.policyId === policyId,
  )
  assert.equal(told.outcome, 'OUTCOME_DENY_EXPLICIT')
  assert.deepEqual(told.condition.result, { value: 'true' })
  assert.match(
    JSON.stringify(told.condition.whole),
    new RegExp(`"text":"private_key.id","result":\\{"value":"'${key}'"`),
  )
})

test('an explanation takes no steps away from the judgement that it explains', async () => {
  const own = service.of(await service.newOrganization())
  const bea = await own.user('Bea')
  const items = Array.from({ length: 90 }, (_, at) => at).join(', ')
  // All of them take most of the steps that one decision may take.
  const policies = Array.from({ length: 12 }, (_, at) => ({
    policyName: `Long ${at}`,
    effect: 'EFFECT_ALLOW',
    condition: `[${items}].all(a, [${items}].all(b, a >= 0 && b >= 0))`,
    notes: '',
  }))
  await own.done(own.root, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
  const { judgement } = await tried(bea, {
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    parameters: { userTagName: 'Tag', userIds: [] },
    explain: true,
  })
  assert.equal(judgement.decision, 'allow')
  const outcomes = judgement.explanations[0].policies.map(({ outcome }: JsonAnswer) => outcome)
  assert.deepEqual(outcomes, Array(policies.length).fill('OUTCOME_ALLOW'))
})

test('the explanations of the parts of one request are no longer together than that of one part', async () => {
  const signWith = await aKey()
  const numbers = Array.from({ length: 64 }, (_, at) => at)
  const types = {
    EIP712Domain: [{ name: 'name', type: 'string' }],
    List: [{ name: 'numbers', type: 'uint256[]' }],
  }
  const payloads = Array.from({ length: 10 }, (_, at) =>
    JSON.stringify({ domain: { name: `${at}` }, primaryType: 'List', types, message: { numbers } }),
  )
  const given = "eth.eip_712.message['numbers']"
  const condition = `${given}.all(a, ${given}.all(b, [eth, eth].count() > 0))`
  const { drafted } = await tried(ada, {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
    parameters: {
      signWith,
      payloads,
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    },
    explain: true,
    draft: { policies: [{ policyName: 'Long', effect: 'EFFECT_ALLOW', condition }] },
  })
  assert.equal(drafted.decision, 'allow')
  const characters = JSON.stringify(drafted.explanations).length
  assert.ok(characters > 1_000_000 && characters < 2_500_000, `${characters} characters`)
})

test('an explanation judges a request by the key that stamped it, and not by other keys of the same user', async () => {
  const signWith = await aKey()
  const second = service.newKey()
  await service.done(root, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
    userId: ada.userId,
    apiKeys: [{ apiKeyName: 'Second', publicKey: second.publicKey, curveType: 'API_KEY_CURVE_P256' }],
  })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Signatures with the second key',
    effect: 'EFFECT_ALLOW',
    condition: `private_key.id == '${signWith}'`,
    consensus: `credentials.any(c, c.public_key == '${second.publicKey}')`,
    notes: '',
  })
  const explainedFor = async (member: Member, text: string): Promise<readonly string[]> => {
    const parameters = { ...payload(signWith), payload: text }
    service.world.advance(1)
    await service.submit(member, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters)
    const { json: listed } = await service.query(root, 'list_activities', {
      paginationOptions: { limit: '1' },
    })
    const [newest] = listed.activities
    const { json } = await service.query(ada, 'explain_activity', { activityId: newest.id })
    return [newest.status, json.judgement.decision]
  }
  assert.deepEqual(await explainedFor({ ...ada, key: second }, 'one'), ['ACTIVITY_STATUS_COMPLETED', 'allow'])
  assert.deepEqual(await explainedFor(ada, 'two'), ['ACTIVITY_STATUS_FAILED', 'deny'])
})

test('a draft is replayed against what was done, and says whom it would refuse', async () => {
  const key = await aKey()
  const allow = await aPolicy('EFFECT_ALLOW', `private_key.id == '${key}'`)
  const signed = await service.submit(ada, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', payload(key))
  assert.equal(signed.status, 200)
  const replay = async (draft: object) => {
    const { status, json } = await service.query(root, 'replay_policies', {
      draft,
      paginationOptions: { limit: '100' },
    })
    assert.equal(status, 200, JSON.stringify(json))
    return json
  }
  const without = await replay({ withoutPolicyIds: [allow] })
  const own = without.differences.find(
    (difference: JsonAnswer) => difference.activityId === signed.json.activity.id,
  )
  assert.deepEqual([own.before.decision, own.after.decision], ['allow', 'deny'])
  assert.ok(without.replayed.includes(signed.json.activity.id))
  const same = await replay({ policies: [{ policyName: 'More', effect: 'EFFECT_DENY', condition: 'false' }] })
  assert.deepEqual(same.differences, [])
  const broken = await service.query(root, 'replay_policies', {
    draft: { policies: [{ policyName: 'Broken', effect: 'EFFECT_DENY', condition: 'nothing.at.all' }] },
  })
  assert.equal(broken.status, 400)
  assert.match(broken.json.message, /^invalid policy condition: /)
})

test('a draft is replayed as if it had been in force when the request was made, and at each approval', async () => {
  const own = service.of(await service.newOrganization())
  const [maker, checker] = [await own.user('Maker'), await own.user('Checker')]
  const named = ({ userId }: Member) => `approvers.any(u, u.id == '${userId}')`
  const condition = "activity.kind == 'CREATE_USER_TAG'"
  const { policyId } = await own.done(own.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Both',
    effect: 'EFFECT_ALLOW',
    condition,
    consensus: `${named(maker)} && ${named(checker)}`,
    notes: '',
  })
  const waiting = await own.submit(maker, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Tag',
    userIds: [],
  })
  const { fingerprint } = waiting.json.activity
  own.world.advance(1)
  const approved = await own.submit(checker, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(approved.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  const decisionsUnder = async (consensus: string): Promise<readonly string[]> => {
    const draft = {
      policies: [{ policyId, policyName: 'Draft', effect: 'EFFECT_ALLOW', condition, consensus }],
    }
    const { json } = await own.query(own.root, 'replay_policies', {
      draft,
      paginationOptions: { limit: '100' },
    })
    return json.differences.map(
      ({ before, after: then }: JsonAnswer) => `${before.decision} ${then.decision}`,
    )
  }
  // It would have been carried out when it was made.
  assert.deepEqual(await decisionsUnder(named(maker)), [])
  // Its maker would have been refused, and nobody asked.
  assert.deepEqual(await decisionsUnder(named(checker)), ['allow deny'])
  // The approval would have been refused, and the request gone on waiting.
  const waits = ['allow wait']
  assert.deepEqual(await decisionsUnder(`${named(maker)} && ${named(own.root)}`), waits)
  assert.deepEqual(await decisionsUnder(`${named(maker)} && approvers.count() >= 3`), waits)
})

test('an approval that had lapsed counts in no explanation and in no replay', async () => {
  const own = service.of(await service.newOrganization())
  const [maker, checker] = [await own.user('Maker'), await own.user('Checker')]
  const condition = "activity.kind == 'CREATE_USER_TAG'"
  const two = { policyName: 'Two', effect: 'EFFECT_ALLOW', condition, consensus: 'approvers.count() >= 2' }
  const { policyId } = await own.done(own.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', { ...two, notes: '' })
  const tag = { userTagName: 'Tag', userIds: [] }
  const { fingerprint, id } = (await own.submit(maker, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)).json.activity
  const approved = async (by: Member) => {
    const { json } = await own.submit(by, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    const { judgement } = (await own.query(own.root, 'explain_activity', { activityId: id })).json
    const draft = { policies: [{ ...two, policyId, consensus: 'approvers.count() >= 3' }] }
    const { differences } = (await own.query(own.root, 'replay_policies', { draft })).json
    return [json.activity.status, judgement.decision, differences.length]
  }
  own.world.advance(25 * 60 * 60 * 1000)
  assert.deepEqual(await approved(checker), ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'wait', 0])
  // The request is still that of the one who made it.
  assert.deepEqual(await approved(maker), ['ACTIVITY_STATUS_COMPLETED', 'allow', 1])
})

test('others have their turn between two activities of a replay', async (t) => {
  const pace = new Pace(async () => {})
  const paced = await aService({ pace })
  t.after(() => paced.close())
  const count = 60
  for (let at = 0; at < count; at++)
    await paced.done(paced.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: `Tag ${at}`, userIds: [] })
  const before = pace.waits
  const { json } = await paced.query(paced.root, 'replay_policies', {
    draft: { policies: [] },
    paginationOptions: { limit: String(count) },
  })
  assert.equal(json.replayed.length, count)
  const slices = Math.floor((count * costs.request) / SLICE)
  assert.ok(pace.waits - before >= slices, `${pace.waits - before} turns for ${slices} slices`)
})

test('a page of a replay that is too much work is refused, and no activity of it called too expensive', async () => {
  const own = service.of(await service.newOrganization())
  const member = await own.user('Member')
  const { privateKeys } = await own.done(own.root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  const { payload: _, ...how } = payload(privateKeys[0].privateKeyId)
  const payloads = Array.from({ length: 1_000 }, (__, index) => String(index))
  // The last of them is the first that is too much.
  const TOO_MANY = 7
  for (let at = 0; at < TOO_MANY; at++) {
    own.world.advance(1)
    const refused = await own.submit(member, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', { ...how, payloads })
    assert.equal(refused.status, 403)
  }
  const condition = `${SIGN} ${'&& true '.repeat(2_000)} && false`
  const policies = [1, 2, 3].map((at) => ({ policyName: `Long ${at}`, effect: 'EFFECT_DENY', condition }))
  const { status, json } = await own.query(own.root, 'replay_policies', {
    draft: { policies },
    paginationOptions: { limit: String(TOO_MANY) },
  })
  assert.equal(status, 400, JSON.stringify(json.unclear))
  assert.match(json.message, /needs more work than/)
})

test('a draft whose policies have more parts than a request has room for in the usual words is refused', async () => {
  const condition = Array.from({ length: 1_600 }, () => '1<2').join('||')
  const terms = { effect: 'EFFECT_DENY', condition, consensus: condition }
  const draftOf = (count: number) => ({
    policies: Array.from({ length: count }, (_, at) => ({ policyName: `${at}`, ...terms })),
  })
  const replayed = async (count: number) =>
    await service.query(root, 'replay_policies', {
      draft: draftOf(count),
      paginationOptions: { limit: '1' },
    })
  assert.equal((await replayed(2)).status, 200)
  const { status, json } = await replayed(21)
  assert.equal(status, 400)
  assert.equal(
    json.message,
    'the draft is too large: its expressions have 201642 parts, of 200000 at most; draft fewer policies at once',
  )
})

test('nobody of another organization can try or replay', async () => {
  const stranger = await service.newOrganization()
  for (const [operation, asked] of [
    ['try_activity', { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters: payload('x') }],
    ['replay_policies', { draft: {} }],
  ] as const) {
    const { status } = await service.query(
      { ...stranger, organizationId: root.organizationId },
      operation,
      asked,
    )
    assert.equal(status, 401, operation)
  }
})

test("policies of a parent are told to the parent's users, and to nobody of its sub-organizations", async () => {
  const policyId = await aPolicy('EFFECT_ALLOW', "activity.kind == 'nobody else knows this one'")
  const key = service.newKey()
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Customer',
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: 'Eve',
        apiKeys: [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
      },
    ],
  })
  const organizationId = made.subOrganizationId
  const eve = { organizationId, userId: made.rootUserIds[0], key }
  const { publicKey: targetPublicKey } = service.newKey()
  const asked = {
    organizationId,
    type: 'ACTIVITY_TYPE_EMAIL_AUTH_V3',
    parameters: { email: 'eve@example.com', targetPublicKey, emailCustomization: { appName: 'Shop' } },
    userId: ada.userId,
    explain: true,
  }
  const byEve = await service.query(eve, 'try_activity', asked)
  assert.equal(byEve.status, 404)
  assert.ok(!byEve.text.includes('nobody else knows'), byEve.text)
  const byParent = await service.query(ada, 'try_activity', asked)
  assert.equal(byParent.status, 200, byParent.text)
  assert.ok(byParent.text.includes(policyId) && byParent.text.includes('nobody else knows'))

  // What no policy of a parent can allow in a sub-organization is refused like the request itself.
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG'
  const parameters = { userTagName: 'Tag', userIds: [] }
  for (const by of [root, ada]) {
    const tag = await service.query(by, 'try_activity', { organizationId, type, parameters })
    const real = await service.submit(by, type, parameters, { organizationId })
    assert.deepEqual([tag.status, tag.json], [400, real.json])
  }
})

test('a vote is tried with the request that it is about, and not alone', async () => {
  for (const type of ['ACTIVITY_TYPE_APPROVE_ACTIVITY', 'ACTIVITY_TYPE_REJECT_ACTIVITY']) {
    const parameters = { fingerprint: `sha256:${'00'.repeat(32)}` }
    const { status, json } = await service.query(root, 'try_activity', { type, parameters })
    assert.deepEqual([status, json.code], [400, 3])
    assert.match(json.message, /^a vote is judged with the request that it is about/)
  }
})

/** How each of the explained payloads is judged, where policies allow all but one. */
async function explained(payloads: number, refused: number): Promise<readonly string[]> {
  const key = await aKey()
  await aPolicy(
    'EFFECT_ALLOW',
    `private_key.id == '${key}' && eth.eip_7702_authorization.nonce != ${refused}`,
  )
  const authorization = (nonce: number) =>
    JSON.stringify({ address: `0x${'11'.repeat(20)}`, chainId: 1, nonce })
  const { judgement } = await tried(ada, {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
    parameters: {
      signWith: key,
      payloads: Array.from({ length: payloads }, (_, nonce) => authorization(nonce)),
      encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    },
    explain: true,
  })
  assert.equal(judgement.decision, 'deny')
  return judgement.explanations.map((explanation: JsonAnswer) => explanation.decision)
}

function allowed(count: number): readonly string[] {
  return Array.from({ length: count }, () => 'allow')
}

test('of many things that a request does, the ten that matter most are explained', async () => {
  assert.deepEqual(await explained(12, 11), ['none', ...allowed(9)])
})

test('up to ten things that a request does are explained in the order of the request', async () => {
  assert.deepEqual(await explained(2, 1), ['allow', 'none'])
  assert.deepEqual(await explained(10, 9), [...allowed(9), 'none'])
})

test('a refused request of which only the beginning is stored is told as that', async () => {
  const key = await aKey()
  const payloads = Array.from({ length: 1_000 }, (_, at) => `a payload with the number ${at}`)
  const { payload: _, ...how } = payload(key)
  service.world.advance(1)
  const refused = await service.submit(ada, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', { ...how, payloads })
  assert.equal(refused.status, 403)
  const listed = await service.query(root, 'list_activities', { paginationOptions: { limit: '1' } })
  const activityId = listed.json.activities[0].id
  const reason = `only the beginning of the request of activity ${activityId} is stored, because it was refused and is long, so it cannot be evaluated`
  const replayed = await service.query(root, 'replay_policies', {
    draft: {},
    paginationOptions: { limit: '1' },
  })
  assert.deepEqual(replayed.json.unclear, [{ activityId, reason }])
  const explained = await service.query(root, 'explain_activity', { activityId })
  assert.deepEqual([explained.status, explained.json.message], [400, reason])
})
