import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Setting } from '../setting.ts'

export function velocityControlFlows(setting: Setting): void {
  test('a limit is made, named by a policy, told, kept to, and deleted when no policy names it any more', async () => {
    const { root, user } = setting
    const { client, activity, organizationId } = root
    const name = 'Tags of a day'
    const asked = {
      name,
      identifier: 'tags_a_day',
      dataSource: {
        activityExecution: { filter: { activity: [{ activityType: 'ACTIVITY_TYPE_CREATE_USER_TAG' }] } },
      },
      aggregation: {
        method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT' as const,
        operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL' as const,
        threshold: '1',
        window: { rolling: { duration: '86400' } },
        groupBy: { user: {} },
      },
    }
    const made = await client.createVelocityControl(activity('ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL', asked))
    const { velocityControlId } = present(made.activity.result.createVelocityControlResult, 'the control')
    const { velocityControl } = await client.getVelocityControl({ organizationId, velocityControlId })
    const { createdAt: _, updatedAt: __, ...told } = velocityControl
    assert.deepEqual(told, { ...asked, velocityControlId, organizationId })
    const paginationOptions = { limit: '1' }
    const { velocityControls, pageInfo } = await client.listVelocityControls({
      organizationId,
      paginationOptions,
    })
    assert.deepEqual(velocityControls, [velocityControl])
    assert.deepEqual([pageInfo.hasNextPage, pageInfo.endCursor], [false, velocityControlId])

    const mia = await user(root, 'Mia')
    const policy = await client.createPolicy(
      activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: name,
        effect: 'EFFECT_ALLOW',
        condition: "activity.kind == 'CREATE_USER_TAG' && controls.tags_a_day",
        consensus: `approvers.any(user, user.id == '${mia.userId}')`,
        notes: '',
      }),
    )
    const policyId = present(policy.activity.result.createPolicyResult?.policyId, 'the policy')
    const { statuses } = await client.getActivePolicies({ organizationId })
    assert.equal(statuses.find((statuse) => statuse.policyId === policyId)?.active, true)
    const tag = (userTagName: string) =>
      mia.client.createUserTag(mia.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }))
    await tag('First of the day')
    await assert.rejects(tag('Second of the day'), { code: 7 })

    const gone = activity('ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL', { velocityControlId })
    await assert.rejects(client.deleteVelocityControl(gone), { code: 9 })
    await client.deletePolicy(activity('ACTIVITY_TYPE_DELETE_POLICY', { policyId }))
    const deleted = await client.deleteVelocityControl(
      activity('ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL', { velocityControlId }),
    )
    assert.deepEqual(deleted.activity.result.deleteVelocityControlResult, { velocityControlId })
  })
}
