import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Setting } from '../setting.ts'

const refused = /^Turnkey error 7: You don't have sufficient permissions to take this action\./

export function policyFlows(setting: Setting): void {
  test('a user may do nothing, then what a policy allows, then not what another denies', async () => {
    const { root, user } = setting
    const { organizationId } = root
    const eve = await user(root, 'Eve')
    const tag = (userTagName: string) =>
      eve.client.createUserTag(eve.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }))
    await assert.rejects(tag('Before'), { name: 'TurnkeyRequestError', code: 7, message: refused })

    const created = await root.client.createPolicies(
      root.activity('ACTIVITY_TYPE_CREATE_POLICIES', {
        policies: [
          {
            policyName: 'Eve makes tags',
            effect: 'EFFECT_ALLOW',
            condition: "activity.resource == 'USER' && activity.action == 'CREATE'",
            consensus: `approvers.any(user, user.id == '${eve.userId}')`,
            notes: 'For the test',
          },
        ],
      }),
    )
    const allowId = present(created.activity.result.createPoliciesResult?.policyIds[0], 'the policy')
    const allowed = await tag('During')
    assert.equal(allowed.activity.status, 'ACTIVITY_STATUS_COMPLETED')

    const denied = await root.client.createPolicy(
      root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: 'Eve does not',
        effect: 'EFFECT_DENY',
        condition: 'true',
        consensus: `approvers.any(user, user.id == '${eve.userId}')`,
        notes: '',
      }),
    )
    const denyId = present(denied.activity.result.createPolicyResult?.policyId, 'the policy')
    await assert.rejects(tag('After'), { message: refused })

    const { policies } = await root.client.getPolicies({ organizationId })
    assert.deepEqual(
      [allowId, denyId].map((id) => policies.find(({ policyId }) => policyId === id)?.effect),
      ['EFFECT_ALLOW', 'EFFECT_DENY'],
    )
    // The refusals are on record, for every user who may read.
    const { activities } = await root.client.getActivities({
      organizationId,
      filterByType: ['ACTIVITY_TYPE_CREATE_USER_TAG'],
      filterByStatus: ['ACTIVITY_STATUS_FAILED'],
    })
    const refusals = activities.filter(({ votes }) => votes[0]?.userId === eve.userId)
    assert.equal(refusals.length, 2)
    assert.equal(refusals[0]?.failure?.code, 7)
    const { policyEvaluations } = await root.client.getPolicyEvaluations({
      organizationId,
      activityId: present(refusals[0]?.id, 'the refusal'),
    })
    const outcomes = policyEvaluations[0]?.policyEvaluations ?? []
    assert.equal(outcomes.find(({ policyId }) => policyId === denyId)?.outcome, 'OUTCOME_DENY_EXPLICIT')
    assert.equal(outcomes.find(({ policyId }) => policyId === allowId)?.outcome, 'OUTCOME_ALLOW')

    const deleted = await root.client.deletePolicies(
      root.activity('ACTIVITY_TYPE_DELETE_POLICIES', { policyIds: [allowId, denyId] }),
    )
    assert.deepEqual(deleted.activity.result.deletePoliciesResult, { policyIds: [allowId, denyId] })
    await assert.rejects(tag('At the end'), { message: refused })
  })

  test('a policy is read and changed, and what is wrong with one is said', async () => {
    const { root } = setting
    const { organizationId } = root
    const write = (policyName: string, condition: string) =>
      root.client.createPolicy(
        root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
          policyName,
          effect: 'EFFECT_ALLOW',
          condition,
          consensus: 'true',
          notes: '',
        }),
      )
    const { activity } = await write('Changes', "activity.action == 'SIGN'")
    const policyId = present(activity.result.createPolicyResult?.policyId, 'the policy')
    await assert.rejects(write('Changes', 'true'), {
      message: /^Turnkey error 3: policy label must be unique.* \(Details: \[.*\]\)$/,
    })
    await assert.rejects(write('Broken', "activity.action == 'SIGN' &&"), {
      message: /^Turnkey error 3: invalid policy condition: /,
    })
    await assert.rejects(write('Unknown', 'activity.colour == 1'), {
      message: /^Turnkey error 3: invalid policy condition: .*colour/,
    })
    await root.client.updatePolicy(
      root.activity('ACTIVITY_TYPE_UPDATE_POLICY_V2', {
        policyId,
        policyNotes: 'Later',
        policyEffect: 'EFFECT_DENY',
      }),
    )
    const { policy } = await root.client.getPolicy({ organizationId, policyId })
    assert.deepEqual(
      [policy.policyName, policy.effect, policy.condition, policy.notes],
      ['Changes', 'EFFECT_DENY', "activity.action == 'SIGN'", 'Later'],
    )
    await root.client.deletePolicy(root.activity('ACTIVITY_TYPE_DELETE_POLICY', { policyId }))
    await assert.rejects(root.client.getPolicy({ organizationId, policyId }), { code: 5 })
  })
}
