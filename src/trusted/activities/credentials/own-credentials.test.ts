import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'
import { activities } from '../list.ts'

const CREATE_KEYS = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2'
const ABOUT_KEYS = "activity.kind == 'CREATE_API_KEYS'"

async function started(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  return { service, agent: await service.user('Agent'), person: await service.user('Person') }
}

function named(...members: readonly Member[]): string {
  return members.map(({ userId }) => `approvers.any(user, user.id == '${userId}')`).join(' && ')
}

async function written(
  service: TestService,
  terms: {
    readonly effect?: string
    readonly condition?: string
    readonly consensus: string
    readonly time?: string
  },
): Promise<string> {
  const { policyId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: `Policy ${service.world.now()}`,
    effect: 'EFFECT_ALLOW',
    condition: ABOUT_KEYS,
    notes: '',
    ...terms,
  })
  return policyId
}

/** What comes of a request of somebody for a key, of their own unless told. */
async function proposed(service: TestService, by: Member, { userId } = by) {
  service.world.advance(1)
  const key = { apiKeyName: 'Key', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' }
  const { json } = await service.submit(by, CREATE_KEYS, { userId, apiKeys: [key] })
  return { code: json.code, ...json.activity }
}

test('a key of one’s own waits for the person whom a policy wants, alone or beside the one who asks', async (t) => {
  const { service, agent, person } = await started(t)
  for (const consensus of [named(person), named(agent, person), 'approvers.count() >= 2']) {
    const policyId = await written(service, { consensus })
    const { id: activityId, status, fingerprint } = await proposed(service, agent)
    assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', consensus)
    const again = await service.submit(agent, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.equal(again.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', 'nobody approves it twice')
    service.world.advance(1)
    await service.submit(person, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    const { json } = await service.query(agent, 'get_activity', { activityId })
    assert.equal(json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    await service.done(service.root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  }
})

test('whom the policy does not want neither approves nor stops it, and who asked may take it back', async (t) => {
  const { service, agent, person } = await started(t)
  const other = await service.user('Other')
  await written(service, { consensus: named(person) })
  const { fingerprint } = await proposed(service, agent)
  for (const vote of ['APPROVE', 'REJECT'])
    assert.equal((await service.submit(other, `ACTIVITY_TYPE_${vote}_ACTIVITY`, { fingerprint })).status, 403)
  service.world.advance(1)
  const { json } = await service.submit(agent, 'ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint })
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_REJECTED')
})

test('a denial refuses it, another policy allows it, and where no policy decides it is one’s own', async (t) => {
  const { service, agent, person } = await started(t)
  const completed = async () => (await proposed(service, agent)).status === 'ACTIVITY_STATUS_COMPLETED'
  const others: readonly Parameters<typeof written>[1][] = [
    { condition: "activity.kind == 'CREATE_USERS'", consensus: named(person) },
    { consensus: named(person), time: "time.now < Timestamp('2020-01-01T00:00:00Z')" },
    { effect: 'EFFECT_DENY', consensus: named(person) },
  ]
  for (const terms of others) {
    await written(service, terms)
    assert.ok(await completed(), JSON.stringify(terms))
  }
  await written(service, { consensus: named(person) })
  assert.ok(!(await completed()))
  await written(service, { consensus: named(agent) })
  assert.ok(await completed())
  await written(service, { effect: 'EFFECT_DENY', consensus: named(agent) })
  assert.equal((await proposed(service, agent)).code, 7)
})

test('a key of one’s own waits for the root quorum where nobody can satisfy a policy any more', async (t) => {
  const { service, agent, person } = await started(t)
  const { root } = service
  const first = await written(service, { consensus: named(person) })
  const before = await proposed(service, agent)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [person.userId] })
  const { json } = await service.submit(agent, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: before.fingerprint,
  })
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const { id: activityId, status, fingerprint } = await proposed(service, agent)
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const forRoot = await service.query(root, 'get_activity', { activityId })
  assert.equal(forRoot.json.activity.canApprove, true)
  await service.done(root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  const policyId = await written(service, { consensus: named(agent) })
  assert.equal((await proposed(service, agent)).status, 'ACTIVITY_STATUS_COMPLETED')

  // It has no value before somebody else approves.
  for (const id of [policyId, first])
    await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId: id })
  await written(service, { consensus: `approvers[1].id == '${root.userId}'` })
  assert.equal((await proposed(service, agent)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
})

test('the root quorum waits for nobody, and a part of it for the policy as well as for the rest', async (t) => {
  const { service, agent, person } = await started(t)
  const { root } = service
  await written(service, { consensus: named(person) })
  assert.equal((await proposed(service, root)).status, 'ACTIVITY_STATUS_COMPLETED')
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 2,
    userIds: [root.userId, agent.userId],
  })
  const { status, fingerprint } = await proposed(service, agent)
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  service.world.advance(1)
  const { json } = await service.submit(root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test('what somebody else asks for a user is not settled by this user, whose own credentials it is about', async (t) => {
  const { service, agent, person } = await started(t)
  const { root } = service
  const userIds = [root.userId, person.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const { status, fingerprint } = await proposed(service, root, agent)
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const voted = async (by: Member) => {
    service.world.advance(1)
    const { json } = await service.submit(by, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    return json.code ?? json.activity.status
  }
  assert.equal(await voted(agent), 7)
  assert.equal(await voted(person), 'ACTIVITY_STATUS_COMPLETED')
})

test('a login waits where its user is one of those whom a policy wants, and not for somebody else alone', async (t) => {
  const { service, agent, person } = await started(t)
  const login = async () => {
    service.world.advance(1)
    const { publicKey } = service.newKey()
    return (await service.submit(agent, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey })).json.activity.status
  }
  const condition = "activity.resource == 'AUTH'"
  await written(service, { condition, consensus: named(person) })
  assert.equal(await login(), 'ACTIVITY_STATUS_COMPLETED')
  await written(service, { condition, consensus: named(agent, person) })
  assert.equal(await login(), 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
})

test('a login lasts as long as its user asks, also past a policy about keys, and a denial stops it', async (t) => {
  const { service, agent, person } = await started(t)
  await written(service, { consensus: named(person) })
  const login = (by: Member) => {
    const { publicKey } = service.newKey()
    return [
      ['ACTIVITY_TYPE_STAMP_LOGIN', { publicKey, expirationSeconds: '3000000000' }],
      ['ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', { targetPublicKey: publicKey, userId: by.userId }],
    ] as const
  }
  for (const [type, parameters] of login(agent)) await service.done(agent, type, parameters)

  await written(service, {
    effect: 'EFFECT_DENY',
    condition: "activity.kind in ['STAMP_LOGIN', 'CREATE_READ_WRITE_SESSION']",
    consensus: named(agent),
  })
  for (const [type, parameters] of login(agent))
    assert.equal((await service.submit(agent, type, parameters)).status, 403)
  for (const [type, parameters] of login(person)) await service.done(person, type, parameters)
})

test('the policies of the page about the language leave an agent no lasting credential of its own making', async (t) => {
  const { service, agent, person } = await started(t)
  const page = new URL('../../../../docs/policy-language.md', import.meta.url)
  const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')
  const [, part = ''] = /\*\*Own credentials\.\*\*(.*?)\*\*When an/.exec(text) ?? []
  const [condition = '', denied = ''] = [...part.matchAll(/the condition `([^`]+)`/g)].map(
    ([, shown]) => shown,
  )
  await written(service, { condition, consensus: named(person) })
  await written(service, { effect: 'EFFECT_DENY', condition: denied, consensus: named(agent) })
  const { userId } = agent
  const { publicKey } = service.newKey()
  const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
  const challenge = Buffer.from('a challenge').toString('base64url')
  const attestation = passkey.register(challenge, 'http://localhost')
  const oidcToken = ['{"alg":"RS256"}', '{"iss":"https://issuer.example","aud":"web","sub":"1"}', 'x']
    .map((json) => Buffer.from(json).toString('base64url'))
    .join('.')
  const wallet = {
    type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM',
    address: '0xe91F454F985c19207080378FE0f5A47DAeca2B3E',
    domain: 'app.example.com',
  }
  const ways = [
    ['CREATE_API_KEYS_V2', { apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }] }],
    [
      'CREATE_AUTHENTICATORS_V2',
      { authenticators: [{ authenticatorName: 'Phone', challenge, attestation }] },
    ],
    ['CREATE_OAUTH_PROVIDERS_V2', { oauthProviders: [{ providerName: 'Elsewhere', oidcToken }] }],
    ['CREATE_WALLET_AUTHENTICATORS', { walletAuthenticators: [wallet] }],
  ] as const
  for (const [type, parameters] of ways) {
    service.world.advance(1)
    const { json } = await service.submit(agent, `ACTIVITY_TYPE_${type}`, { userId, ...parameters })
    assert.equal(json.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', `${type} ${json.message}`)
  }
  for (const [type, parameters] of [
    ['STAMP_LOGIN', { publicKey }],
    ['CREATE_READ_WRITE_SESSION_V2', { targetPublicKey: publicKey }],
  ] as const) {
    service.world.advance(1)
    assert.equal((await service.submit(agent, `ACTIVITY_TYPE_${type}`, parameters)).status, 403, type)
  }
})

test('a denial about the credentials of one user holds for every kind of them', async (t) => {
  const { service, agent } = await started(t)
  const { userId } = service.root
  const condition = "activity.resource == 'CREDENTIAL'"
  await written(service, { condition, consensus: named(agent) })
  const ofRoot = `${condition} && activity.params.user_id == '${userId}'`
  await written(service, { effect: 'EFFECT_DENY', condition: ofRoot, consensus: named(agent) })
  const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
  const challenge = Buffer.from('a challenge of our own').toString('base64url')
  const attestation = passkey.register(challenge, 'http://localhost')
  const authenticators = [{ authenticatorName: 'Phone', challenge, attestation }]
  const ids = ['0198c5a0-7d3c-7000-8000-0000000000ff']
  const requests: readonly (readonly [string, object])[] = [
    ['CREATE_AUTHENTICATORS_V2', { authenticators }],
    ['DELETE_AUTHENTICATORS', { authenticatorIds: ids }],
    ['DELETE_OAUTH_PROVIDERS', { providerIds: ids }],
    ['DELETE_WALLET_AUTHENTICATORS', { walletAuthenticatorIds: ids }],
  ]
  for (const [kind, parameters] of requests) {
    service.world.advance(1)
    const { status } = await service.submit(agent, `ACTIVITY_TYPE_${kind}`, { userId, ...parameters })
    assert.equal(status, 403, kind)
  }
})

test('a denial about one user holds for sessions of that user, also where the request names an address', async (t) => {
  const { service, agent } = await started(t)
  const { userId } = service.root
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', {
    userId,
    userEmail: 'root@example.com',
  })
  await written(service, { condition: "activity.resource == 'AUTH'", consensus: named(agent) })
  const ofRoot = `activity.params.user_id == '${userId}'`
  await written(service, { effect: 'EFFECT_DENY', condition: ofRoot, consensus: named(agent) })
  const { publicKey: targetPublicKey } = service.newKey()
  const status = async (version: string, whose: object) => {
    service.world.advance(1)
    const type = `ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION${version}`
    return (await service.submit(agent, type, { targetPublicKey, ...whose })).status
  }
  assert.equal(await status('_V2', { userId }), 403)
  // Nobody knows whose the address is before the decision, so a policy that asks for it has no value.
  assert.equal(await status('', { email: 'root@example.com' }), 403)
  for (const [version, whose] of [
    ['_V2', {}],
    ['_V2', { userId: agent.userId }],
    ['', { email: '' }],
  ] as const)
    assert.equal(await status(version, whose), 200)
})

test('an activity about another user tells policies about whom', () => {
  const silent = activities
    .filter(
      ({ authority, example }) =>
        authority.kind !== 'onlySelf' && Object.hasOwn(Object(example.intent), 'userId'),
    )
    .filter(({ params }) => params?.types['user_id'] === undefined)
  assert.deepEqual(
    silent.map(({ operation }) => operation),
    [],
  )
})

test('a rehearsal says that it waits, for whom, and by which policy', async (t) => {
  const { service, agent, person } = await started(t)
  const policyId = await written(service, { consensus: named(person) })
  const { publicKey } = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const { json } = await service.query(agent, 'try_activity', {
    type: CREATE_KEYS,
    parameters: { userId: agent.userId, apiKeys },
    userId: agent.userId,
  })
  const { decision, policyEvaluations, voters } = json.judgement
  assert.equal(decision, 'wait')
  assert.deepEqual(policyEvaluations, [{ policyId, outcome: 'OUTCOME_REQUIRES_CONSENSUS' }])
  assert.ok(voters.includes(person.userId))
})
