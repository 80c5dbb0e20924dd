import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aSubOrganizationOf, aTarget } from '../../../trusted/activities/sessions/testing/logins.ts'
import { present } from '../../../trusted/base/assert.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../../../../test/support/service.ts'

const service: TestService = await aService()
const { root } = service
after(() => service.close())

const HOUR = 60 * 60 * 1000
const TYPE = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'

let names = 0
async function aKey(): Promise<string> {
  const name = `Key ${names++}`
  const created = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [{ privateKeyName: name, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }],
  })
  return created.privateKeys[0].privateKeyId
}

function policy(condition: string, effect = 'EFFECT_ALLOW') {
  return { policyName: `Policy ${names++}`, effect, condition, notes: '' }
}

async function aPolicy(condition: string): Promise<string> {
  return (await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy(condition))).policyId
}

async function removed(policyId: string): Promise<void> {
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
}

const payload = (signWith: string) => ({
  signWith,
  payload: `${names++}`,
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
})

async function signed(by: Member, signWith: string): Promise<JsonAnswer> {
  service.world.advance(1)
  return (await service.submit(by, TYPE, payload(signWith))).json
}

async function asked(by: Member, operation: string, body: object): Promise<JsonAnswer> {
  const { status, json } = await service.query(by, operation, body)
  assert.equal(status, 200, JSON.stringify(json))
  return json
}

async function tried(by: Member, signWith: string, more: object = {}): Promise<JsonAnswer> {
  return await asked(by, 'try_activity', { type: TYPE, parameters: payload(signWith), ...more })
}

const limit = (key: string, most: number) =>
  `private_key.id == '${key}' && usage.count('1h', private_key.id) <= ${most}`

test('a request is tried against what was really used, and trying it uses nothing', async () => {
  const ada = await service.user('Ada')
  const key = await aKey()
  const policyId = await aPolicy(limit(key, 2))
  for (const _ of [1, 2, 3]) assert.equal((await tried(ada, key)).judgement.decision, 'allow')
  await signed(ada, key)
  assert.equal((await tried(ada, key)).judgement.decision, 'allow')
  await signed(ada, key)
  const { judgement } = await tried(ada, key, { explain: true })
  assert.equal(judgement.decision, 'deny')
  assert.match(
    JSON.stringify(judgement.explanations),
    /"text":"usage\.count\('1h', private_key\.id\)","result":\{"value":"3"\}/,
  )
  service.world.advance(2 * HOUR)
  assert.equal((await tried(ada, key)).judgement.decision, 'allow')
  await removed(policyId)
})

test('a draft sees what its meter has counted where policies ask it already, and nothing where none did', async () => {
  const bea = await service.user('Bea')
  const key = await aKey()
  const policyId = await aPolicy(limit(key, 3))
  await signed(bea, key)
  await signed(bea, key)
  const drafted = async (condition: string) => {
    const draft = { policies: [{ ...policy(condition), notes: undefined, policyId }] }
    return (await tried(bea, key, { draft })).drafted.decision
  }
  assert.equal(await drafted(limit(key, 2)), 'deny')
  assert.equal(await drafted(limit(key, 3)), 'allow')
  assert.equal(await drafted(`usage.count('2h', private_key.id) <= 1`), 'allow')
  await removed(policyId)
})

test("a request of the parent is tried against what the parent's policies have counted", async () => {
  const cyd = await service.user('Cyd')
  const email = 'grace@example.com'
  const [grace] = await aSubOrganizationOf(service, [{ userName: 'Grace', userEmail: email }])
  const { organizationId } = present(grace, 'the user of the sub-organization')
  const feature = { name: 'FEATURE_NAME_EMAIL_RECOVERY' }
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature)
  const type = 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2'
  const policyId = await aPolicy(`activity.type == '${type}' && usage.count('1h', usage.user) <= 1`)
  const parameters = {
    email,
    targetPublicKey: aTarget(service).publicKey,
    emailCustomization: { appName: 'Shop' },
  }
  const decision = async () =>
    (await asked(cyd, 'try_activity', { organizationId, type, parameters })).judgement.decision
  assert.equal(await decision(), 'allow')
  await service.done(cyd, type, parameters, { organizationId })
  assert.equal(await decision(), 'deny')
  await removed(policyId)
})

test('a refusal by a limit is explained by what was used then', async () => {
  const dan = await service.user('Dan')
  const key = await aKey()
  const policyId = await aPolicy(limit(key, 1))
  await signed(dan, key)
  const refused = await signed(dan, key)
  assert.equal(refused.code, 7)
  const { activities } = await asked(root, 'list_activities', { paginationOptions: { limit: '2' } })
  const explained = async (activityId: string) =>
    (await asked(root, 'explain_activity', { activityId })).judgement.decision
  // The request that was carried out is not taken for one of those before it.
  assert.deepEqual(await Promise.all(activities.map(({ id }: JsonAnswer) => explained(id))), [
    'deny',
    'allow',
  ])
  service.world.advance(HOUR / 2)
  assert.equal(await explained(activities[0].id), 'deny')
  await removed(policyId)
})

