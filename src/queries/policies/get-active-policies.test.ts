import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aService } from '../../../test/support/service.ts'

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

test('no proof was made of an activity, which is told of one that is there alone', async () => {
  const { json } = await service.submit(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Signers',
    userIds: [],
  })
  const of = async (activityId: string, by = root) =>
    await service.query(by, 'list_app_proofs', { activityId })
  assert.deepEqual((await of(json.activity.id)).json, { appProofs: [] })
  const elsewhere = await service.found()
  assert.equal((await of(json.activity.id, elsewhere)).json.code, 5)
  assert.equal((await of('0198c5a0-7d3c-7000-8000-00000000dead')).json.code, 5)
})
