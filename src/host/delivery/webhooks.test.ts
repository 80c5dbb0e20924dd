import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import { aService, type Member } from '../../../test/support/service.ts'
import {
  aSubOrganization,
  requestOf,
} from '../../trusted/activities/organizations/testing/sub-organization.ts'
import { CharterCache } from '../pipeline/charter-cache.ts'
import { CheckedCharters } from '../pipeline/checked-charters.ts'
import { webhookKeyId } from '../../trusted/vault/records/webhooks.ts'
import type { Ending } from './attempt-job.ts'
import { testCertificate } from '../outside/testing/certificate.ts'
import { nameServer } from '../outside/testing/name-server.ts'
import { openOutbound } from '../outside/outbound.ts'
import { type Received, type Receiver, receiver } from './testing/receiver.ts'
import { startDelivery } from './runner.ts'
import { endlessTimers, turnedTimers, until } from '../outside/testing/timers.ts'
import { prepareWebhook } from './webhook-delivery.ts'

const RENAME = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME'
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'
const SET_FEATURE = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'
const CREATE_ENDPOINT = 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT'
const UPDATE_ENDPOINT = 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT'

/**
 * The whole service, delivering by the test's clock to receivers on this machine; names that begin with `rebind` by the
 * rules of production.
 */
async function aDeliveringService(context: TestContext) {
  const service = await aService()
  const { store, vault, world } = service
  const names = await nameServer(() => ['127.0.0.1'])
  const trust = { nameServers: [names.address], certificateAuthorities: testCertificate.cert }
  const common = { ...trust, timers: endlessTimers }
  const [lenient, strict] = [true, false].map((allowPrivate) => openOutbound({ ...common, allowPrivate }))
  assert.ok(lenient !== undefined && strict !== undefined)
  const outbound: typeof lenient = {
    ...lenient,
    request: (request) => (request.url.includes('//rebind') ? strict : lenient).request(request),
  }
  const charters = new CheckedCharters(new CharterCache(store), vault)
  const timers = turnedTimers(world.now)
  const endings: Ending[] = []
  const tenants = new Set<string>()
  const receivers: Receiver[] = []
  const start = () =>
    startDelivery({
      store,
      world,
      timers,
      prepare: async (job) => {
        assert.equal(job.kind, 'webhook')
        const prepared = await prepareWebhook(
          { store, vault, charters, outbound, now: world.now },
          job.webhook,
        )
        if (prepared.kind === 'ready') tenants.add(prepared.tenant)
        return prepared
      },
      onEnded: ({ ending }) => endings.push(ending),
      onBug: (bug) => assert.fail(String(bug)),
    })
  let delivery = start()
  context.after(async () => {
    lenient.close()
    strict.close()
    await delivery.stop()
    names.stop()
    await Promise.all(receivers.map((item) => item.kill().catch(() => {})))
    await service.close()
  })
  /** Time goes on until it is so: a second whenever nothing else happens. */
  const untilSo = (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> => {
    let turns = 0
    return until(async () => {
      if (turns++ % 50 === 0) world.advance(1_000)
      timers.turn()
      return await isSo()
    }, what)
  }
  const { webhook } = await vault.serviceKeys()
  return {
    ...service,
    endings,
    tenants,
    untilSo,
    restart: async () => {
      await delivery.stop()
      delivery = start()
    },
    receiver: async (...respond: Parameters<typeof receiver>) => {
      const item = await receiver(...respond)
      receivers.push(item)
      return item
    },
    /** Everything that was committed is delivered, dead or waiting for its next attempt. */
    settled: () =>
      untilSo(async () => (await store.jobCounts()).every(({ waiting }) => waiting === 0), 'nothing waits'),
    listen: async (by: Member, url: string): Promise<string> => {
      const { endpointId } = await service.done(by, CREATE_ENDPOINT, {
        url,
        name: `Endpoint ${world.now()}`,
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
      })
      return endpointId
    },
    verify: (received: Received) =>
      verifyTurnkeyWebhookSignature({
        headers: received.headers,
        body: received.body,
        verificationKeys: [{ keyId: webhookKeyId(webhook), publicKey: webhook }],
        maxTimestampAgeMs: 5 * 60_000,
        nowMs: world.now(),
      }),
  }
}

function activityIn({ body }: Received) {
  return JSON.parse(body.toString()) as {
    id: string
    organizationId: string
    status: string
    type: string
    votes: readonly unknown[]
  }
}

function statusesOf(received: readonly Received[], activityId: string): readonly string[] {
  return received.map(activityIn).flatMap(({ id, status }) => (id === activityId ? [status] : []))
}

test('no event is lost and none comes before an earlier one, when receiver and service end and begin again in between', async (context) => {
  const service = await aDeliveringService(context)
  const { root, done, world } = service
  const receiver = await service.receiver((response, { eventId }) => {
    // The first attempt at every fourth event is cut off unanswered, as by a crash of the receiver.
    const isFirst = receiver.received.filter((received) => received.eventId === eventId).length === 1
    if (isFirst && new Set(receiver.received.map((received) => received.eventId)).size % 4 === 0)
      response.destroy()
    else response.writeHead(204).end()
  })
  const endpointId = await service.listen(root, receiver.url)
  const sent: string[] = []
  const act = async (): Promise<void> => {
    world.advance(1)
    const { json } = await service.submit(root, RENAME, { organizationName: `Name ${sent.length}` })
    sent.push(`${json.activity.id}-1`)
  }
  for (let count = 0; count < 6; count++) await act()
  await service.untilSo(() => receiver.received.length >= 3, 'some events have arrived')

  await receiver.kill()
  for (let count = 0; count < 6; count++) await act()
  await service.untilSo(() => service.endings.includes('failed'), 'an attempt has failed')
  await service.restart()
  await receiver.restart()
  for (let count = 0; count < 6; count++) await act()
  await service.settled()

  const [created, ...heard] = [...new Set(receiver.received.map(({ eventId }) => eventId))]
  assert.deepEqual(heard, sent)
  assert.ok(created !== undefined)
  assert.equal(activityIn(receiver.received[0] ?? assert.fail()).type, CREATE_ENDPOINT)
  const again = receiver.received.find(
    ({ eventId }, at) => receiver.received.findIndex((received) => received.eventId === eventId) < at,
  )
  assert.ok(again !== undefined, 'one event came twice')
  const first = receiver.received.find(({ eventId }) => eventId === again.eventId)
  assert.deepEqual(first?.body, again.body)
  assert.notEqual(first?.headers['x-turnkey-timestamp'], again.headers['x-turnkey-timestamp'])
  assert.notEqual(first?.headers['x-turnkey-signature'], again.headers['x-turnkey-signature'])
  assert.equal((await done(root, UPDATE_ENDPOINT, { endpointId, name: 'New' })).endpointId, endpointId)
})

test('every attempt is signed as the published function verifies, and a changed byte is seen', async (context) => {
  const service = await aDeliveringService(context)
  const { root, organizationId } = service
  const receiver = await service.receiver()
  await service.listen(root, receiver.url)
  await service.done(root, SET_FEATURE, { name: 'FEATURE_NAME_WEBHOOK', value: `${receiver.url}older` })
  await service.settled()

  const older = receiver.received.find(({ path }) => path === '/older')
  const newer = receiver.received.at(-1)
  for (const item of [older, newer]) {
    assert.ok(item !== undefined)
    const result = service.verify(item)
    assert.ok(result.ok, JSON.stringify(result))
    assert.equal(service.verify({ ...item, body: Buffer.concat([item.body, Buffer.from(' ')]) }).ok, false)
    const { headers } = item
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['x-turnkey-organization-id'], organizationId)
    assert.equal(headers['x-turnkey-event-type'], 'ACTIVITY_UPDATES')
    assert.equal(headers['x-turnkey-webhook-version'], '1')
    assert.equal(headers['x-turnkey-signature-version'], 'v1')
    assert.equal(headers['x-turnkey-signature-algorithm'], 'ed25519')
    assert.match(String(headers['x-turnkey-signature']), /^[0-9a-f]{128}$/)
    assert.equal(activityIn(item).organizationId, organizationId)
  }
})

