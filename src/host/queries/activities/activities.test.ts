import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aSubOrganization } from '../../../../test/support/otp-setting.ts'
import { aService, type TestService } from '../../../../test/support/service.ts'

const NOWHERE = '0198c5a0-7d3c-7000-8000-00000000dead'

const service: TestService = await aService()
const { root } = service
after(() => service.close())

const policy = (policyName: string) => ({
  policyName,
  effect: 'EFFECT_DENY',
  condition: 'false',
  notes: '',
})

type Shown = { readonly id: string; readonly type: string; readonly status: string }

async function listed(body: object = {}): Promise<readonly Shown[]> {
  const { status, json } = await service.query(root, 'list_activities', body)
  assert.equal(status, 200)
  return json.activities
}

const idsOf = (activities: readonly Shown[]): readonly string[] => activities.map(({ id }) => id)

const nobody = await service.user('Nobody')
for (let at = 0; at < 12; at++) {
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy(`Policy ${at}`))
}
service.world.advance(1)
await service.submit(nobody, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy('Denied'))
await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'tag', userIds: [] })

test('an activity is shown as its submission was answered', async () => {
  service.world.advance(1)
  const submitted = await service.submit(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy('Shown'))
  const { activity } = submitted.json
  const { json } = await service.query(root, 'get_activity', { activityId: activity.id })
  assert.deepEqual(json, { activity })
  assert.deepEqual((await listed({ paginationOptions: { limit: '1' } }))[0], activity)
})

test('an activity that is not there is not found', async () => {
  for (const operation of ['get_activity', 'get_policy_evaluations']) {
    const { status, json } = await service.query(root, operation, { activityId: NOWHERE })
    assert.equal(status, 404)
    assert.equal(json.code, 5)
  }
})

test('activities are listed newest first, ten unless a limit is given, and page by page either way', async () => {
  const all = idsOf(await listed({ paginationOptions: { limit: '100' } }))
  assert.deepEqual(all, [...all].sort().reverse())
  assert.deepEqual(idsOf(await listed()), all.slice(0, 10))
  assert.deepEqual(idsOf(await listed({ paginationOptions: null })), all.slice(0, 10))
  const older = await listed({ paginationOptions: { limit: '3', after: all[2] } })
  assert.deepEqual(idsOf(older), all.slice(3, 6))
  const newer = await listed({ paginationOptions: { limit: '3', before: all[6] } })
  assert.deepEqual(idsOf(newer), all.slice(3, 6))
})

test('a page has between 1 and 100 entries', async () => {
  for (const limit of ['0', '101', '-1', 'x', '1e1', 5]) {
    const { status, json } = await service.query(root, 'list_activities', { paginationOptions: { limit } })
    assert.equal(status, 400)
    assert.match(json.message, /paginationOptions\.limit/)
  }
})

test('activities are filtered by status and by type', async () => {
  const failed = await listed({ filterByStatus: ['ACTIVITY_STATUS_FAILED'] })
  assert.deepEqual(
    failed.map(({ type, status }) => [type, status]),
    [['ACTIVITY_TYPE_CREATE_POLICY_V3', 'ACTIVITY_STATUS_FAILED']],
  )
  const tags = await listed({ filterByType: ['ACTIVITY_TYPE_CREATE_USER_TAG'] })
  assert.deepEqual(
    tags.map(({ type }) => type),
    ['ACTIVITY_TYPE_CREATE_USER_TAG'],
  )
  const both = { filterByStatus: ['ACTIVITY_STATUS_FAILED'], filterByType: ['ACTIVITY_TYPE_CREATE_USER_TAG'] }
  assert.deepEqual(await listed(both), [])
  assert.equal((await listed({ filterByStatus: [], filterByType: [] })).length, 10)
})

test('a status that no record is ever in lists nothing, and one that does not exist is refused', async () => {
  assert.deepEqual(await listed({ filterByStatus: ['ACTIVITY_STATUS_PENDING'] }), [])
  const { status } = await service.query(root, 'list_activities', { filterByStatus: ['PENDING'] })
  assert.equal(status, 400)
})

test('anyone of the organization may read what was refused to someone, and why', async () => {
  const [refused] = await listed({ filterByStatus: ['ACTIVITY_STATUS_FAILED'] })
  const { json } = await service.query(nobody, 'get_policy_evaluations', { activityId: refused?.id })
  const [evaluation, ...more] = json.policyEvaluations
  assert.deepEqual(more, [])
  assert.equal(evaluation.activityId, refused?.id)
  assert.equal(evaluation.organizationId, service.organizationId)
  assert.equal(evaluation.policyEvaluations.length, 12)
  assert.ok(
    evaluation.policyEvaluations.every(
      ({ outcome }: { readonly outcome: string }) => outcome === 'OUTCOME_DENY_IMPLICIT',
    ),
  )
  const shown = await service.query(nobody, 'get_activity', { activityId: refused?.id })
  assert.equal(evaluation.voteId, shown.json.activity.votes[0].id)
  assert.match(evaluation.createdAt.seconds, /^\d+$/)
})

test('with the id of its parent, a user of a sub-organization reads an activity of their own, and none of the parent', async () => {
  const ada = await aSubOrganization(service)
  service.world.advance(1)
  const tag = { userTagName: 'Below', userIds: [] }
  const { json } = await service.submit(ada, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  const { organizationId } = service
  const activityId = json.activity.id
  const found = await service.query(ada, 'get_activity', { organizationId, activityId })
  assert.deepEqual(found.json, { activity: json.activity })
  const [ofParent] = await listed({ paginationOptions: { limit: '1' } })
  const { status } = await service.query(ada, 'get_activity', { organizationId, activityId: ofParent?.id })
  assert.equal(status, 404)
})
