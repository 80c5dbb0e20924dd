import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Setting } from '../setting.ts'

/** What the specification shows of an activity, which the client's own types do not know of. */
type SpecifiedRecord = {
  readonly id: string
  readonly intent: object
  readonly result: object
  readonly createdAt: string
  readonly updatedAt: string
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

export function activityRecordFlows(setting: Setting): void {
  test("an activity is answered in the clients' form and, within its result, in the specification's", async () => {
    const { root } = setting
    const { organizationId } = root
    const request = root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Recorded', userIds: [] })
    const { activity } = await root.client.createUserTag(request)
    assert.match(activity.createdAt.seconds, /^\d+$/)
    assert.match(activity.createdAt.nanos, /^\d+$/)
    assert.equal(Reflect.get(activity, 'timestampMs'), request.timestampMs)
    assert.deepEqual(activity.intent, { createUserTagIntent: request.parameters })

    const inner = specified(activity)
    assert.equal(inner.id, activity.id)
    assert.deepEqual(Object.keys(inner.intent), ['createUserTagIntent'])
    assert.deepEqual(Object.keys(inner.result), ['createUserTagResult'])
    assert.deepEqual(Reflect.get(inner.result, 'createUserTagResult'), activity.result.createUserTagResult)
    assert.match(inner.createdAt, RFC_3339)
    assert.match(inner.updatedAt, RFC_3339)
    assert.equal(Math.floor(Date.parse(inner.createdAt) / 1000), Number(activity.createdAt.seconds))

    const read = (await root.client.getActivity({ organizationId, activityId: activity.id })).activity
    assert.deepEqual(read, activity)
    const proofs = await root.client.getAppProofs({ organizationId, activityId: activity.id })
    assert.deepEqual(proofs, { appProofs: [] })
  })

  test('the same bytes again are answered with the same activity', async () => {
    const { root } = setting
    const request = root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Once', userIds: [] })
    const [first, second] = [
      await root.client.createUserTag(request),
      await root.client.createUserTag(request),
    ]
    assert.deepEqual(second, first)
  })

  test('activities are listed newest first, a page at a time, in both directions', async () => {
    const { root } = setting
    const { organizationId } = root
    const page = async (paginationOptions: { limit?: string; before?: string; after?: string }) =>
      (await root.client.getActivities({ organizationId, paginationOptions })).activities.map(({ id }) => id)
    const ten = await page({})
    assert.equal(ten.length, 10)
    const three = await page({ limit: '3' })
    assert.deepEqual(three, ten.slice(0, 3))
    const next = await page({ limit: '3', after: present(three[2], 'the last of the page') })
    assert.deepEqual(next, ten.slice(3, 6))
    const back = await page({ limit: '3', before: present(next[0], 'the first of the page') })
    assert.deepEqual(back, three)
    await assert.rejects(page({ limit: '101' }), { message: /^Turnkey error 3: / })
  })

  test("whatever is wrong arrives as the client's error, with a code and a list of details", async () => {
    const { root, someone } = setting
    const { organizationId } = root
    const stranger = someone(organizationId)
    await assert.rejects(stranger.client.getWhoami({ organizationId }), {
      name: 'TurnkeyRequestError',
      code: 16,
      message:
        /^Turnkey error 16: could not find public key in organization or its parent organization.* \(Details: \[.*\]\)$/,
    })
    await assert.rejects(root.client.getWhoami({ organizationId: 'nonsense' }), {
      code: 3,
      message: /^Turnkey error 3: malformed organization ID provided/,
    })
    const elsewhere = '00000000-0000-4000-8000-000000000000'
    await assert.rejects(root.client.getWhoami({ organizationId: elsewhere }), {
      code: 5,
      message: /^Turnkey error 5: no organization found with the given ID/,
    })
    await assert.rejects(root.client.getUser({ organizationId, userId: elsewhere }), {
      code: 5,
      message: new RegExp(
        `^Turnkey error 5: unable to find user ${elsewhere} in organization ${organizationId}`,
      ),
    })
    const late = root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Late', userIds: [] })
    await assert.rejects(root.client.createUserTag({ ...late, timestampMs: '1' }), {
      code: 3,
      message: /^Turnkey error 3: invalid timestampMs/,
    })
    const nobody = root.activity('ACTIVITY_TYPE_DELETE_USERS', { userIds: [] })
    await assert.rejects(root.client.deleteUsers(nobody), {
      code: 3,
      message: /^Turnkey error 3: .*userIds.* \(Details: \[.*"fieldViolations":.*\]\)$/,
    })
  })
}

function specified(activity: { readonly result: object }): SpecifiedRecord {
  // Each field is looked at by the test.
  return Reflect.get(activity.result, 'activity') as SpecifiedRecord
}