test('each vote is an event, a denied request is one, the same bytes again are none, a new request is one', async (context) => {
  const service = await aDeliveringService(context)
  const { root, world } = service
  const receiver = await service.receiver()
  const other = await service.user('Other')
  await service.listen(root, receiver.url)
  const quorum = { threshold: 2, userIds: [root.userId, other.userId] }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum)

  const rename = requestOf(service, RENAME, service.organizationId, { organizationName: 'Voted' })
  const waiting = (await rename.sentBy(root)).json.activity
  assert.equal(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await service.settled()
  await rename.sentBy(root)
  const voted = (await rename.sentBy(other)).json.activity
  assert.equal(voted.status, 'ACTIVITY_STATUS_COMPLETED')
  await rename.sentBy(other)
  await service.settled()
  assert.deepEqual(statusesOf(receiver.received, voted.id), [
    'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    'ACTIVITY_STATUS_COMPLETED',
  ])

  // Both revisions are told late, and the first is told as it was then.
  const late = requestOf(service, RENAME, service.organizationId, { organizationName: 'Late' })
  await late.sentBy(root)
  const { id } = (await late.sentBy(other)).json.activity
  await service.settled()
  assert.deepEqual(statusesOf(receiver.received, id), [
    'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    'ACTIVITY_STATUS_COMPLETED',
  ])

  const before = receiver.received.length
  const nobody = await service.submit(root, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users: [] })
  assert.equal(nobody.status, 400)
  world.advance(1)
  const again = requestOf(service, RENAME, service.organizationId, { organizationName: 'Late' })
  await again.sentBy(root)
  await service.settled()
  assert.equal(receiver.received.length, before + 1)
})

