import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { postgresAvailable, postgresMissing, startPostgres } from '../../../test/support/postgres.ts'
import { APP } from '../../../test/support/otp-setting.ts'
import { aService } from '../../../test/support/service.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { openOutbound } from '../outside/outbound.ts'
import { realTimers } from '../outside/timers.ts'
import { CharterCache } from '../pipeline/charter-cache.ts'
import { CheckedCharters } from '../pipeline/checked-charters.ts'
import { openPostgres } from '../store/postgres/postgres.ts'
import type { Job } from '../store/store.ts'
import { openMailer } from './mailer.ts'
import { prepareMessage } from './message-delivery.ts'
import { startDelivery } from './runner.ts'
import { mailSink } from './testing/mail-sink.ts'
import { twilio } from './twilio.ts'
import { prepareWebhook } from './webhook-delivery.ts'

const EVENTS = 30
const CODES = 10

test('a database that restarts again and again loses nothing that is delivered, repeats nothing, and delays nothing to the end of a lease', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (context) => {
  const server = await startPostgres()
  context.after(server.stop)
  const store = await openPostgres({ url: `${server.address}/postgres` })
  context.after(() => store.close())
  const service = await aService({ store, targets: { allowPrivate: true } })
  context.after(service.close)
  const { root, vault, world } = service
  // Codes must not have expired by the clock of the database.
  world.setClock(Date.now())

  const events: string[] = []
  const hooks = await answering(context, async (request) => {
    events.push(`${request.url} ${request.headers['x-turnkey-event-id']}`)
  })
  const texts: (string | null)[] = []
  const gateway = await answering(context, async (request) => {
    texts.push(new URLSearchParams(Buffer.concat(await request.toArray()).toString()).get('To'))
  })
  const mails = await mailSink()
  context.after(mails.stop)
  const outbound = openOutbound({ allowPrivate: true, timers: realTimers })
  const mailer = openMailer({
    smtpUrl: `smtp://127.0.0.1:${mails.port}?tls=none`,
    from: { address: 'codes@example.com', name: 'Codes' },
  })
  const textMessages = twilio({
    outbound,
    accountSid: 'AC1',
    authToken: 'token',
    from: '+15550000000',
    baseUrl: gateway,
    now: realWorld.now,
  })

  for (const name of ['FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH'])
    await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' })
  for (const path of ['one', 'two'])
    await service.done(root, 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
      url: `${hooks}/${path}`,
      name: path,
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
    })
  const contacts = { mails: [] as string[], texts: [] as string[] }
  for (let n = 0; n < CODES; n++) {
    contacts.mails.push(`user-${n}@example.com`)
    contacts.texts.push(`+155512345${n + 10}`)
  }
  for (const [otpType, to] of [
    ['OTP_TYPE_EMAIL', contacts.mails],
    ['OTP_TYPE_SMS', contacts.texts],
  ] as const)
    for (const contact of to)
      await service.done(root, 'ACTIVITY_TYPE_INIT_OTP_V3', { otpType, contact, ...APP })
  for (let n = 2 * CODES; n < EVENTS; n++)
    await service.done(root, 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: `Name ${n}` })

  const waiting = new Map((await store.jobCounts()).map((count) => [count.kind, count.waiting]))
  assert.ok((waiting.get('webhook') ?? 0) >= 2 * EVENTS)
  const attempts: number[] = []
  const bugs: unknown[] = []
  const charters = new CheckedCharters(new CharterCache(store), vault)
  const delivery = startDelivery({
    store,
    world: realWorld,
    timers: realTimers,
    prepare: async (job: Job, now) => {
      const prepared =
        job.kind === 'webhook'
          ? await prepareWebhook({ store, vault, charters, outbound, now }, job.webhook)
          : prepareMessage(
              { vault, mailer, textMessages, senderRules: { senderDomains: [] }, now },
              job.row,
              job.row.organizationId,
            )
      attempts.push(job.attempts)
      return prepared
    },
    onEnded: () => {},
    onBug: (bug) => bugs.push(bug),
  })
  context.after(async () => {
    await delivery.stop()
    mailer.close()
    outbound.close()
  })

  const arrived = () => events.length + mails.taken.length + texts.length
  for (const by of ['QUIT', 'INT', 'QUIT', 'INT'] as const) {
    const before = arrived()
    await eventually(() => arrived() >= before + 8)
    await server.restart(by)
  }
  await eventually(async () => (await store.jobCounts()).every(({ waiting }) => waiting === 0))

  assert.deepEqual(await store.deadLetters({ limit: 10 }), [])
  assert.deepEqual(mails.taken.map(({ to }) => to[0]).toSorted(), contacts.mails.toSorted())
  assert.deepEqual(texts.toSorted(), contacts.texts)
  assert.equal(new Set(events).size, events.length)
  assert.equal(events.length, waiting.get('webhook'))
  // A job whose lease has ended is one that was attempted before.
  assert.deepEqual([...new Set(attempts)], [0])
  assert.deepEqual(bugs, [])
})

/** A server that answers each request when this is done. */
async function answering(
  context: TestContext,
  take: (request: IncomingMessage) => Promise<void>,
): Promise<string> {
  const server = createServer((request, response) => {
    void take(request).then(() => {
      request.resume()
      response.writeHead(201, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  // A TCP server that listens has an address and a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