test('a draft with a limit is replayed from nothing, and says which signatures it would have refused', async () => {
  const eve = await service.user('Eve')
  const key = await aKey()
  const policyId = await aPolicy(`private_key.id == '${key}'`)
  const ids: string[] = []
  for (const pause of [0, 0, 0, 2 * HOUR, 0, 0]) {
    service.world.advance(pause)
    ids.push((await signed(eve, key)).activity.id)
  }
  const draft = { policies: [{ ...policy(limit(key, 2)), notes: undefined, policyId }] }
  const replay = async (more: object) => await asked(root, 'replay_policies', { draft, ...more })
  const { differences, unclear } = await replay({ paginationOptions: { limit: '6' } })
  const told = ({ activityId, before, after: then }: JsonAnswer) => [
    activityId,
    before.decision,
    then.decision,
  ]
  const expected = [ids[2], ids[5]].map((id) => [id, 'allow', 'deny'])
  assert.deepEqual(differences.map(told), expected)
  assert.deepEqual(unclear, [])

  // Page by page, from old to new, what was used goes along.
  const found: JsonAnswer[] = []
  let before = (await asked(root, 'list_activities', { paginationOptions: { limit: '7' } })).activities[6].id
  let used: JsonAnswer
  for (const _ of [1, 2, 3]) {
    const page = await replay({ paginationOptions: { limit: '2', before }, ...(used && { used }) })
    found.push(...page.differences)
    used = page.used
    before = page.replayed[0]
  }
  assert.deepEqual(found.map(told), expected)
  await removed(policyId)
})

test('a use that no longer counts at the end of a page is not handed on', async () => {
  const ida = await service.user('Ida')
  const keys = [await aKey(), await aKey()] as const
  const policyId = await aPolicy(keys.map((key) => `private_key.id == '${key}'`).join(' || '))
  await signed(ida, keys[0])
  service.world.advance(2 * HOUR)
  await signed(ida, keys[1])
  const draft = {
    policies: [{ ...policy("usage.count('1h', private_key.id) <= 1"), notes: undefined, policyId }],
  }
  const { used } = await asked(root, 'replay_policies', { draft, paginationOptions: { limit: '2' } })
  assert.equal(used.draft.length, 1)
  await removed(policyId)
})

test('what was refused when it was asked for uses nothing in a replay', async () => {
  const fay = await service.user('Fay')
  const key = await aKey()
  assert.equal((await signed(fay, key)).code, 7)
  const policyId = await aPolicy(`private_key.id == '${key}'`)
  const { activity } = await signed(fay, key)
  const draft = { policies: [{ ...policy(limit(key, 1)), notes: undefined, policyId }] }
  const { differences } = await asked(root, 'replay_policies', { draft, paginationOptions: { limit: '3' } })
  assert.deepEqual(
    differences.filter(({ activityId }: JsonAnswer) => activityId === activity.id),
    [],
  )
  await removed(policyId)
})

test('what a draft would refuse uses nothing of its limits', async () => {
  const gus = await service.user('Gus')
  const key = await aKey()
  const policyId = await aPolicy(`private_key.id == '${key}'`)
  const ids: string[] = []
  for (const pause of [0, 40, 25]) {
    service.world.advance((pause * HOUR) / 60)
    ids.push((await signed(gus, key)).activity.id)
  }
  const draft = { policies: [{ ...policy(limit(key, 1)), notes: undefined, policyId }] }
  const { differences } = await asked(root, 'replay_policies', { draft, paginationOptions: { limit: '3' } })
  assert.deepEqual(
    differences.map(({ activityId }: JsonAnswer) => activityId),
    [ids[1]],
  )
  await removed(policyId)
})

test('what is handed on as used is what an earlier page has answered, and anything else is refused', async () => {
  const eve = await service.user('Finn')
  const key = await aKey()
  const policyId = await aPolicy(limit(key, 2))
  await signed(eve, key)
  const draft = { policies: [{ ...policy(limit(key, 1)), notes: undefined, policyId }] }
  const { used } = await asked(root, 'replay_policies', { draft, paginationOptions: { limit: '1' } })
  const [meter] = used.draft
  const [slot] = meter.slots
  const replay = async (more: object) =>
    await service.query(root, 'replay_policies', {
      draft,
      paginationOptions: { limit: '1' },
      used: { now: [], draft: [{ ...meter, ...more }] },
    })
  assert.equal((await replay({})).status, 200)
  // As a thousand of the largest amounts in one request use.
  const most = String(1_000n * (2n ** 256n - 1n))
  assert.equal((await replay({ slots: [{ ...slot, amount: most }] })).status, 200)
  const wrong: readonly object[] = [
    ...[0, -1, -2446, 2 ** 53, 1.5].map((windowMs) => ({ windowMs })),
    ...['', '083', '-1', '9'.repeat(101)].map((amount) => ({ slots: [{ ...slot, amount }] })),
    ...[1.5, 2 ** 53].map((at) => ({ slots: [{ ...slot, slot: at }] })),
  ]
  for (const more of wrong) assert.equal((await replay(more)).status, 400, JSON.stringify(more))
  await removed(policyId)
})
