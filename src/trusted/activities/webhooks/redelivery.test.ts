import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anotherUser, aSubOrganization } from '../../../../test/behaviour/things.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../../../../test/support/service.ts'

const TYPE = 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT'

async function anEndpoint(service: TestService, by: Member, name: string): Promise<string> {
  const { endpointId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
    url: 'https://example.com/hooks',
    name,
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  })
  return endpointId
}

/** Everything that waits is given up. */
async function allDead({ store, world }: TestService): Promise<void> {
  for (;;) {
    world.advance(1)
    const taken = await store.takeJobs({ now: world.now(), leaseMs: 1, limit: 10 })
    if (taken.length === 0) return
    for (const { sequence } of taken)
      await store.deadLetterJob(sequence, { failure: 'the endpoint answered 410' })
  }
}

async function listed(
  service: TestService,
  by: Member,
  endpointId: string,
  state: string,
): Promise<JsonAnswer> {
  const { json } = await service.query(by, 'list_webhook_deliveries', { endpointId, state, limit: '100' })
  return json.deliveries
}

test('dead letters of one endpoint wait again, in order, and those of others stay', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const one = await anEndpoint(service, root, 'One')
  const two = await anEndpoint(service, root, 'Two')
  await allDead(service)
  const [own, others] = [await listed(service, root, one, 'DEAD'), await listed(service, root, two, 'DEAD')]
  const ids = [...own, ...others].map(({ deliveryId }: JsonAnswer) => deliveryId)
  await service.done(root, TYPE, { endpointId: one, redeliver: [...ids, '999999'] })

  assert.deepEqual(await listed(service, root, one, 'DEAD'), [])
  assert.deepEqual(await listed(service, root, two, 'DEAD'), others)
  const waiting = await listed(service, root, one, 'WAITING')
  const about = (deliveries: JsonAnswer) => deliveries.map(({ activityId }: JsonAnswer) => activityId)
  // The redelivery itself is an event too, behind them or before.
  assert.deepEqual(
    about(waiting).filter((id: string) => about(own).includes(id)),
    about(own),
  )
})

test('nobody sends again what another organization has given up, and no member without rights', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const endpointId = await anEndpoint(service, root, 'Ours')
  await allDead(service)
  const dead = await listed(service, root, endpointId, 'DEAD')
  const redeliver = dead.map(({ deliveryId }: JsonAnswer) => deliveryId)
  const other = await service.newOrganization()
  const theirs = await anEndpoint(service.of(other), other, 'Theirs')
  await service.of(other).done(other, TYPE, { endpointId: theirs, redeliver })
  assert.equal((await service.of(other).submit(other, TYPE, { endpointId, redeliver })).status, 404)
  const child = await aSubOrganization(service)
  assert.equal((await service.submit(child, TYPE, { endpointId, redeliver })).status, 404)
  const member = await anotherUser({ service, by: root })
  assert.equal((await service.submit(member, TYPE, { endpointId, redeliver })).status, 403)
  const left = await listed(service, root, endpointId, 'DEAD')
  assert.deepEqual(left, dead)
})

test('numbers that are none are refused', async (t) => {
  const service = await aService()
  t.after(service.close)
  const endpointId = await anEndpoint(service, service.root, 'Ours')
  for (const redeliver of [['x'], ['-1'], ['1e3'], ['1'.repeat(16)], Array.from({ length: 101 }, () => '1')])
    assert.equal((await service.submit(service.root, TYPE, { endpointId, redeliver })).status, 400)
})

test('of thousands that were given up each request sends a hundred again, each once however often it is named', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, store, world, organizationId } = service
  const endpointId = await anEndpoint(service, root, 'One')
  const [{ activityId }] = await listed(service, root, endpointId, 'WAITING')
  const again = { scope: organizationId, target: endpointId, organizationId, activityId, revision: 1 }
  await store.addWebhooks(
    Array.from({ length: 2_000 }, () => again),
    world.now(),
  )
  await allDead(service)
  const dead = await store.deadLetters({ limit: 3_000 })
  assert.equal(dead.length, 2_001)
  const hundred = dead.slice(0, 100).map(({ sequence }) => String(sequence))
  for (let times = 0; times < 3; times++)
    await service.done(root, TYPE, { endpointId, redeliver: hundred.toReversed() })
  const same = hundred[0]
  await service.done(root, TYPE, { endpointId, redeliver: Array.from({ length: 100 }, () => same) })
  assert.equal((await store.deadLetters({ limit: 3_000 })).length, 1_901)
  // Those that were revived, and the four redeliveries, which are events too.
  assert.equal(
    (await store.jobsOf(`webhook ${organizationId} ${endpointId}`, 'waiting', { limit: 500 })).length,
    104,
  )
})