test('a denied request is an event too', async (context) => {
  const service = await aDeliveringService(context)
  const receiver = await service.receiver()
  const outsider = await service.user('Outsider')
  await service.listen(service.root, receiver.url)
  service.world.advance(1)

  const denied = await service.submit(outsider, TAG, { userTagName: 'Mine', userIds: [] })

  assert.equal(denied.status, 403)
  await service.settled()
  const last = activityIn(receiver.received.at(-1) ?? assert.fail())
  assert.deepEqual([last.type, last.status], [TAG, 'ACTIVITY_STATUS_FAILED'])
})

test('a parent hears of its sub-organizations, a sub-organization only of itself, and nobody of a stranger', async (context) => {
  const service = await aDeliveringService(context)
  const [ofParent, ofSub] = [await service.receiver(), await service.receiver()]
  const sub = await aSubOrganization(service)
  const sibling = await aSubOrganization(service, { name: 'Sibling' })
  const [ada] = sub.roots
  await service.listen(ada, ofSub.url)
  await service.listen(service.root, ofParent.url)

  await service.done(ada, RENAME, { organizationName: 'Of Ada' })
  await service.done(sibling.roots[0], RENAME, { organizationName: 'Of another' })
  await service.done(service.root, RENAME, { organizationName: 'Parent' })
  await service.settled()

  const heardBy = (receiver: Receiver) =>
    receiver.received.map((received) => activityIn(received).organizationId)
  assert.deepEqual(heardBy(ofSub), [sub.organizationId, sub.organizationId])
  const family = [service.organizationId, sub.organizationId, sibling.organizationId, service.organizationId]
  assert.deepEqual(heardBy(ofParent), family)
  // All of them share the room of one tenant.
  assert.deepEqual([...service.tenants], [service.organizationId])

  // A writer of the database cannot have one organization's activities sent to another.
  const { id } = activityIn(ofParent.received.at(-1) ?? assert.fail())
  const [target = ''] = await service.store.find(
    { scope: sub.organizationId, kind: 'WEBHOOK', value: '' },
    { limit: 1 },
  )
  const forged = { scope: sub.organizationId, target, organizationId: service.organizationId }
  await service.store.addWebhooks([{ ...forged, activityId: id, revision: 1 }], service.world.now())
  await service.settled()
  assert.equal(ofSub.received.length, 2)
})

