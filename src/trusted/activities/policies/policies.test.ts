import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_POLICY_V3'
const NOWHERE = '0198c5a0-7d3c-7000-8000-00000000dead'

const service: TestService = await aService()
const { root } = service
after(() => service.close())

let made = 0

/** A policy that says nothing about anybody, unless told. */
function policy(terms: object = {}) {
  return { policyName: `Policy ${made++}`, effect: 'EFFECT_DENY', condition: 'false', notes: '', ...terms }
}

async function submitted(by: Member, type: string, parameters: object) {
  service.world.advance(1)
  return await service.submit(by, type, parameters)
}

async function shown(policyId: string) {
  return (await service.query(root, 'get_policy', { policyId })).json.policy
}

test('a policy is stored as it was written, and shown with empty texts for what it leaves open', async () => {
  const written = {
    policyName: 'As written',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() >= 2',
    notes: 'why',
    time: '',
  }
  const { policyId } = await service.done(root, CREATE, written)
  const { createdAt, updatedAt, ...rest } = await shown(policyId)
  const { time: _, ...terms } = written
  assert.deepEqual(rest, { policyId, ...terms })
  assert.deepEqual(createdAt, updatedAt)
  assert.match(createdAt.seconds, /^\d+$/)

  const bare = await service.done(root, CREATE, {
    policyName: 'Bare',
    effect: 'EFFECT_DENY',
    condition: null,
    notes: '',
  })
  const { condition, consensus } = await shown(bare.policyId)
  assert.deepEqual({ condition, consensus }, { condition: '', consensus: '' })
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId: bare.policyId })
})

const refusals: readonly (readonly [string, object, RegExp])[] = [
  [
    'a condition that names an unknown field',
    { condition: "wallet_account.path == 'x'" },
    /^invalid policy condition: Expression cannot be evaluated: /,
  ],
  [
    'a field that no activity has',
    { condition: "activity.path == 'x'" },
    /^invalid policy condition: Expression cannot be evaluated: field does not exist: path/,
  ],
  [
    'double quotes',
    { condition: 'activity.type == "x"' },
    /^invalid policy condition: Expression cannot be evaluated: parse error/,
  ],
  ['an empty condition', { condition: '' }, /^invalid policy condition: /],
  [
    'an empty consensus',
    { consensus: '' },
    /^invalid policy consensus: Expression cannot be evaluated: parse error: Unrecognized EOF found at 0/,
  ],
  ['a condition in the consensus', { consensus: "activity.type == 'x'" }, /^invalid policy consensus: /],
  ['a consensus in the condition', { condition: 'approvers.count() > 1' }, /^invalid policy condition: /],
  [
    'a time with an offset',
    { time: "time.now > Timestamp('2026-01-01T00:00:00+01:00')" },
    /^invalid policy time: /,
  ],
  ['an unknown effect', { effect: 'EFFECT_MAYBE' }, /effect/],
  ['a field of another version', { selectors: [{}] }, /selectors/],
]

for (const [what, terms, message] of refusals) {
  test(`a policy with ${what} is refused, alone, among others and as a change`, async () => {
    const { policyId } = await service.done(root, CREATE, policy())
    const before = await shown(policyId)
    const { condition, consensus, time } = terms as Record<string, string | undefined>
    const attempts: readonly (readonly [string, object])[] = [
      [CREATE, policy(terms)],
      ['ACTIVITY_TYPE_CREATE_POLICIES', { policies: [policy(), policy(terms)] }],
      ...(condition === undefined && consensus === undefined && time === undefined
        ? []
        : ([
            [
              'ACTIVITY_TYPE_UPDATE_POLICY_V2',
              { policyId, policyCondition: condition, policyConsensus: consensus, time },
            ],
          ] as const)),
    ]
    const { json: listed } = await service.query(root, 'list_policies')
    for (const [type, parameters] of attempts) {
      const refused = await submitted(root, type, parameters)
      assert.equal(refused.status, 400, type)
      assert.equal(refused.json.code, 3)
      assert.match(refused.json.message, message)
    }
    assert.deepEqual((await service.query(root, 'list_policies')).json, listed)
    assert.deepEqual(await shown(policyId), before)
  })
}

test('the time of a policy is stored, shown, changed and taken away', async () => {
  const time =
    "CronSpan('0 8 * * 1-5', '10h', 'Europe/Berlin') && time.now < Timestamp('2030-01-01T00:00:00Z')"
  const { policyId } = await service.done(root, CREATE, policy({ time }))
  assert.equal((await shown(policyId)).time, time)

  await service.done(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyNotes: 'kept' })
  assert.equal((await shown(policyId)).time, time)

  await service.done(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, time: '' })
  assert.equal((await shown(policyId)).time, undefined)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
})

test('two policies of one name are refused, and so is renaming one to the other', async () => {
  const first = await service.done(root, CREATE, policy({ policyName: 'Unique' }))
  const second = await service.done(root, CREATE, policy({ policyName: 'Other' }))
  const attempts: readonly (readonly [string, object])[] = [
    [CREATE, policy({ policyName: 'Unique' })],
    [
      'ACTIVITY_TYPE_CREATE_POLICIES',
      { policies: [policy({ policyName: 'Twin' }), policy({ policyName: 'Twin' })] },
    ],
    ['ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId: second.policyId, policyName: 'Unique' }],
  ]
  for (const [type, parameters] of attempts) {
    const { status, json } = await submitted(root, type, parameters)
    assert.equal(status, 400)
    assert.equal(json.code, 3)
    assert.match(json.message, /^policy label must be unique/)
  }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', {
    policyId: first.policyId,
    policyName: 'Unique',
  })
})

