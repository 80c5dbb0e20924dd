import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testWorld } from '../../../test/support/service.ts'
import { aJob, aUnit } from '../store/testing/fixtures.ts'
import { CALL_TICKS_MAX } from '../link/vault-link.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import type { Job, Store, WebhookJob } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import type { Ending } from './attempt-job.ts'
import { AUDIT_TIMEOUT_MS } from './audit/audit-sink.ts'
import { MAIL_MS_MAX } from './mailer.ts'
import type { Outcome } from './outcome.ts'
import type { ConcurrencyLimits } from './concurrency-limiter.ts'
import { LEASE_MS, LEASES, LIMITS, startDelivery } from './runner.ts'
import { turnedTimers, until } from '../outside/testing/timers.ts'

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A store with jobs, and deliveries whose attempts the test answers itself. */
function aRun(context: TestContext, answer: (job: Job) => Outcome | Promise<Outcome>) {
  const world = testWorld(1, START)
  const store = openSqlite({ path: ':memory:' })
  const timers = turnedTimers(world.now)
  const attempts: { readonly at: number; readonly orderingKey: string; readonly revision: number }[] = []
  const endings: Ending[] = []
  const bugs: unknown[] = []
  const start = (
    of: Store = store,
    looksUp: (job: Job) => Promise<void> = async () => {},
    limits: ConcurrencyLimits = LIMITS,
  ) =>
    startDelivery({
      limits,
      store: of,
      world,
      timers,
      prepare: async (job, now) => {
        await looksUp(job)
        return {
          kind: 'ready',
          place: placeOf(job),
          tenant: organizationOf(job).replace(/\/.*/, ''),
          organization: organizationOf(job),
          attempt: async () => {
            const revision = job.kind === 'webhook' ? job.webhook.revision : 0
            attempts.push({ at: now() - START, orderingKey: job.orderingKey, revision })
            return await answer(job)
          },
        }
      },
      onEnded: ({ ending }) => endings.push(ending),
      onBug: (bug) => bugs.push(bug),
    })
  context.after(() => store.close())
  /** Moves the clock to the end of this time in steps, and lets what is due happen. */
  const pass = async (ms: number, step = 1_000): Promise<void> => {
    for (let passed = 0; passed < ms; passed += step) {
      world.advance(step)
      timers.turn()
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { world, store, timers, attempts, endings, bugs, start, pass }
}

function placeOf(job: Job): string {
  // Endpoints of one place are told apart behind a slash.
  return job.kind === 'webhook' ? job.webhook.target.replace(/\/.*/, '') : job.kind
}

/** Organizations of one tenant are told apart behind a slash. */
function organizationOf(job: Job): string {
  return job.kind === 'webhook' ? job.webhook.scope : job.row.organizationId
}

function webhooks(target: string, count: number): WebhookJob[] {
  return Array.from({ length: count }, (_, at) => ({
    scope: 'org',
    target,
    organizationId: 'org',
    activityId: 'a',
    revision: at + 1,
  }))
}

async function waiting(store: Store): Promise<number> {
  return (await store.jobCounts()).reduce((sum, count) => sum + count.waiting, 0)
}

const delivered: Outcome = { kind: 'delivered' }
const failed: Outcome = { kind: 'failed', failure: 'the endpoint answered 503' }

test('an ordering key is carried in its order, and others go on while one is slow', async (context) => {
  const slow = Promise.withResolvers<Outcome>()
  const run = aRun(context, ({ orderingKey, attempts }) =>
    orderingKey.endsWith('slow') && attempts === 0 ? slow.promise : delivered,
  )
  await run.store.addWebhooks([...webhooks('slow', 3), ...webhooks('quick', 20)], START)
  const delivery = run.start()

  await run.pass(1_000, 10)

  const seen = (target: string) =>
    run.attempts.filter(({ orderingKey }) => orderingKey.endsWith(target)).map(({ revision }) => revision)
  assert.deepEqual(
    seen('quick'),
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
  assert.deepEqual(seen('slow'), [1])
  slow.resolve(delivered)
  await run.pass(100, 10)
  assert.deepEqual(seen('slow'), [1, 2, 3])
  assert.equal(await waiting(run.store), 0)
  await delivery.stop()
  assert.deepEqual(run.bugs, [])
})

/** The store, which counts its looks, and what it puts back. */
function counted(store: Store) {
  const counts = { looks: 0, putBack: 0 }
  const counting: Store = {
    ...store,
    takeJobs: async (request) => {
      counts.looks++
      return await store.takeJobs(request)
    },
    putBackJob: async (job, dueAt) => {
      counts.putBack++
      await store.putBackJob(job, dueAt)
    },
  }
  return { counts, counting }
}

for (const [keys, events] of [
  [1, 24],
  [4, 6],
] as const)
  test(`${keys} ordering key${keys === 1 ? '' : 's'} whose jobs succeed at once go on without a look, as far as a look could start jobs`, async (context) => {
    const run = aRun(context, () => delivered)
    const targets = Array.from({ length: keys }, (_, at) => `w${at}`)
    await run.store.addWebhooks(
      targets.flatMap((target) => webhooks(target, events)),
      START,
    )
    const { counts, counting } = counted(run.store)
    const delivery = run.start(counting)

    for (const starts of [8, 16, 24]) {
      await run.pass(10, 10)
      await until(() => run.endings.length >= starts, `${starts} jobs`)
      // Without the next look nothing more is started.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
      assert.equal(run.attempts.length, starts)
      assert.equal(counts.looks, starts / 8)
    }

    for (const target of targets)
      assert.deepEqual(
        run.attempts
          .filter(({ orderingKey }) => orderingKey.endsWith(target))
          .map(({ revision }) => revision),
        Array.from({ length: events }, (_, at) => at + 1),
      )
    assert.equal(await waiting(run.store), 0)
    await delivery.stop()
    assert.deepEqual(run.bugs, [])
  })

test('ordering keys that end leave what a look could start to those that go on', async (context) => {
  const run = aRun(context, () => delivered)
  const single = Array.from({ length: 4 }, (_, at) => webhooks(`w${at}`, 1)).flat()
  await run.store.addWebhooks([...single, ...webhooks('long', 10)], START)
  const { counts, counting } = counted(run.store)
  const delivery = run.start(counting)
  await run.pass(10, 10)

  await until(() => run.endings.length >= 8, '8 jobs')
  assert.equal(counts.looks, 1)
  await delivery.stop()
})

test('while more is due than a look hands out, no ordering key goes on before its turn', async (context) => {
  const run = aRun(context, () => delivered)
  await run.store.addWebhooks(webhooks('long', 40), START)
  const others = Array.from({ length: 70 }, (_, at) => webhooks(`other${at}`, 1)).flat()
  await run.store.addWebhooks(
    others.map((webhook) => ({ ...webhook, scope: 'others' })),
    START,
  )
  const delivery = run.start()
  const started = (prefix: string) =>
    run.attempts.filter(({ orderingKey }) => orderingKey.split(' ')[2]?.startsWith(prefix)).length

  for (let look = 1; look <= 10; look++) {
    await run.pass(10, 10)
    assert.equal(run.attempts.length, 8 * look)
    assert.equal(started('long'), look)
  }

  // Nobody else waits.
  await run.pass(10, 10)
  assert.ok(started('long') > 11, `${started('long')} jobs`)
  await run.pass(1_000, 10)
  assert.equal(started('long'), 40)
  await delivery.stop()
})

test('an ordering key that goes on at once takes no place from one that waits for it', async (context) => {
  let underWay = 0
  const run = aRun(context, async () => {
    underWay++
    assert.equal(underWay, 1)
    await new Promise<void>((resolve) => void run.timers.after(10, resolve))
    underWay--
    return delivered
  })
  for (const target of ['w/1', 'w/2']) await run.store.addWebhooks(webhooks(target, 4), START)
  const delivery = run.start(run.store, async () => {}, { ...LIMITS, perPlace: 1 })

  await run.pass(200, 10)

  assert.deepEqual(
    run.attempts.map(({ orderingKey, revision }) => `${orderingKey.slice(-1)} ${revision}`),
    ['1 1', '2 1', '1 2', '2 2', '1 3', '2 3', '1 4', '2 4'],
  )
  await delivery.stop()
  assert.deepEqual(run.bugs, [])
})

test('a job that goes on at once is nobody else’s for the time of a lease', async (context) => {
  const run = aRun(context, (job) =>
    job.kind === 'webhook' && job.webhook.revision === 1
      ? new Promise((resolve) => run.timers.after(60_000, () => resolve(delivered)))
      : new Promise(() => {}),
  )
  await run.store.addWebhooks(webhooks('w', 2), START)
  const delivery = run.start()
  await run.pass(61_000)
  assert.deepEqual(
    run.attempts.map(({ revision }) => revision),
    [1, 2],
  )

  await run.pass(LEASE_MS - 2_000)
  assert.equal(run.attempts.length, 2)
  await run.pass(4_000)
  assert.equal(run.attempts.length, 3)
  void delivery.stop()
})

test('no two hand-outs of an instant have the same lease, so that one whose answer was lost is found again', async (context) => {
  const run = aRun(context, () => delivered)
  await run.store.addWebhooks([...webhooks('a', 20), ...webhooks('b', 20)], START)
  const leases: number[] = []
  const delivery = run.start({
    ...run.store,
    takeJobs: async (request) => {
      leases.push(request.leaseMs)
      return await run.store.takeJobs(request)
    },
    finishJob: async (sequence, next) => {
      if (next !== undefined) leases.push(next.leaseMs)
      return await run.store.finishJob(sequence, next)
    },
  })
  await run.pass(100, 10)

  assert.ok(leases.length > 30, `${leases.length} leases`)
  assert.equal(new Set(leases).size, leases.length)
  for (const lease of leases) assert.ok(lease >= LEASE_MS && lease < LEASE_MS + LEASES)
  await delivery.stop()
})

test('what fails is tried again on the stated schedule, twelve times, then kept as dead with the reason, and its ordering key goes on', async (context) => {
  const run = aRun(context, (job) =>
    job.kind === 'webhook' && job.webhook.revision === 1 ? failed : delivered,
  )
  await run.store.addWebhooks(webhooks('w', 2), START)
  const delivery = run.start()

  await run.pass(24 * HOUR, 5_000)

  const tries = run.attempts.filter(({ revision }) => revision === 1).map(({ at }) => at)
  assert.equal(tries.length, 12)
  const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
  const longest = [5, 15, 45, 135, 405, 1215, 3645, 10_935, 21_600, 21_600, 21_600]
  waits.forEach((wait, index) => {
    const most = (longest[index] ?? 0) * 1_000
    // Half of it at least; this test looks every five seconds, the service every second.
    assert.ok(wait >= most / 2 && wait <= most + 10_000, `wait ${index + 1} is ${wait} ms of ${most}`)
  })
  assert.equal(run.attempts.at(-1)?.revision, 2)
  const [dead, ...none] = await run.store.deadLetters({ limit: 10 })
  assert.deepEqual(none, [])
  assert.equal(dead?.failure, 'the endpoint answered 503 (given up after 12 attempts)')
  assert.deepEqual(run.endings.slice(-2), ['deadLettered', 'delivered'])
  await delivery.stop()
})

test('no job returns before the time that its destination has asked for, and not all of them at once', async (context) => {
  const asked = 60_000
  const run = aRun(context, ({ attempts }) =>
    attempts === 0 ? { ...failed, retryAfterMs: asked } : delivered,
  )
  const jobs = Array.from({ length: 30 }, (_, at) => aJob(`s${at}`, { kind: 'sms', createdAt: START }))
  await run.store.commit(aUnit({ jobs }))
  const delivery = run.start()

  await run.pass(80_000, 500)

  const again = run.attempts.slice(30).map(({ at }) => at)
  assert.equal(again.length, 30)
  // The first attempts took a few looks.
  for (const at of again) assert.ok(at >= asked && at <= asked * 1.25 + 5_000, `${at} ms`)
  assert.ok(new Set(again).size > 10, `${new Set(again).size} times`)
  await delivery.stop()
})

test('a destination that asks for no wait to speak of is tried on the schedule', async (context) => {
  const run = aRun(context, () => ({ ...failed, retryAfterMs: 0 }))
  await run.store.addWebhooks(webhooks('w', 1), START)
  const delivery = run.start()

  await run.pass(MINUTE, 100)

  assert.ok(run.attempts.length >= 3 && run.attempts.length <= 6, `${run.attempts.length} attempts`)
  await delivery.stop()
})

test('after an outage of the mail server, what waited leaves within half a minute, while its codes still work', async (context) => {
  for (const outage of [30_000, 120_000, 240_000]) {
    const run = aRun(context, () => (run.world.now() < START + outage ? failed : delivered))
    const jobs = Array.from({ length: 100 }, (_, at) => aJob(`e${at}`, { createdAt: START }))
    await run.store.commit(aUnit({ jobs }))
    const delivery = run.start()

    await run.pass(outage + 32_000, 500)

    assert.equal(await waiting(run.store), 0, `after an outage of ${outage} ms`)
    assert.equal(run.endings.filter((ending) => ending === 'delivered').length, 100)
    await delivery.stop()
  }
})

test('a mail that fails is tried ever more seldom, and given up after a day', async (context) => {
  const run = aRun(context, () => failed)
  await run.store.commit(aUnit({ jobs: [aJob('e', { createdAt: START })] }))
  const delivery = run.start()

  await run.pass(31 * HOUR, 10_000)

  const tries = run.attempts.map(({ at }) => at)
  assert.ok(tries.length <= 60, `${tries.length} attempts`)
  assert.ok((tries.at(-1) ?? 0) >= 24 * HOUR)
  for (const [index, at] of tries.entries()) {
    const before = tries[index - 1] ?? 0
    const longest = before < 10 * MINUTE ? 30_000 : Math.min(2 * before, 6 * HOUR)
    assert.ok(at - before <= longest + 10_000, `the wait of ${at - before} ms at ${before}`)
  }
  assert.match((await run.store.deadLetters({ limit: 1 }))[0]?.failure ?? '', /given up after \d+ attempts/)
  await delivery.stop()
})

test('what is older than a day gets one attempt, so that the ordering key of an endpoint that is gone does not grow for ever', async (context) => {
  const run = aRun(context, () => failed)
  await run.store.addWebhooks(webhooks('w', 50), START - 25 * HOUR)
  const delivery = run.start()

  await run.pass(10_000, 100)

  assert.deepEqual(
    run.attempts.map(({ revision }) => revision),
    Array.from({ length: 50 }, (_, at) => at + 1),
  )
  assert.equal((await run.store.deadLetters({ limit: 100 })).length, 50)
  await delivery.stop()
})

test('what is refused is not tried again', async (context) => {
  const run = aRun(context, () => ({ kind: 'refused', failure: 'the endpoint answered 410' }))
  await run.store.commit(aUnit({ jobs: [aJob('e1', { createdAt: START })] }))
  const delivery = run.start()

  await run.pass(HOUR, 10_000)

  assert.equal(run.attempts.length, 1)
  assert.equal((await run.store.deadLetters({ limit: 10 }))[0]?.failure, 'the endpoint answered 410')
  await delivery.stop()
})

test('whatever a failure says, it is written down, and the ordering key goes on', async (context) => {
  const failure = 'it said: \0\ud800 and more'
  const run = aRun(context, ({ orderingKey, attempts }) => {
    if (orderingKey.endsWith('refused')) return { kind: 'refused', failure }
    return attempts === 0 ? { kind: 'failed', failure } : delivered
  })
  await run.store.addWebhooks([...webhooks('refused', 2), ...webhooks('failed', 2)], START)
  const delivery = run.start()
  await run.pass(MINUTE)
  await delivery.stop()

  assert.deepEqual(run.bugs, [])
  assert.deepEqual(
    run.endings.toSorted(),
    ['delivered', 'delivered', 'failed', 'refused', 'refused'].flatMap((ending) =>
      ending === 'failed' ? [ending, ending] : [ending],
    ),
  )
  const dead = await run.store.deadLetters({ limit: 10 })
  assert.deepEqual(
    dead.map((job) => job.failure),
    ['it said:   and more', 'it said:   and more'],
  )
})

test('a bug of ours is told, and costs the job an attempt and nobody else anything', async (context) => {
  const run = aRun(context, ({ orderingKey }) => {
    if (orderingKey.endsWith('bad')) throw new Error('a secret of ours')
    return delivered
  })
  await run.store.addWebhooks([...webhooks('bad', 1), ...webhooks('good', 5)], START)
  const delivery = run.start()

  await run.pass(1_000, 10)

  assert.equal(run.attempts.filter(({ orderingKey }) => orderingKey.endsWith('good')).length, 5)
  assert.equal(run.bugs.length, 1)
  assert.equal(await waiting(run.store), 1)
  await delivery.stop()
  // Members of the organization read it.
  run.world.advance(60_000)
  const [job] = await run.store.takeJobs({ now: run.world.now(), leaseMs: 0, limit: 1 })
  assert.equal(job?.failure, 'a bug of the service, which its log tells more of')
})

test('a stop takes nothing new, waits for what is under way, and puts back what only waited for room', async (context) => {
  const slow = Promise.withResolvers<Outcome>()
  const run = aRun(context, () => slow.promise)
  // Eight at once go to one place.
  const jobs = Array.from({ length: 20 }, (_, at) => aJob(`e${at}`, { createdAt: START }))
  await run.store.commit(aUnit({ jobs }))
  const delivery = run.start()
  await run.pass(100, 10)
  assert.equal(run.attempts.length, 8)

  let hasStopped = false
  const stopped = delivery.stop().then(() => {
    hasStopped = true
  })
  await run.pass(100, 10)
  assert.equal(hasStopped, false)
  slow.resolve(delivered)
  await stopped

  assert.equal(run.attempts.length, 8)
  const due = await run.store.takeJobs({ now: run.world.now(), leaseMs: 1, limit: 100 })
  assert.equal(due.length, 12)
  assert.deepEqual([...new Set(due.map(({ attempts, failure }) => `${attempts} ${failure}`))], ['0 null'])
})

test('a stop hands out nothing behind what is under way', async (context) => {
  const slow = Promise.withResolvers<Outcome>()
  const run = aRun(context, () => slow.promise)
  await run.store.addWebhooks(webhooks('w', 2), START)
  const { counts, counting } = counted(run.store)
  const delivery = run.start(counting)
  await run.pass(10, 10)
  assert.equal(run.attempts.length, 1)

  const stopped = delivery.stop()
  slow.resolve(delivered)
  await stopped

  assert.deepEqual(counts, { looks: 1, putBack: 0 })
  const [next, ...none] = await run.store.takeJobs({ now: run.world.now(), leaseMs: 1, limit: 10 })
  assert.deepEqual([next?.attempts, none], [0, []])
})

test('a lease is longer than a mail by a slow server takes, behind a slow vault and a wait for room', () => {
  // Two ticks of a second beyond the last that a call may wait.
  const vaultMs = (CALL_TICKS_MAX + 2) * 1_000
  for (const attemptMs of [MAIL_MS_MAX, AUDIT_TIMEOUT_MS + vaultMs])
    assert.ok(vaultMs + LIMITS.patienceMs + attemptMs < LEASE_MS, `${attemptMs} ms`)
})

test('what a host had under way when it was killed is carried by another when its lease has ended', async (context) => {
  let isAlive = false
  const run = aRun(context, () => (isAlive ? delivered : new Promise(() => {})))
  await run.store.addWebhooks(webhooks('w', 2), START)
  run.start()
  await run.pass(100, 10)
  assert.equal(run.attempts.length, 1)

  isAlive = true
  const other = run.start()
  await run.pass(LEASE_MS - 1_000)
  assert.equal(run.attempts.length, 1)
  await run.pass(3_000)

  assert.deepEqual(
    run.attempts.map(({ revision }) => revision),
    [1, 1, 2],
  )
  await other.stop()
})

test('an outage of the store delays no job to the end of its lease, and what was sent is not sent again', async (context) => {
  const run = aRun(context, () => delivered)
  let isOut = false
  const whileUp = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isOut) throw new StoreError('unavailable', 'no answer from PostgreSQL')
    return await work()
  }
  const { store } = run
  const jobs = Array.from({ length: 3 }, (_, at) => aJob(`e${at}`, { createdAt: START }))
  await store.commit(aUnit({ jobs }))
  const delivery = run.start(
    {
      ...store,
      takeJobs: (request) =>
        whileUp(async () => {
          const taken = await store.takeJobs(request)
          isOut = taken.length > 0 && run.world.now() < START + 1_000
          return taken
        }),
      finishJob: (sequence) => whileUp(() => store.finishJob(sequence)),
      putBackJob: (sequence, dueAt) => whileUp(() => store.putBackJob(sequence, dueAt)),
    },
    // The rows of one job cannot be read either.
    async ({ orderingKey }) => {
      if (orderingKey === 'message e1') await whileUp(async () => {})
    },
  )
  await run.pass(5_000, 100)
  assert.equal(run.endings.length, 0)
  isOut = false

  await run.pass(8_000, 100)

  assert.deepEqual(run.attempts.map(({ orderingKey }) => orderingKey).toSorted(), [
    'message e0',
    'message e1',
    'message e2',
  ])
  assert.equal(run.endings.length, 3)
  assert.equal(await waiting(store), 0)
  await delivery.stop()
  assert.deepEqual(run.bugs, [])
})

test('an outcome is not written past the lease of its job, and a stop does not wait for a store that is out', async (context) => {
  const run = aRun(context, () => delivered)
  await run.store.commit(aUnit({ jobs: [aJob('e', { createdAt: START })] }))
  const tried: number[] = []
  const delivery = run.start({
    ...run.store,
    finishJob: async () => {
      tried.push(run.world.now() - START)
      throw new StoreError('unavailable', 'no answer from PostgreSQL')
    },
  })
  await run.pass(LEASE_MS - 1_000, 500)
  assert.ok(tried.length > 60, `${tried.length} times`)
  assert.ok((tried.at(-1) ?? 0) < LEASE_MS - 5_000, `the last after ${tried.at(-1)} ms`)

  // The next lease.
  await run.pass(5_000, 500)
  assert.equal(run.attempts.length, 2)
  const stopped = delivery.stop()
  await run.pass(1_000, 500)
  await stopped
})

test('by the clock that all hosts share, a host that is a day ahead gives up nothing, and takes nothing that another one has', async (context) => {
  const run = aRun(context, ({ attempts }) => (attempts < 3 ? failed : delivered))
  await run.store.addWebhooks(webhooks('held', 1), START)
  await run.store.takeJobs({ now: START, leaseMs: LEASE_MS, limit: 1 })
  await run.store.addWebhooks(webhooks('w', 2), START)
  run.world.setClock(START + 25 * HOUR)
  const delivery = run.start({ ...run.store, clock: async () => START + run.world.elapsed() })

  await run.pass(LEASE_MS - 2_000)
  assert.ok(run.attempts.length > 1)
  assert.ok(!run.attempts.some(({ orderingKey }) => orderingKey.endsWith('held')))
  await run.pass(5 * MINUTE)

  assert.deepEqual(await run.store.deadLetters({ limit: 10 }), [])
  assert.equal(await waiting(run.store), 0)
  assert.ok((run.attempts.at(-1)?.at ?? HOUR) < 6 * MINUTE)
  await delivery.stop()
  assert.deepEqual(run.bugs, [])
})

test('a commit is noticed at once, and a crowd of commits costs one look', async (context) => {
  const run = aRun(context, () => delivered)
  let looks = 0
  const { takeJobs } = run.store
  const delivery = startDelivery({
    store: {
      ...run.store,
      takeJobs: (request) => {
        looks++
        return takeJobs(request)
      },
    },
    world: run.world,
    timers: run.timers,
    prepare: async () => delivered,
    onEnded: () => {},
    onBug: (bug) => assert.fail(String(bug)),
  })
  await run.pass(10, 10)
  looks = 0
  await run.store.commit(aUnit({ jobs: [aJob('e1', { createdAt: START })] }))

  for (let commit = 0; commit < 1_000; commit++) delivery.wake()
  await run.pass(10, 10)

  assert.equal(await waiting(run.store), 0)
  assert.equal(looks, 1)
  await delivery.stop()
})

test('a place that is slow leaves room for the others, however many ordering keys lead to it', async (context) => {
  const run = aRun(context, ({ orderingKey }) =>
    orderingKey.startsWith('message') ? new Promise(() => {}) : delivered,
  )
  const jobs = Array.from({ length: 900 }, (_, at) => aJob(`e${at}`, { createdAt: START }))
  await run.store.commit(aUnit({ jobs }))
  const delivery = run.start()
  await run.pass(100, 10)
  await run.store.addWebhooks(webhooks('w', 10), run.world.now())
  delivery.wake()

  await run.pass(2_000, 10)

  assert.equal(run.attempts.filter(({ orderingKey }) => orderingKey.startsWith('webhook')).length, 10)
  assert.equal(run.attempts.filter(({ orderingKey }) => orderingKey.startsWith('message')).length, 8)
})

for (const [where, target] of [
  ['at one place', (at: number) => `slow/${at}`],
  ['at a place of its own each', (at: number) => `slow${at}`],
] as const)
  test(`a tenant with more ordering keys than there is memory for, ${where}, keeps nobody else waiting`, async (context) => {
    const run = aRun(context, ({ orderingKey }) =>
      orderingKey.startsWith('webhook hostile') ? new Promise(() => {}) : delivered,
    )
    const flood = Array.from({ length: 3_000 }, (_, at) => webhooks(target(at), 1)).flat()
    await run.store.addWebhooks(
      flood.map((webhook) => ({ ...webhook, scope: 'hostile' })),
      START,
    )
    const delivery = run.start()
    await run.pass(5_000, 10)
    await run.store.commit(aUnit({ jobs: [aJob('e1', { createdAt: run.world.now() })] }))
    await run.store.addWebhooks(webhooks('w', 3), run.world.now())
    delivery.wake()

    await run.pass(1_000, 10)

    assert.deepEqual(run.endings, ['delivered', 'delivered', 'delivered', 'delivered'])
  })

for (const [who, hostile, other] of [
  ['a tenant', 'hostile', 'quiet'],
  ['a sub-organization', 'parent/hostile', 'parent'],
] as const)
  test(`at a place that all share, a slow mail server, ${who} with many jobs leaves the next free slot to the others`, async (context) => {
    const run = aRun(context, ({ orderingKey }) => {
      if (!orderingKey.startsWith('message flood')) return delivered
      return new Promise((resolve) => run.timers.after(1_000, () => resolve(delivered)))
    })
    const flood = Array.from({ length: 3_000 }, (_, at) =>
      aJob(`flood ${at}`, { organizationId: hostile, createdAt: START }),
    )
    await run.store.commit(aUnit({ jobs: flood }))
    const delivery = run.start()
    await run.pass(5_000, 10)
    const quiet = aJob('quiet', { organizationId: other, createdAt: run.world.now() })
    await run.store.commit(aUnit({ jobs: [quiet] }))
    delivery.wake()

    await run.pass(1_200, 10)

    assert.ok(run.attempts.some(({ orderingKey }) => orderingKey === 'message quiet'))
    const stopped = delivery.stop()
    await run.pass(1_000, 100)
    await stopped
  })

test('of more mails than may wait for a slot, none waits for the end of a lease, and each is tried once', async (context) => {
  const run = aRun(context, async ({ attempts }) => {
    assert.equal(attempts, 0)
    return await new Promise((resolve) => run.timers.after(20, () => resolve(delivered)))
  })
  // 400 of them in a second, to a server that all share.
  const jobs = Array.from({ length: 3_000 }, (_, at) => aJob(`e${at}`, { createdAt: START }))
  await run.store.commit(aUnit({ jobs }))
  const delivery = run.start()

  await run.pass(20_000, 10)

  assert.equal(new Set(run.attempts.map(({ orderingKey }) => orderingKey)).size, 3_000)
  assert.equal(run.endings.length, 3_000)
  assert.equal(await waiting(run.store), 0)
  await delivery.stop()
  assert.deepEqual(run.bugs, [])
})

test('thousands of jobs for a place that takes none are written again less and less often', async (context) => {
  const run = aRun(context, () => new Promise(() => {}))
  const jobs = Array.from({ length: 3_000 }, (_, at) => aJob(`e${at}`, { createdAt: START }))
  await run.store.commit(aUnit({ jobs }))
  let putBack = 0
  const delivery = run.start({
    ...run.store,
    putBackJob: async (job, dueAt) => {
      putBack += 1
      await run.store.putBackJob(job, dueAt)
    },
  })

  await run.pass(120_000, 51)
  const before = putBack
  await run.pass(60_000, 51)

  assert.deepEqual(run.bugs, [])
  // Of 160 that are handed out in a second at most, nearly all would be put back, 9,000 in this minute.
  assert.ok(putBack - before <= 5_000, `${putBack - before} were put back`)
  assert.ok(putBack - before >= 1_000, `${putBack - before} were put back`)
  void delivery.stop()
})

test('jobs whose wait for room ends at the same time leave no slot free', async (context) => {
  const run = aRun(context, async () => {
    return await new Promise((resolve) => run.timers.after(1_000, () => resolve(delivered)))
  })
  const jobs = Array.from({ length: 250 }, (_, at) => aJob(`e${at}`, { createdAt: START }))
  await run.store.commit(aUnit({ jobs }))
  const delivery = run.start()

  await run.pass(33_000, 50)

  // Eight each second, and some time for the hand-outs.
  const begun = run.attempts.length
  assert.ok(begun > 245, `${begun} attempts`)
  const stopped = delivery.stop()
  await run.pass(2_000, 100)
  await stopped
})

test('two tenants with slow endpoints at a place of its own each leave the next slow slot to the mails of others', async (context) => {
  const after = (ms: number) =>
    new Promise<Outcome>((resolve) => run.timers.after(ms, () => resolve(delivered)))
  const run = aRun(context, ({ orderingKey }) => after(orderingKey.startsWith('message') ? 2_500 : 9_000))
  for (const scope of ['hostile', 'hostile too']) {
    const flood = Array.from({ length: 400 }, (_, at) => webhooks(`${scope} ${at}`, 40)).flat()
    await run.store.addWebhooks(
      flood.map((webhook) => ({ ...webhook, scope })),
      START,
    )
  }
  // The mail server is slow too, which its first mail shows.
  await run.store.commit(aUnit({ jobs: [aJob('first', { createdAt: START })] }))
  const delivery = run.start()
  await run.pass(40_000, 50)
  await run.store.commit(aUnit({ jobs: [aJob('quiet', { createdAt: run.world.now() })] }))
  delivery.wake()

  await run.pass(10_000, 50)

  assert.ok(run.attempts.some(({ orderingKey }) => orderingKey === 'message quiet'))
  const stopped = delivery.stop()
  await run.pass(10_000, 100)
  await stopped
})

test('what has expired is swept away now and then', async (context) => {
  const run = aRun(context, () => delivered)
  const object = {
    organizationId: 'org',
    kind: 'otp',
    objectId: 'o',
    body: '{}',
    seal: 's',
    expiresAt: START + MINUTE,
  }
  await run.store.commit(aUnit({ objects: { put: [object], remove: [] } }))
  const delivery = run.start()

  await run.pass(30_000)
  assert.equal((await run.store.objects('org', 'otp', ['o'])).length, 1)
  await run.pass(2 * MINUTE)

  assert.equal((await run.store.objects('org', 'otp', ['o'])).length, 0)
  await delivery.stop()
})
