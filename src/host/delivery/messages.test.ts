import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aService } from '../../../test/support/service.ts'
import type { Ending } from './attempt-job.ts'
import { DeliveryError } from './delivery-error.ts'
import { openInbox } from './inbox.ts'
import { headersOf, mailSink } from './testing/mail-sink.ts'
import { openMailer } from './mailer.ts'
import { type MessageParts, prepareMessage } from './message-delivery.ts'
import { startDelivery } from './runner.ts'
import { turnedTimers, until } from '../outside/testing/timers.ts'

const INVITE = 'ACTIVITY_TYPE_CREATE_INVITATIONS'

/** The whole service, sending its messages by the test's clock with these means. */
async function aSendingService(context: TestContext, means: Pick<MessageParts, 'mailer' | 'textMessages'>) {
  const service = await aService()
  const { store, vault, world } = service
  const timers = turnedTimers(world.now)
  const endings: Ending[] = []
  const parts: MessageParts = { ...means, vault, now: world.now, senderRules: { senderDomains: [] } }
  const delivery = startDelivery({
    store,
    world,
    timers,
    prepare: async (job) => {
      assert.ok(job.kind !== 'webhook')
      return prepareMessage(parts, job.row, job.row.organizationId)
    },
    onEnded: ({ ending }) => endings.push(ending),
    onBug: (bug) => assert.fail(String(bug)),
  })
  context.after(async () => {
    await delivery.stop()
    await service.close()
  })
  const settled = (): Promise<void> => {
    let turns = 0
    return until(async () => {
      if (turns++ % 50 === 0) world.advance(1_000)
      timers.turn()
      return (await store.jobCounts()).every(({ waiting }) => waiting === 0)
    }, 'nothing waits')
  }
  const invite = (receiverUserEmail: string) =>
    service.done(service.root, INVITE, {
      invitations: [
        {
          receiverUserName: 'Grace',
          receiverUserEmail,
          receiverUserTags: [],
          accessType: 'ACCESS_TYPE_ALL',
          senderUserId: service.root.userId,
        },
      ],
    })
  return { ...service, endings, settled, invite }
}

test('an invitation reaches its receiver through a real mail server, once the server takes it', async (context) => {
  let refusals = 2
  const sink = await mailSink({
    onMailFrom: (_address, _session, go) => {
      const busy = Object.assign(new Error('busy'), { responseCode: 451 })
      go(refusals-- > 0 ? busy : null)
    },
  })
  context.after(sink.stop)
  const mailer = openMailer({
    smtpUrl: `smtp://127.0.0.1:${sink.port}?tls=none`,
    from: { address: 'keys@example.test', name: 'Keys' },
  })
  context.after(() => mailer.close())
  const service = await aSendingService(context, { mailer })

  await service.invite('grace@example.test')
  await service.settled()

  assert.deepEqual(service.endings, ['failed', 'failed', 'delivered'])
  const [mail, ...none] = sink.taken
  assert.deepEqual(none, [])
  assert.deepEqual(mail?.to, ['grace@example.test'])
  const headers = new Map(headersOf(mail?.raw ?? ''))
  assert.equal(headers.get('from'), 'Keys <keys@example.test>')
  assert.match(headers.get('subject') ?? '', /Test/)
  assert.match(headers.get('message-id') ?? '', /^<[0-9a-f-]{36}@example\.test>$/)
})

test('without a mail server a message is kept as dead with a reason that helps, and tells nobody its content', async (context) => {
  const service = await aSendingService(context, {})

  await service.invite('grace@example.test')
  await service.settled()

  const [dead] = await service.store.deadLetters({ limit: 10 })
  assert.match(dead?.failure ?? '', /no mail server is configured \(CLAVIGER_SMTP_URL\)/)
  assert.doesNotMatch(JSON.stringify(dead), /grace/)
})