test('what is waiting for an endpoint that was switched off, or has moved, is dropped, or goes where it is now', async (context) => {
  const service = await aDeliveringService(context)
  const [gone, old, current] = [
    await service.receiver((response) => response.writeHead(503).end()),
    await service.receiver((response) => response.writeHead(503).end()),
    await service.receiver(),
  ]
  const [off, moved] = [
    await service.listen(service.root, gone.url),
    await service.listen(service.root, old.url),
  ]
  await service.untilSo(() => gone.received.length > 0 && old.received.length > 0, 'both have failed once')

  await service.done(service.root, UPDATE_ENDPOINT, { endpointId: off, isActive: false })
  await service.done(service.root, UPDATE_ENDPOINT, { endpointId: moved, url: current.url })
  const [failedAt, failedThere] = [gone.received.length, old.received.length]
  await service.settled()

  assert.ok(service.endings.includes('dropped'))
  assert.deepEqual([gone.received.length, old.received.length], [failedAt, failedThere])
  assert.deepEqual(
    current.received.map((received) => activityIn(received).type),
    // Its own creation, and what was done to both after it.
    [CREATE_ENDPOINT, UPDATE_ENDPOINT, UPDATE_ENDPOINT],
  )
})

test('what has waited for room goes to where the endpoint is by then, and nowhere once that is off', async (context) => {
  const service = await aService()
  context.after(service.close)
  const { root, store, vault, world } = service
  const [old, current] = [await receiver(), await receiver()]
  const names = await nameServer(() => ['127.0.0.1'])
  const trust = { nameServers: [names.address], certificateAuthorities: testCertificate.cert }
  const outbound = openOutbound({ ...trust, allowPrivate: true, timers: endlessTimers })
  context.after(async () => {
    outbound.close()
    names.stop()
    await Promise.all([old.kill(), current.kill()])
  })
  const { endpointId } = await service.done(root, CREATE_ENDPOINT, {
    url: old.url,
    name: 'Endpoint',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  })
  const [job] = await store.takeJobs({ now: world.now(), leaseMs: 60_000, limit: 1 })
  assert.ok(job?.kind === 'webhook')
  const { webhook } = job
  const charters = new CheckedCharters(new CharterCache(store), vault)
  const prepared = async () => {
    const ready = await prepareWebhook({ store, vault, charters, outbound, now: world.now }, webhook)
    assert.ok(ready.kind === 'ready')
    return ready
  }
  const [first, second] = [await prepared(), await prepared()]
  await service.done(root, UPDATE_ENDPOINT, { endpointId, url: current.url })
  world.advance(15_000)
  assert.deepEqual(await first.attempt(), { kind: 'delivered' })
  await service.done(root, UPDATE_ENDPOINT, { endpointId, isActive: false })
  assert.deepEqual(await second.attempt(), { kind: 'dropped' })
  assert.deepEqual([old.received.length, current.received.length], [0, 1])
})

test('what was given up goes to where the endpoint is by now, under the ids it had, and nowhere once that is deleted', async (context) => {
  const service = await aDeliveringService(context)
  const { root, store } = service
  const gone = await service.receiver((response) => response.writeHead(410).end())
  const here = await service.receiver()
  const endpointId = await service.listen(root, gone.url)
  for (let n = 0; n < 3; n++) await service.done(root, TAG, { userTagName: `Tag ${n}`, userIds: [] })
  await service.settled()
  const dead = await store.deadLetters({ limit: 100 })
  const redeliver = dead.map(({ sequence }) => String(sequence))
  assert.equal(redeliver.length, 4)
  await service.done(root, UPDATE_ENDPOINT, { endpointId, url: here.url, redeliver })
  await service.settled()

  const ids = (received: readonly Received[]) => received.map(({ eventId }) => eventId)
  assert.equal(gone.received.length, 4)
  assert.deepEqual(
    ids(here.received).filter((id) => ids(gone.received).includes(id)),
    ids(gone.received),
  )
  // The same numbers once more: they are of nothing any more.
  const before = here.received.length
  await service.done(root, UPDATE_ENDPOINT, { endpointId, redeliver })
  await service.settled()
  assert.equal(here.received.length, before + 1)

  await service.done(root, 'ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT', { endpointId })
  assert.equal((await service.submit(root, UPDATE_ENDPOINT, { endpointId, redeliver })).status, 404)
  await service.settled()
  assert.equal(gone.received.length, 4)
})