test('several policies are created in the order given', async () => {
  const policies = [policy(), policy(), policy()]
  const { policyIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
  assert.deepEqual(
    await Promise.all(policyIds.map(async (policyId: string) => (await shown(policyId)).policyName)),
    policies.map(({ policyName }) => policyName),
  )
})

test('an update changes what it names and nothing else, in both versions', async () => {
  const { policyId } = await service.done(root, CREATE, policy({ consensus: 'true', notes: 'before' }))
  const before = await shown(policyId)
  service.world.advance(5_000)
  const renamed = await submitted(root, 'ACTIVITY_TYPE_UPDATE_POLICY', {
    policyId,
    policyName: 'Renamed',
    policyNotes: '',
  })
  assert.deepEqual(renamed.json.activity.result.updatePolicyResult, { policyId })
  const changed = await submitted(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', {
    policyId,
    policyEffect: 'EFFECT_ALLOW',
    policyCondition: "activity.kind == 'NOTHING'",
    policyConsensus: 'approvers.count() > 9',
    time: '',
  })
  assert.deepEqual(changed.json.activity.result.updatePolicyResultV2, { policyId })
  const { updatedAt, ...after } = await shown(policyId)
  assert.deepEqual(after, {
    policyId,
    policyName: 'Renamed',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'NOTHING'",
    consensus: 'approvers.count() > 9',
    notes: '',
    createdAt: before.createdAt,
  })
  assert.ok(Number(updatedAt.seconds) >= Number(before.updatedAt.seconds) + 5)
})

test('policies are deleted all or none', async () => {
  const { policyIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICIES', {
    policies: [policy(), policy()],
  })
  const refused = await submitted(root, 'ACTIVITY_TYPE_DELETE_POLICIES', {
    policyIds: [...policyIds, NOWHERE],
  })
  assert.equal(refused.status, 404)
  assert.equal(
    refused.json.message,
    `unable to find policy ${NOWHERE} in organization ${service.organizationId}`,
  )
  assert.ok(await shown(policyIds[0]))
  assert.deepEqual(await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICIES', { policyIds }), { policyIds })
  for (const policyId of policyIds) {
    assert.equal((await service.query(root, 'get_policy', { policyId })).status, 404)
  }
})

test('a policy that is not there can neither be changed nor deleted nor shown', async () => {
  for (const type of ['ACTIVITY_TYPE_UPDATE_POLICY_V2', 'ACTIVITY_TYPE_DELETE_POLICY']) {
    const { status, json } = await submitted(root, type, { policyId: NOWHERE })
    assert.equal(status, 404)
    assert.equal(json.code, 5)
  }
  const shownNone = await service.query(root, 'get_policy', { policyId: NOWHERE })
  assert.equal(shownNone.json.code, 5)
})

test('an organization may have a hundred policies and no more', async () => {
  const other = await aService({ seed: 2 })
  const policies = Array.from({ length: 100 }, () => policy())
  await other.done(other.root, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
  const { status, json } = await other.submit(other.root, CREATE, policy())
  await other.close()
  assert.equal(status, 429)
  assert.equal(json.code, 8)
  assert.match(json.message, /policies/)
})

test('the versions that described policies by selectors are not known', async () => {
  for (const type of ['ACTIVITY_TYPE_CREATE_POLICY', 'ACTIVITY_TYPE_CREATE_POLICY_V2']) {
    const { status, json } = await submitted(root, type, {
      policyName: 'x',
      effect: 'EFFECT_ALLOW',
      selectors: [],
      notes: '',
    })
    assert.equal(status, 400)
    assert.match(json.message, /activity type/)
  }
})

test('a waiting update does not change a policy that was changed after its request', async () => {
  const own = service.of(await service.newOrganization())
  const second = await own.user('Second root')
  const { policyId } = await own.done(own.root, CREATE, policy({ consensus: 'approvers.count() >= 3' }))
  const userIds = [own.root.userId, second.userId]
  await own.done(own.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const proposed = async (change: object): Promise<{ id: string; fingerprint: string }> => {
    service.world.advance(1)
    const parameters = { policyId, ...change }
    return (await own.submit(own.root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', parameters)).json.activity
  }
  const approved = async ({ id: activityId, fingerprint }: { id: string; fingerprint: string }) => {
    await own.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    return (await own.query(own.root, 'get_activity', { activityId })).json.activity
  }
  const [wider, laxer] = [
    await proposed({ policyCondition: 'true' }),
    await proposed({ policyConsensus: 'approvers.count() >= 1' }),
  ]
  assert.equal((await approved(wider)).status, 'ACTIVITY_STATUS_COMPLETED')
  const { failure } = await approved(laxer)
  assert.match(
    failure?.message,
    /^policy "Policy \d+" changed after this request: read it, and send the request again$/,
  )
  const { policy: kept } = (await own.query(own.root, 'get_policy', { policyId })).json
  assert.deepEqual([kept.condition, kept.consensus], ['true', 'approvers.count() >= 3'])
  const again = await proposed({ policyConsensus: 'approvers.count() >= 2' })
  assert.equal((await approved(again)).status, 'ACTIVITY_STATUS_COMPLETED')
})