test('an address that the server refuses for good is not tried again', async (context) => {
  const sink = await mailSink({
    onRcptTo: (_address, _session, go) => go(Object.assign(new Error('unknown'), { responseCode: 550 })),
  })
  context.after(sink.stop)
  const mailer = openMailer({
    smtpUrl: `smtp://127.0.0.1:${sink.port}?tls=none`,
    from: { address: 'keys@example.test', name: 'Keys' },
  })
  context.after(() => mailer.close())
  const service = await aSendingService(context, { mailer })

  await service.invite('nobody@example.test')
  await service.settled()

  assert.deepEqual(service.endings, ['refused'])
  assert.doesNotMatch((await service.store.deadLetters({ limit: 1 }))[0]?.failure ?? '', /nobody/)
})

test('in development the inbox shows what would have been sent', async (context) => {
  const inbox = openInbox(() => 0)
  const service = await aSendingService(context, inbox)

  await service.invite('grace@example.test')
  await service.settled()

  const { messages } = JSON.parse(inbox.json())
  assert.deepEqual(
    messages.map((message: { to: string }) => message.to),
    ['grace@example.test'],
  )
})

test('a code that has expired before it could be sent is not sent', async (context) => {
  const sent: string[] = []
  const mailer = { send: async ({ text }: { readonly text: string }) => void sent.push(text) }
  const service = await aSendingService(context, { mailer })
  const { root, world } = service
  const code = { otpType: 'OTP_TYPE_EMAIL', contact: 'grace@example.test', expirationSeconds: '60' }
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    value: '',
  })
  await service.done(root, 'ACTIVITY_TYPE_INIT_OTP', code)
  world.advance(60_000)
  await service.settled()
  assert.deepEqual([service.endings, sent], [['refused'], []])
  assert.equal((await service.store.deadLetters({ limit: 1 }))[0]?.failure, 'its content has expired')

  await service.done(root, 'ACTIVITY_TYPE_INIT_OTP', code)
  await service.settled()
  assert.equal(sent.length, 1)
})

test('mails wait for a connection before their attempt, and each has all of its time', async (context) => {
  const held: (() => void)[] = []
  const sink = await mailSink({
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => held.push(done))
    },
  })
  context.after(sink.stop)
  // The time of the mails is that of the test.
  let now = 0
  const timers = turnedTimers(() => now)
  const mailer = openMailer({
    smtpUrl: `smtp://127.0.0.1:${sink.port}?tls=none`,
    from: { address: 'keys@example.test', name: 'Keys' },
    timers,
  })
  context.after(() => mailer.close())
  const { invite, settled, endings } = await aSendingService(context, { mailer })
  for (let n = 0; n < 8; n++) await invite(`grace-${n}@example.test`)
  let isOver = false
  const all = settled().finally(() => {
    isOver = true
  })

  await until(() => held.length === 4, 'four mails at the server')
  // The first four take 30 s, and then the others do.
  for (let turn = 0; turn < 2; turn++) {
    now += 30_000
    timers.turn()
    for (const done of held.splice(0)) done()
    await until(() => held.length === 4 || isOver, 'the next mails')
  }
  await all

  assert.deepEqual(
    endings,
    Array.from({ length: 8 }, () => 'delivered'),
  )
})

test('the wait that a provider of text messages asks for is that of the job', async () => {
  const row = { organizationId: 'org', jobId: 'job', kind: 'sms', seal: 'seal', createdAt: 1 } as const
  const outcomeOf = async (kind: 'permanent' | 'temporary') => {
    const prepared = prepareMessage(
      {
        vault: {
          openJob: async () => ({ channel: 'sms', about: 'otp', to: '+1', code: '1', expiresAt: 10 }),
        },
        textMessages: {
          send: async () => {
            throw new DeliveryError(kind, 'it answered 429', 30_000)
          },
        },
        senderRules: { senderDomains: [] },
        now: () => 1,
      },
      row,
      'org',
    )
    return await prepared.attempt()
  }
  const failure = 'it answered 429'
  assert.deepEqual(await outcomeOf('temporary'), { kind: 'failed', failure, retryAfterMs: 30_000 })
  assert.deepEqual(await outcomeOf('permanent'), { kind: 'refused', failure })
})
