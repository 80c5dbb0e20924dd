import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeActivityFingerprint } from '@turnkey/crypto'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Person, Setting } from '../setting.ts'

export function consensusFlows(setting: Setting): void {
  test('two root users who decide together: one asks, the other approves by fingerprint, and it happens once', async () => {
    const [ada, bob] = await twoRoots(setting, 'Both decide')
    const request = ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Payers', userIds: [] })
    const asked = (await ada.client.createUserTag(request)).activity
    assert.equal(asked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.equal(asked.fingerprint, computeActivityFingerprint(JSON.stringify(request)))
    assert.deepEqual([asked.canApprove, asked.canReject], [false, true])

    const { organizationId } = bob
    const seen = (await bob.client.getActivity({ organizationId, activityId: asked.id })).activity
    assert.deepEqual([seen.canApprove, seen.canReject], [true, true])

    const { fingerprint } = asked
    const approved = await bob.client.approveActivity(
      bob.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }),
    )
    const { activity } = approved
    assert.deepEqual([activity.id, activity.status], [asked.id, 'ACTIVITY_STATUS_COMPLETED'])
    assert.ok(activity.result.createUserTagResult)
    assert.deepEqual(
      activity.votes.map(({ userId, selection, scheme }) => [userId, selection, scheme]),
      [
        [ada.userId, 'VOTE_SELECTION_APPROVED', 'SIGNATURE_SCHEME_TK_API_P256'],
        [bob.userId, 'VOTE_SELECTION_APPROVED', 'SIGNATURE_SCHEME_TK_API_P256'],
      ],
    )
    assert.equal(activity.votes[0]?.message, JSON.stringify(request))
    const { userTags } = await bob.client.listUserTags({ organizationId })
    assert.deepEqual(
      userTags.map(({ tagName }) => tagName),
      ['Payers'],
    )
  })

  test('the second person posting the same bytes is an approval of the same activity', async () => {
    const [ada, bob] = await twoRoots(setting, 'Same bytes')
    const request = ada.activity('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: 'Agreed' })
    const asked = (await ada.client.updateOrganizationName(request)).activity
    const again = (await ada.client.updateOrganizationName(request)).activity
    assert.deepEqual([again.id, again.status], [asked.id, 'ACTIVITY_STATUS_CONSENSUS_NEEDED'])
    const agreed = (await bob.client.updateOrganizationName(request)).activity
    assert.deepEqual([agreed.id, agreed.status], [asked.id, 'ACTIVITY_STATUS_COMPLETED'])
    const whoami = await bob.client.getWhoami({ organizationId: bob.organizationId })
    assert.equal(whoami.organizationName, 'Agreed')
  })

  test('one rejection ends it for good', async () => {
    const [ada, bob] = await twoRoots(setting, 'Refused')
    const request = ada.activity('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [ada.userId] })
    const { fingerprint } = (await ada.client.updateRootQuorum(request)).activity
    const rejected = await bob.client.rejectActivity(
      bob.activity('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint }),
    )
    assert.equal(rejected.activity.status, 'ACTIVITY_STATUS_REJECTED')
    const { organizationId } = ada
    const after = (await ada.client.getActivity({ organizationId, activityId: rejected.activity.id }))
      .activity
    assert.deepEqual([after.status, after.canApprove], ['ACTIVITY_STATUS_REJECTED', false])
    const { configs } = await ada.client.getOrganizationConfigs({ organizationId })
    assert.equal(configs.quorum?.threshold, 2)
    await assert.rejects(
      bob.client.approveActivity(
        bob.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: 'sha256:00' }),
      ),
      {
        message:
          /^Turnkey error 5: No activity found with fingerprint\. Consensus activities must target an existing activity by fingerprint/,
      },
    )
  })

  test('a policy that asks for two approvers waits for the second', async () => {
    const { root, user } = setting
    const [carol, dan] = [await user(root, 'Carol'), await user(root, 'Dan')]
    const created = await root.client.createPolicy(
      root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: 'Tags by two',
        effect: 'EFFECT_ALLOW',
        condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
        consensus: `approvers.any(user, user.id == '${carol.userId}') && approvers.any(user, user.id == '${dan.userId}')`,
        notes: '',
      }),
    )
    const policyId = present(created.activity.result.createPolicyResult?.policyId, 'the policy')
    const request = carol.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'By two', userIds: [] })
    const asked = (await carol.client.createUserTag(request)).activity
    assert.equal(asked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    const { activity } = await dan.client.approveActivity(
      dan.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: asked.fingerprint }),
    )
    assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED')

    const { organizationId } = root
    const { policyEvaluations } = await root.client.getPolicyEvaluations({
      organizationId,
      activityId: asked.id,
    })
    assert.equal(policyEvaluations.length, 2)
    for (const { policyEvaluations: outcomes } of policyEvaluations)
      assert.ok(outcomes?.some((outcome) => outcome.policyId === policyId))
    await root.client.deletePolicy(root.activity('ACTIVITY_TYPE_DELETE_POLICY', { policyId }))
  })
}

async function twoRoots({ subOrganization }: Setting, name: string): Promise<[Person, Person]> {
  const [first, second] = await subOrganization(name, ['First', 'Second'], 2)
  return [present(first, 'the first'), present(second, 'the second')]
}