test('a target that is slow, endless, redirecting, closing early, broken or turned to 127.0.0.1 harms nobody else', async (context) => {
  const service = await aDeliveringService(context)
  const { root, store } = service
  const inside = await service.receiver()
  const endless = await service.receiver((response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  const bad = {
    slow: await service.receiver(() => {}),
    redirecting: await service.receiver((response) => {
      response.writeHead(307, { location: `${inside.url}inside` }).end()
    }),
    closing: await service.receiver((response) => response.destroy()),
    broken: await service.receiver((response) => response.socket?.end('neither\r\nHTTP\r\n\r\n')),
    tooMany: await service.receiver((response) => response.writeHead(429).end()),
  }
  const good = await service.receiver()
  await service.listen(root, inside.url.replace('hooks', 'rebind'))
  await service.listen(root, endless.url)
  for (const item of Object.values(bad)) await service.listen(root, item.url)
  const endpointId = await service.listen(root, good.url)
  for (let count = 0; count < 20; count++)
    await service.done(root, RENAME, { organizationName: `Name ${count}` })

  await service.untilSo(() => good.received.length === 21, 'the good endpoint has all')

  // Had it waited for the slow one, that would have been asked as often.
  assert.ok(bad.slow.received.length < 5)
  await service.untilSo(
    () => bad.redirecting.received.length === 25,
    'final answers let their ordering key go on',
  )
  await service.untilSo(() => endless.received.length > 20, 'an answer without end was not read')
  assert.equal(inside.received.length, 0)
  const dead = await store.deadLetters({ limit: 1_000 })
  const reasons = new Set(dead.map(({ failure }) => failure))
  for (const reason of [
    'the endpoint answered 307',
    'the endpoint answered 429',
    'the name leads to an address that is not public',
  ])
    assert.ok(reasons.has(reason), reason)
  assert.ok(dead.every((job) => job.kind === 'webhook' && job.webhook.target !== endpointId))
})

test('an endpoint that says when it takes events again, with 429 or 503, gets each of them then, and none before', async (context) => {
  const service = await aDeliveringService(context)
  const { root, store, world } = service
  const saying = async (status: number, retryAfter: () => string) => {
    const at: number[] = []
    const item = await service.receiver((response) => {
      at.push(world.now())
      if (at.length > 1) response.end()
      else response.writeHead(status, { 'retry-after': retryAfter(), date: httpDate(0) }).end()
    })
    await service.listen(root, item.url)
    return { at, received: item.received }
  }
  const httpDate = (ms: number) => new Date(world.now() + ms).toUTCString()
  const limited = await saying(429, () => '60')
  const busy = await saying(503, () => httpDate(60_000))
  await service.done(root, RENAME, { organizationName: 'Heard by both' })
  await service.settled()

  assert.deepEqual(await store.deadLetters({ limit: 10 }), [])
  for (const { at, received } of [limited, busy]) {
    const [first = 0, second = 0] = at
    assert.ok(second - first >= 59_000 && second - first < 90_000, `${second - first} ms`)
    assert.equal(received[0]?.eventId, received[1]?.eventId)
    assert.equal(new Set(received.map(({ eventId }) => eventId)).size, received.length - 1)
  }
})

test('a receiver that answers garbage is told of in plain words, and asked again', async (context) => {
  const service = await aDeliveringService(context)
  const { root, store } = service
  const nul = Buffer.from([0])
  const half = Buffer.from([0xed, 0xa0, 0x80]) // UTF-8 of U+D800, if it had one
  const answers = [
    Buffer.concat([nul, half]),
    Buffer.concat([Buffer.from('HTTP/1.1 503 '), half, Buffer.from('\r\nx: '), nul, Buffer.from('\r\n\r\n')]),
    Buffer.concat([Buffer.from('HTTP/1.1 4'), nul, Buffer.from('4 No\r\n\r\n')]),
    Buffer.from('\u0015\u0003\u0003\0\u0002\u0002P', 'latin1'),
  ]
  const receivers = await Promise.all(
    answers.map((answer) => service.receiver((response) => response.socket?.end(answer))),
  )
  for (const { url } of receivers) await service.listen(root, url)
  await service.done(root, RENAME, { organizationName: 'Heard by all' })

  const isAskedAgain = ({ received }: Receiver) => received.length >= 3
  await service.untilSo(() => receivers.every(isAskedAgain), 'each has been asked again')
  const later = service.world.now() + 10 ** 9
  const written = await store.takeJobs({ now: later, leaseMs: 1, limit: 100 })
  assert.equal(written.length, receivers.length)
  for (const { failure } of written) assert.match(failure ?? '', /^[\x20-\x7e]+$/)
})
