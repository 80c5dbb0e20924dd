import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../../trusted/base/assert.ts'
import { aSubOrganization } from '../../../../test/behaviour/things.ts'
import { aService, type JsonAnswer } from '../../../../test/support/service.ts'

test('what waits for an endpoint and what was given up is told of each endpoint apart, to its organization', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, store, world } = service
  const endpoint = async (name: string) =>
    (
      await service.done(root, 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
        url: 'https://example.com/hooks',
        name,
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
      })
    ).endpointId
  const endpointId = await endpoint('Ledger')
  const child = await aSubOrganization(service)
  for (const userTagName of ['One', 'Two'])
    await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] })
  const other = await endpoint('Other')

  const told = async (body: object): Promise<JsonAnswer> => {
    const { status, json, text } = await service.query(root, 'list_webhook_deliveries', {
      endpointId,
      ...body,
    })
    assert.equal(status, 200, text)
    return json
  }
  const first = await told({ limit: '2' })
  assert.equal(first.deliveries.length, 2)
  const rest = await told({ limit: '100', after: first.next })
  const ids = [...first.deliveries, ...rest.deliveries].map(({ activityId }) => activityId)
  assert.deepEqual(ids, [...new Set(ids)].toSorted())
  // Its own creation.
  assert.equal((await told({ endpointId: other })).deliveries.length, 1)

  const [job] = await store.takeJobs({ now: world.now(), leaseMs: 1, limit: 1 })
  await store.deadLetterJob(present(job, 'a job').sequence, { failure: 'the endpoint answered 410' })
  const { deliveries: dead } = await told({ state: 'DEAD' })
  assert.deepEqual(
    dead.map(({ deliveryId, attempts, failure }: JsonAnswer) => [deliveryId, attempts, failure]),
    [[String(job?.sequence), 1, 'the endpoint answered 410']],
  )
  const [next] = await store.takeJobs({ now: world.now(), leaseMs: 1, limit: 1 })
  const dueAt = world.now() + 5_000
  await store.postponeJob(present(next, 'a job'), { dueAt, failure: 'the endpoint answered 503' })
  const waiting = await told({})
  assert.equal(waiting.nextAttemptAt.seconds, String(Math.floor(dueAt / 1000)))
  assert.deepEqual(
    [waiting.deliveries[0].attempts, waiting.deliveries[0].failure],
    [1, 'the endpoint answered 503'],
  )

  const unknown = await service.query(child, 'list_webhook_deliveries', { endpointId })
  assert.equal(unknown.status, 404)
  for (const after of ['x', '-1', '1e3', '9'.repeat(16)])
    assert.equal((await service.query(root, 'list_webhook_deliveries', { endpointId, after })).status, 400)
})
