import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivityPoller, init, TurnkeyApi, withAsyncPolling } from '@turnkey/http'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Setting } from '../setting.ts'

export function pollerFlows(setting: Setting): void {
  test('the activity poller returns what is completed, and throws what waits for others', async () => {
    const { root, subOrganization } = setting
    const poller = createActivityPoller({ client: root.client, requestFn: root.client.createUserTag })
    const done = await poller(
      root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Polled', userIds: [] }),
    )
    assert.ok(done.result.createUserTagResult)

    const [first, second] = await subOrganization('Polled', ['First', 'Second'], 2)
    const [ada, bob] = [present(first, 'the first'), present(second, 'the second')]
    const waiting = createActivityPoller({ client: ada.client, requestFn: ada.client.createUserTag })
    const request = ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Waits', userIds: [] })
    let activityId = ''
    await assert.rejects(waiting(request), (error: Error) => {
      assert.match(error.message, /^Consensus needed for activity /)
      assert.equal(Reflect.get(error, 'activityStatus'), 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
      assert.equal(Reflect.get(error, 'activityType'), 'ACTIVITY_TYPE_CREATE_USER_TAG')
      activityId = String(Reflect.get(error, 'activityId'))
      return true
    })
    const { organizationId } = bob
    const { fingerprint } = (await bob.client.getActivity({ organizationId, activityId })).activity
    await bob.client.rejectActivity(bob.activity('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint }))
    await assert.rejects(waiting(request), { message: `Activity ${activityId} was rejected` })
  })

  test('the older, configured client and its polling work too', async () => {
    const { root, env } = setting
    const { organizationId } = root
    init({ baseUrl: env.BASE_URL, apiPublicKey: env.API_PUBLIC_KEY, apiPrivateKey: env.API_PRIVATE_KEY })
    const whoami = await TurnkeyApi.getWhoami({ body: { organizationId } })
    assert.equal(whoami.userId, root.userId)
    const create = withAsyncPolling({ request: TurnkeyApi.createPrivateKeyTag })
    const activity = await create({
      body: root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', {
        privateKeyTagName: 'Older client',
        privateKeyIds: [],
      }),
    })
    assert.ok(activity.result.createPrivateKeyTagResult?.privateKeyTagId)
  })
}
