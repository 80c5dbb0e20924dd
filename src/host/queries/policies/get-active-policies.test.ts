import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { statusSteps } from './get-active-policies.ts'

const service = await aService()
const { root, organizationId } = service
after(() => service.close())

async function policyWith(policyName: string, time?: string): Promise<string> {
  const { policyId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName,
    effect: 'EFFECT_DENY',
    condition: "activity.action == 'EXPORT'",
    notes: '',
    ...(time === undefined ? {} : { time }),
  })
  return policyId
}

test('each policy is told with what its time says now; one without a time is always active', async () => {
  const past = "time.now < Timestamp('2026-11-21T12:00:00Z')"
  const always = await policyWith('Always')
  const morning = await policyWith('Morning', past)

  const asked = async () => (await service.query(root, 'get_active_policies')).json
  const before = await asked()
  assert.deepEqual(before, {
    statuses: [
      { organizationId, policyId: always, active: true },
      { organizationId, policyId: morning, active: true, timeExpr: past },
    ],
    evaluatedAtMs: String(service.world.now()),
  })
  service.world.advance(12 * 60 * 60 * 1000)
  const later = await asked()
  assert.deepEqual(later.statuses[1], { organizationId, policyId: morning, active: false, timeExpr: past })
  assert.equal(later.evaluatedAtMs, String(service.world.now()))
})

test('a time that cannot be evaluated is told with why, and its policy as inactive', async () => {
  const fits = Array.from({ length: 400 }, (_, at) => at).join(', ')
  const time = `[${fits}].all(a, [${fits}].all(b, a >= 0 && b >= 0)) && time.now > Timestamp('2026-01-01T00:00:00Z')`
  const policyId = await policyWith('Too long', time)
  const { statuses } = (await service.query(root, 'get_active_policies')).json
  const { error, ...told } = statuses.at(-1)
  assert.deepEqual(told, { organizationId, policyId, active: false, timeExpr: time })
  assert.match(error, /steps/)
})

test('times that take long share the steps of a decision, and others get their turn between two of them', async () => {
  const time = Array.from({ length: 340 }, () => "CronSpan('* * * * *', '1m', 'Europe/Berlin')").join(' && ')
  const policies = Array.from({ length: 90 }, (_, at) => ({
    policyName: `Long ${at}`,
    effect: 'EFFECT_DENY' as const,
    condition: "activity.action == 'EXPORT'",
    notes: '',
    time,
  }))
  const founder = await service.newOrganization()
  for (const some of [policies.slice(0, 45), policies.slice(45)])
    await service.done(founder, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies: some })

  const { statuses } = (await service.query(founder, 'get_active_policies')).json
  assert.equal(statuses.length, 90)
  // There is nothing left for the last.
  assert.match(statuses.at(-1).error, /too many in all \(at 0:/)

  const stored = { createdAt: 0, updatedAt: 0 }
  const of = {
    organizationId,
    policies: policies.map((policy) => ({ ...policy, ...stored, policyId: policy.policyName })),
  }
  let sum = 0
  for (const cost of stepCosts(of)) {
    assert.ok(cost <= 8_000, `a step costs ${cost}`)
    sum += cost
  }
  assert.ok(sum > 50_000, `what was done is counted: ${sum}`)
})

function* stepCosts(of: Parameters<typeof statusSteps>[0]): Generator<number> {
  const steps = statusSteps(of, service.world.now())
  for (let step = steps.next(); step.done !== true; step = steps.next()) yield step.value
}

test('no proof was made of an activity, which is told of one that is there alone', async () => {
  const { json } = await service.submit(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Signers',
    userIds: [],
  })
  const of = async (activityId: string, by = root) =>
    await service.query(by, 'list_app_proofs', { activityId })
  assert.deepEqual((await of(json.activity.id)).json, { appProofs: [] })
  const elsewhere = await service.newOrganization()
  assert.equal((await of(json.activity.id, elsewhere)).json.code, 5)
  assert.equal((await of('0198c5a0-7d3c-7000-8000-00000000dead')).json.code, 5)
})
