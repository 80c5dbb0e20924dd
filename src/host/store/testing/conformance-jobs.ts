import assert from 'node:assert/strict'
import { present } from '../../../trusted/base/assert.ts'
import type { DirectoryEntry, Unit } from '../../../trusted/catalogue/unit.ts'
import { COMMITTED, conflict, type Promised } from './conformance-promise.ts'
import { aCharter, anAmendment, aJob, aRecord, aRequest, aUnit } from './fixtures.ts'
import type { Job, MalformedJob, Store, WebhookJob } from '../store.ts'

/** The promises of `Store` about jobs. */
export function jobPromises(promise: Promised): void {
  promise('a message is handed out as it was put, and gone when it is finished', async (store) => {
    const rows = [aJob('e1'), aJob('e2', { kind: 'sms', seal: 'ü 🗝', createdAt: 1_001 })]
    assert.deepEqual(await store.commit(aUnit({ jobs: rows })), COMMITTED)

    assert.deepEqual(await take(store, 999), [])
    const [first, second, ...none] = await take(store, 2_000)
    assert.ok(first !== undefined && second !== undefined)
    assert.deepEqual(none, [])
    const head = { attempts: 0, failure: null }
    const { sequence } = first
    const e1 = { ...head, sequence, orderingKey: 'message e1', kind: 'email', createdAt: 1_000, row: rows[0] }
    assert.deepEqual(first, e1)
    const e2 = {
      ...head,
      sequence: second.sequence,
      orderingKey: 'message e2',
      kind: 'sms',
      createdAt: 1_001,
    }
    assert.deepEqual(second, { ...e2, row: rows[1] })
    assert.ok(second.sequence > first.sequence)

    await store.finishJob(first.sequence)
    await store.finishJob(first.sequence)
    const left = await take(store, 100_000)
    assert.deepEqual(
      left.map((job) => job.orderingKey),
      ['message e2'],
    )
  })

  promise(
    'of many due ordering keys each tenant has one in its turn, and a sub-organization counts as its parent',
    async (store) => {
      const hostile = Array.from({ length: 40 }, (_, n) => ({
        ...aRecord(aRequest(n, { organizationId: `sub ${n}` }), [], [`sub ${n}`, 'hostile', '@audit']),
        jobs: [aJob(`h${n}`, { organizationId: `sub ${n}`, createdAt: n })],
      }))
      for (const unit of hostile) assert.deepEqual(await store.commit(unit), COMMITTED)
      await store.commit(listening('quiet', 'w1'))
      const quiet = aRequest(100, { organizationId: 'quiet', updatedAt: 1_000 })
      await store.commit({ ...aRecord(quiet, [], ['quiet']), jobs: [aJob('q', { organizationId: 'quiet' })] })
      await store.addWebhooks([{ ...aWebhook('w9', 1), scope: 'other' }], 1_000)

      const taking = async (limit: number) =>
        (await store.takeJobs({ now: 2_000, leaseMs: 10_000, limit })).map(({ orderingKey }) => orderingKey)
      const late = ['webhook other w9', 'message q']
      assert.deepEqual(await taking(6), ['message h0', ...late, 'message h1', 'message h2', 'message h3'])
      assert.deepEqual(await taking(3), ['message h4', 'webhook quiet w1', 'message h5'])
      assert.equal((await taking(100)).length, 34)
      assert.deepEqual(await taking(1), [])
    },
  )

  promise('of more tenants than are handed out at once, each has its turn', async (store) => {
    for (const [n, tenant] of ['a', 'a', 'b', 'c'].entries()) {
      const job = aJob(`${tenant}${n}`, { organizationId: tenant, createdAt: n })
      const record = aRecord(aRequest(n, { organizationId: tenant }), [], [tenant])
      assert.deepEqual(await store.commit({ ...record, jobs: [job] }), COMMITTED)
    }
    const taken: string[] = []
    for (let time = 0; time < 4; time++)
      for (const { orderingKey } of await store.takeJobs({ now: 2_000, leaseMs: 10_000, limit: 1 }))
        taken.push(orderingKey)
    assert.deepEqual(taken, ['message a0', 'message b2', 'message c3', 'message a1'])
  })

  promise(
    'jobs behind the first of an ordering key are finished together, and the first stays handed out',
    async (store) => {
      await store.commit(listening('org', 'w1', 'w2'))
      await store.commit(listening('@audit', 'w1'))
      for (let n = 1; n <= 4; n++) await store.commit(aRecord(aRequest(n), [], ['org', 'parent', '@audit']))
      const key = 'webhook org w1'
      const [first] = (await take(store, 10 ** 14)).filter(({ orderingKey }) => orderingKey === key)
      const waiting = await store.jobsOf(key, 'waiting', { limit: 10 })
      const others = await store.jobsOf('webhook org w2', 'waiting', { limit: 1 })
      const sequences = [...waiting.slice(0, 3), ...others].map(({ sequence }) => sequence)
      await store.finishBehind(key, sequences)
      await store.finishBehind(key, [])

      const left = async () =>
        (await store.jobsOf(key, 'waiting', { limit: 10 })).map(({ sequence }) => sequence)
      assert.deepEqual(await left(), [first?.sequence, waiting[3]?.sequence])
      assert.equal((await store.jobsOf('webhook org w2', 'waiting', { limit: 10 })).length, 4)
      assert.equal((await store.jobsOf('webhook @audit w1', 'waiting', { limit: 10 })).length, 4)
      assert.deepEqual(
        (await take(store, 10 ** 14)).filter(({ orderingKey }) => orderingKey === key),
        [],
      )
      await store.finishJob(first?.sequence ?? 0)
      assert.deepEqual(await left(), [waiting[3]?.sequence])
    },
  )

  promise(
    'of what is finished behind the first of an ordering key, the first and the dead stay',
    async (store) => {
      await store.addWebhooks(
        [1, 2, 3, 4, 5].map((revision) => aWebhook('w1', revision)),
        100,
      )
      const [refused] = await take(store, 100)
      const first = refused?.sequence ?? 0
      await store.deadLetterJob(first, { failure: 'refused' })
      assert.deepEqual((await take(store, 100)).map(webhookOf), [aWebhook('w1', 2)])
      await store.deadLetterJob(first + 3, { failure: 'refused' })
      const key = 'webhook org w1'
      await store.finishBehind(
        key,
        [0, 1, 2, 3, 4].map((n) => first + n),
      )
      const left = async (of: 'waiting' | 'dead') =>
        (await store.jobsOf(key, of, { limit: 9 })).map((job) => webhookOf(job)?.revision)
      assert.deepEqual(await left('waiting'), [2])
      assert.deepEqual(await left('dead'), [1, 4])
    },
  )

  promise('jobs of an ordering key come as they were put, whatever the clocks said', async (store) => {
    await store.addWebhooks([aWebhook('w1', 1)], 200)
    await store.addWebhooks([aWebhook('w1', 2)], 100)
    assert.deepEqual((await drain(store)).map(webhookOf), [aWebhook('w1', 1), aWebhook('w1', 2)])
  })

  promise('an ordering key is behind those that came before its last turn, at each turn', async (store) => {
    await store.addWebhooks(
      [1, 2, 3].map((revision) => aWebhook('long', revision)),
      100,
    )
    const revisionAt = async (now: number) => {
      const [job] = await store.takeJobs({ now, leaseMs: 10_000, limit: 1 })
      await store.finishJob(job?.sequence ?? 0)
      return job && webhookOf(job)?.revision
    }
    assert.equal(await revisionAt(200), 1)
    assert.equal(await revisionAt(300), 2)
    await store.addWebhooks([aWebhook('w1', 9)], 250)
    assert.equal(await revisionAt(400), 9)
    assert.equal(await revisionAt(400), 3)
  })

  promise('a tenant of which nothing is due takes no turn of the others', async (store) => {
    const all = ['a1', 'a2', 'a3', 'busy', 'quiet']
    for (const scope of all.slice(0, 3)) await store.addWebhooks([{ ...aWebhook('w', 1), scope }], 1)
    await store.takeJobs({ now: 1, leaseMs: 10_000, limit: 10 })
    const ofBusy = [1, 2, 3, 4, 5].map((n) => ({ ...aWebhook(`w${n}`, 1), scope: 'busy' }))
    await store.addWebhooks(ofBusy, 100)
    await store.addWebhooks([{ ...aWebhook('w', 1), scope: 'quiet' }], 150)
    const taken: (string | undefined)[] = []
    for (let n = 0; n < 2; n++)
      for (const job of await store.takeJobs({ now: 200, leaseMs: 10_000, limit: 1 }))
        taken.push(webhookOf(job)?.scope)
    assert.deepEqual(taken, ['busy', 'quiet'])
  })

  promise('a unit that conflicts leaves no job', async (store) => {
    await store.commit(listening('org', 'w1'))
    await store.commit(aRecord(aRequest(1)))
    const message = { jobs: [aJob('e1')] }
    const stale = { guards: [{ organizationId: 'org', version: 7 }] }

    assert.deepEqual(await store.commit(aUnit({ ...message, ...stale })), conflict('guard'))
    const again = aUnit({ ...message, activity: { row: aRequest(1), replaces: null, audience: ['org'] } })
    assert.deepEqual(await store.commit(again), conflict('fingerprint'))
    assert.deepEqual(await store.commit(aRecord(aRequest(1), [], ['org'])), conflict('fingerprint'))
    assert.deepEqual(await store.commit(aRecord(aRequest(2), stale.guards, ['org'])), conflict('guard'))

    assert.deepEqual(await take(store, 10 ** 15), [])
  })

  promise('everyone who listens to an audience hears of an activity once', async (store) => {
    await store.commit(listening('org', 'w2', 'w1', 'a b'))
    await store.commit(listening('parent', 'w1'))
    await store.commit(listening('other', 'w9'))
    const near = [
      { ...entryOf('org', 'x'), kind: 'webhook' },
      { ...entryOf('org', 'y'), value: 'z' },
    ]
    await store.commit(aUnit({ directory: { put: near, remove: [] } }))
    const row = aRequest(1, { updatedAt: 5_000, revision: 3 })

    await store.commit(aRecord(row, [], ['nobody', 'org', 'org', 'parent']))

    const taken = await drain(store)
    const heard = (scope: string, target: string): WebhookJob => {
      return { scope, target, organizationId: 'org', activityId: row.activityId, revision: 3 }
    }
    assert.deepEqual(taken.map(webhookOf), [
      heard('org', 'a b'),
      heard('org', 'w1'),
      heard('org', 'w2'),
      heard('parent', 'w1'),
    ])
    const [first] = taken
    assert.deepEqual(first, {
      sequence: first?.sequence,
      orderingKey: 'webhook org a b',
      attempts: 0,
      createdAt: 5_000,
      failure: null,
      kind: 'webhook',
      webhook: heard('org', 'a b'),
    })
  })

  promise(
    'an endpoint that has just begun to listen hears, and one that has stopped does not',
    async (store, again) => {
      const other = store.engine === 'postgres' ? await again() : store
      const hears = async (n: number, host: Store): Promise<number> => {
        await host.commit(aRecord(aRequest(n), [], ['parent', 'org']))
        const taken = await take(store, 10 ** 14)
        for (const job of taken) await store.finishJob(job.sequence)
        return taken.length
      }
      const stopped = aUnit({ directory: { put: [], remove: [entryOf('org', 'w1')] } })

      assert.equal(await hears(1, store), 0)
      await other.commit(listening('org', 'w1'))
      assert.equal(await hears(2, store), 1)
      assert.equal(await hears(3, other), 1)
      await other.commit(listening('org', 'w2'))
      assert.equal(await hears(4, store), 2)
      await other.commit(stopped)
      assert.equal(await hears(5, store), 1)
      // A unit that conflicts changes none of it.
      const guards = [{ organizationId: 'org', version: 7 }]
      await other.commit({ ...listening('org', 'w3'), guards })
      const activity = { row: aRequest(1), replaces: null, audience: ['org'] }
      await other.commit({ ...listening('org', 'w3'), activity })
      assert.equal(await hears(6, store), 1)
      // The unit's own changes count.
      const first = { ...listening('org', 'w4'), activity: { ...activity, row: aRequest(7) } }
      await other.commit(first)
      assert.equal((await take(store, 10 ** 14)).length, 2)
    },
  )

  promise('webhooks of one target come one at a time, in the order of the commits', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    await store.commit(listening('org', 'w1', 'w2'))
    await store.commit(aRecord(aRequest(0), [], ['org']))
    const votes = async () => {
      for (let revision = 1; revision <= 10; revision++)
        await other.commit(
          aUnit({ activity: { row: aRequest(0, { revision }), replaces: revision - 1, audience: ['org'] } }),
        )
    }
    const records = async () => {
      for (let n = 1; n <= 5; n++)
        await Promise.all([0, 1, 2].map((m) => store.commit(aRecord(aRequest(n * 10 + m), [], ['org']))))
    }
    await Promise.all([votes(), records()])

    const seen = await drain(store)
    for (const orderingKey of ['webhook org w1', 'webhook org w2']) {
      const jobs = seen.filter((job) => job.orderingKey === orderingKey)
      assert.equal(jobs.length, 26)
      assertRising(jobs.map((job) => job.sequence))
      const [votes, records] = [aRequest(0).activityId, aRequest(1).activityId].map((id, at) =>
        jobs.map(webhookOf).filter((webhook) => (webhook?.activityId === id) === (at === 0)),
      )
      assertRising((votes ?? []).map((webhook) => webhook?.revision ?? -1))
      assert.deepEqual(
        (records ?? []).map((webhook) => webhook?.activityId).filter((id) => id !== aRequest(0).activityId),
        [1, 2, 3, 4, 5].flatMap((n) => [0, 1, 2].map((m) => aRequest(n * 10 + m).activityId)),
      )
    }
  })

  promise('what is handed out is nobody else’s until the lease ends', async (store) => {
    await store.addWebhooks([aWebhook('w1', 1), aWebhook('w1', 2), aWebhook('w2', 3)], 100)
    const revisions = async (now: number, limit = 10) =>
      (await store.takeJobs({ now, leaseMs: 50, limit })).map((job) => webhookOf(job)?.revision)

    assert.deepEqual(await revisions(100), [1, 3])
    assert.deepEqual(await revisions(149), [])
    const again = await store.takeJobs({ now: 150, leaseMs: 50, limit: 10 })
    assert.deepEqual(
      again.map((job) => job.attempts),
      [1, 1],
    )
    await store.finishJob(again[0]?.sequence ?? 0)
    assert.deepEqual(await revisions(150), [2])
    // A late call that finished it first must not end the lease of the next.
    await store.finishJob(again[0]?.sequence ?? 0)
    await store.postponeJob(present(again[0], 'a job'), { dueAt: 0, failure: 'late' })
    await store.deadLetterJob(again[0]?.sequence ?? 0, { failure: 'late' })
    assert.deepEqual(await revisions(199), [])
    assert.deepEqual((await revisions(200)).sort(), [2, 3])
  })

  promise(
    'the next job of an ordering key is handed out with the end of the one before it, under a lease of its own',
    async (store) => {
      await store.addWebhooks(
        [1, 2, 3].map((revision) => aWebhook('w1', revision)),
        100,
      )
      const [first] = await store.takeJobs({ now: 100, leaseMs: 50, limit: 10 })
      const sequence = first?.sequence ?? 0
      const next = present(await store.finishJob(sequence, { now: 140, leaseMs: 50 }), 'the next job')
      assert.deepEqual([webhookOf(next), next.attempts, next.failure], [aWebhook('w1', 2), 0, null])
      // A late call for the one before it, or one for a job behind it, hands out nothing.
      assert.equal(await store.finishJob(sequence, { now: 150, leaseMs: 500 }), undefined)
      assert.equal(await store.finishJob(next.sequence + 1, { now: 150, leaseMs: 500 }), undefined)
      assert.deepEqual(await store.takeJobs({ now: 189, leaseMs: 50, limit: 10 }), [])
      const [again] = await store.takeJobs({ now: 190, leaseMs: 50, limit: 10 })
      assert.deepEqual(again, { ...next, attempts: 1 })

      assert.equal(await store.finishJob(next.sequence, { now: 200, leaseMs: 50 }), undefined)
      await store.addWebhooks([aWebhook('w1', 4)], 201)
      assert.deepEqual((await store.takeJobs({ now: 201, leaseMs: 50, limit: 10 })).map(webhookOf), [
        aWebhook('w1', 4),
      ])
    },
  )

  promise(
    'an ordering key that goes on at once is behind those that came before, when it next takes turns',
    async (store) => {
      await store.addWebhooks(
        [1, 2, 3].map((revision) => aWebhook('long', revision)),
        100,
      )
      const [first] = await take(store, 100)
      await store.addWebhooks([aWebhook('w1', 9)], 150)
      const next = await store.finishJob(first?.sequence ?? 0, { now: 200, leaseMs: 50 })
      await store.finishJob(next?.sequence ?? 0)
      const [turn] = await store.takeJobs({ now: 300, leaseMs: 50, limit: 1 })
      assert.deepEqual(turn && webhookOf(turn), aWebhook('w1', 9))
    },
  )

  promise(
    'a job that is not the first of its ordering key ends without ending the lease of the first',
    async (store) => {
      await store.addWebhooks(
        [1, 2, 3, 4].map((revision) => aWebhook('w1', revision)),
        100,
      )
      const first = await take(store, 100)
      const second = (first[0]?.sequence ?? 0) + 1
      await store.finishJob(second)
      await store.deadLetterJob(second + 1, { failure: 'refused' })
      await store.postponeJob({ sequence: second + 2, attempts: 0 }, { dueAt: 0, failure: 'early' })
      assert.deepEqual(await take(store, 200), [])
      assert.deepEqual((await drain(store)).map(webhookOf), [aWebhook('w1', 1), aWebhook('w1', 4)])
    },
  )

  promise('a job that was not tried is put back, and the hand-out counts as no attempt', async (store) => {
    await store.addWebhooks([aWebhook('w1', 1), aWebhook('w1', 2)], 100)
    const [first] = await take(store, 100)
    await store.postponeJob(present(first, 'a job'), { dueAt: 200, failure: 'HTTP 503' })
    assert.deepEqual(await take(store, 200), [{ ...first, attempts: 1, failure: 'HTTP 503' }])

    await store.putBackJob({ sequence: first?.sequence ?? 0, attempts: 1 }, 300)

    assert.deepEqual(await take(store, 299), [])
    assert.deepEqual(await take(store, 300), [{ ...first, attempts: 1, failure: 'HTTP 503' }])
    // The one behind it was never handed out.
    await store.putBackJob({ sequence: (first?.sequence ?? 0) + 1, attempts: 0 }, 0)
    assert.deepEqual(await take(store, 400), [])
    await store.finishJob(first?.sequence ?? 0)
    const [second] = await take(store, 400)
    assert.equal(second?.attempts, 0)
  })

  promise(
    'a job that another host has taken in the meantime is neither put back nor postponed, nor one that is done',
    async (store) => {
      await store.addWebhooks([aWebhook('w1', 1), aWebhook('w1', 2)], 100)
      const late = present((await take(store, 100))[0], 'a job')
      const again = present((await take(store, 100_000))[0], 'the same job, after its lease')
      assert.equal(again.attempts, 1)

      await store.putBackJob(late, 100_001)
      await store.postponeJob(late, { dueAt: 100_001, failure: 'late' })

      assert.deepEqual(await take(store, 100_002), [], 'the lease of the other host holds')
      assert.equal((await store.jobsOf('webhook org w1', 'waiting', { limit: 1 }))[0]?.failure, null)
      await store.finishJob(again.sequence)
      const next = present((await take(store, 100_003))[0], 'the job behind it')
      await store.putBackJob(again, 0)
      assert.deepEqual(await take(store, 100_004), [], 'its ordering key is held by the next job')
      assert.equal(next.attempts, 0)
    },
  )

  promise('a job outlives the worker that took it and was lost', async (store, again) => {
    await store.commit(listening('org', 'w1'))
    await store.commit(aRecord(aRequest(1), [], ['org']))
    const [taken] = await take(store, 10 ** 14)
    await store.close()
    const reopened = await again()
    assert.deepEqual(await reopened.takeJobs({ now: 10 ** 14 + 9_999, leaseMs: 1, limit: 9 }), [])
    const [retaken] = await reopened.takeJobs({ now: 10 ** 14 + 10_000, leaseMs: 1, limit: 9 })
    assert.deepEqual(retaken, { ...taken, attempts: 1 })
    await assert.rejects(store.finishJob(1), { name: 'StoreError', kind: 'closed' })
  })

  promise(
    'an ordering key waits with its first job, and ordering keys do not wait for each other',
    async (store) => {
      await store.addWebhooks([aWebhook('w1', 1), aWebhook('w1', 2), aWebhook('w2', 3)], 100)
      const [first, other] = await take(store, 100)
      await store.postponeJob(present(first, 'a job'), { dueAt: 900, failure: 'HTTP 503' })
      await store.finishJob(other?.sequence ?? 0)

      assert.deepEqual(await take(store, 899), [])
      const [retried, ...none] = await take(store, 900)
      assert.deepEqual(retried, { ...first, attempts: 1, failure: 'HTTP 503' })
      assert.deepEqual(none, [])
      await store.finishJob(first?.sequence ?? 0)
      assert.deepEqual((await take(store, 900)).map(webhookOf), [aWebhook('w1', 2)])
    },
  )

  promise(
    'the longest due comes first, and a long ordering key takes turns with the others',
    async (store) => {
      await store.addWebhooks([aWebhook('long', 1), aWebhook('long', 2), aWebhook('long', 3)], 100)
      await store.addWebhooks([aWebhook('b', 4)], 102)
      await store.addWebhooks([aWebhook('a', 5)], 101)
      const seen: unknown[] = []
      for (let now = 103; now < 110; now++)
        for (const job of await store.takeJobs({ now, leaseMs: 50, limit: 1 })) {
          seen.push(webhookOf(job)?.revision)
          await store.finishJob(job.sequence)
        }
      assert.deepEqual(seen, [1, 5, 4, 2, 3])
      assert.deepEqual(await store.takeJobs({ now: 10 ** 6, leaseMs: 50, limit: 1 }), [])
    },
  )

  promise('what cannot be carried is kept as dead, and its ordering key goes on', async (store) => {
    await store.addWebhooks([aWebhook('w1', 1), aWebhook('w1', 2), aWebhook('w1', 3)], 100)
    const deadLettered: number[] = []
    for (let n = 0; n < 2; n++) {
      const [job] = await take(store, 200)
      deadLettered.push(job?.sequence ?? 0)
      await store.deadLetterJob(job?.sequence ?? 0, { failure: `refused ${n}` })
    }

    const dead = await store.deadLetters({ limit: 10 })
    assert.deepEqual(
      dead.map(({ sequence, failure, attempts, kind }) => ({ sequence, failure, attempts, kind })),
      deadLettered.map((sequence, n) => ({
        sequence,
        failure: `refused ${n}`,
        attempts: 1,
        kind: 'webhook',
      })),
    )
    assert.deepEqual(await store.deadLetters({ limit: 1 }), dead.slice(0, 1))
    assert.deepEqual(await store.deadLetters({ limit: 9, after: deadLettered[0] ?? 0 }), dead.slice(1))
    await store.postponeJob({ sequence: deadLettered[0] ?? 0, attempts: 0 }, { dueAt: 0, failure: 'late' })
    assert.deepEqual((await take(store, 200)).map(webhookOf), [aWebhook('w1', 3)])
    assert.deepEqual(await store.deadLetters({ limit: 10 }), dead)
  })

  promise('one ordering key tells what waits in it, what is dead, and when it is due', async (store) => {
    await store.addWebhooks([aWebhook('w1', 1), aWebhook('w2', 2), aWebhook('w1', 3), aWebhook('w1', 4)], 100)
    const [first] = await take(store, 200)
    await store.deadLetterJob(first?.sequence ?? 0, { failure: 'refused' })
    const revisions = async (...of: Parameters<Store['jobsOf']>) =>
      (await store.jobsOf(...of)).map((job) => webhookOf(job)?.revision)
    const key = 'webhook org w1'
    assert.deepEqual(await revisions(key, 'dead', { limit: 9 }), [1])
    assert.deepEqual(await revisions(key, 'waiting', { limit: 9 }), [3, 4])
    assert.deepEqual(await revisions(key, 'waiting', { limit: 1 }), [3])
    const [next] = await store.jobsOf(key, 'waiting', { limit: 1 })
    assert.deepEqual(await revisions(key, 'waiting', { limit: 9, after: next?.sequence ?? 0 }), [4])
    await take(store, 200)
    await store.postponeJob(present(next, 'the next job'), { dueAt: 900, failure: 'HTTP 503' })
    assert.equal(await store.dueAt(key), 900)
    assert.equal((await store.jobsOf(key, 'waiting', { limit: 1 }))[0]?.failure, 'HTTP 503')
    assert.deepEqual(await revisions('webhook org w3', 'dead', { limit: 9 }), [])
    assert.equal(await store.dueAt('webhook org w3'), undefined)
  })

  promise('a unit revives the dead of one target alone, and only if it is written', async (store) => {
    await store.addWebhooks([aWebhook('w1', 1), aWebhook('w2', 2), aWebhook('w1', 3)], 100)
    const dead: number[] = []
    for (let round = 0; round < 2; round++)
      for (const { sequence } of await take(store, 200)) {
        dead.push(sequence)
        await store.deadLetterJob(sequence, { failure: 'refused' })
      }
    const revived = { scope: 'org', target: 'w1', sequences: [12_345, ...dead.toReversed()] }
    const conflicting = aUnit({ guards: [{ organizationId: 'org', version: 7 }], revived })
    assert.equal((await store.commit(conflicting)).kind, 'conflict')
    assert.equal((await store.deadLetters({ limit: 9 })).length, 3)
    assert.deepEqual(await store.commit({ ...aRecord(aRequest(1, { updatedAt: 300 })), revived }), COMMITTED)
    assert.deepEqual((await store.deadLetters({ limit: 9 })).map(webhookOf), [aWebhook('w2', 2)])
    const back = await drain(store)
    assert.deepEqual(
      back.map((job) => [webhookOf(job)?.revision, job.attempts, job.failure]),
      [
        [1, 0, null],
        [3, 0, null],
      ],
    )
  })

  promise('the dead come back at the end of their ordering keys, and are counted anew', async (store) => {
    await store.addWebhooks([aWebhook('w1', 1), aWebhook('w1', 2), aWebhook('w1', 3)], 100)
    const dead: number[] = []
    for (let n = 0; n < 2; n++) {
      const [job] = await take(store, 200)
      dead.push(job?.sequence ?? 0)
      await store.deadLetterJob(job?.sequence ?? 0, { failure: 'refused' })
    }
    const [waiting] = await take(store, 200)

    assert.equal(
      await store.reviveJobs([...dead].reverse().concat(dead, waiting?.sequence ?? 0, 12_345), 300),
      2,
    )
    assert.equal(await store.reviveJobs(dead, 300), 0)

    assert.deepEqual(await store.deadLetters({ limit: 10 }), [])
    const back = await drain(store)
    assert.deepEqual(
      back.map((job) => [webhookOf(job)?.revision, job.attempts, job.failure, job.createdAt]),
      [
        [3, 1, null, 100],
        [1, 0, null, 100],
        [2, 0, null, 100],
      ],
    )
    assertRising(back.map((job) => job.sequence))
  })

  promise('a number is given once, even when the job that had the last one is gone', async (store, again) => {
    await store.addWebhooks([aWebhook('w1', 1)], 100)
    const [first] = await take(store, 100)
    await store.finishJob(first?.sequence ?? 0)
    await store.close()
    const reopened = await again()
    await reopened.addWebhooks([aWebhook('w1', 1)], 100)
    const [second] = await take(reopened, 100)
    assert.ok((second?.sequence ?? 0) > (first?.sequence ?? 0))
  })

  promise('a webhook may be told once more, though it waits or was told', async (store) => {
    await store.addWebhooks([aWebhook('w1', 1), aWebhook('w1', 1)], 100)
    await store.addWebhooks([], 100)
    assert.equal((await drain(store)).length, 2)
    await store.addWebhooks([aWebhook('w1', 1)], 100)
    assert.equal((await drain(store)).length, 1)
  })

  promise('jobs are counted by kind, waiting or dead, and the oldest that waits is known', async (store) => {
    const none = { waiting: 0, dead: 0, oldestAt: null }
    assert.deepEqual(await store.jobCounts(), [
      { kind: 'email', ...none },
      { kind: 'sms', ...none },
      { kind: 'webhook', ...none },
    ])
    await store.commit(aUnit({ jobs: [aJob('e1', { createdAt: 10 }), aJob('e2', { createdAt: 20 })] }))
    await store.addWebhooks([aWebhook('w1', 1), aWebhook('w1', 2)], 30)
    await store.addWebhooks([aWebhook('w1', 3)], 40)
    const [first] = await store.takeJobs({ now: 50, leaseMs: 1, limit: 1 })
    await store.deadLetterJob(first?.sequence ?? 0, { failure: 'refused' })
    assert.deepEqual(await store.jobCounts(), [
      { kind: 'email', waiting: 1, dead: 1, oldestAt: 20 },
      { kind: 'sms', ...none },
      { kind: 'webhook', waiting: 3, dead: 0, oldestAt: 30 },
    ])
  })

  promise('of many who take at once each job is handed to one', async (store, again) => {
    const hosts = store.engine === 'postgres' ? [store, await again(), await again()] : [store]
    const webhooks = Array.from({ length: 400 }, (_, n) => aWebhook(`w${n % 40}`, n))
    await store.addWebhooks(webhooks, 100)
    const seen: number[] = []
    const held = new Set<string>()
    const carry = async (host: Store): Promise<void> => {
      while (seen.length < webhooks.length)
        for (const job of await host.takeJobs({ now: 200, leaseMs: 1_000, limit: 3 })) {
          assert.ok(!held.has(job.orderingKey), 'one job of an ordering key at a time')
          held.add(job.orderingKey)
          seen.push(webhookOf(job)?.revision ?? -1)
          // From here on another caller may take the next job of the ordering key, before the answer to this call.
          held.delete(job.orderingKey)
          await host.finishJob(job.sequence)
        }
    }
    await Promise.all(Array.from({ length: 12 }, (_, n) => carry(hosts[n % hosts.length] ?? store)))

    assert.deepEqual(
      [...seen].sort((a, b) => a - b),
      webhooks.map((webhook) => webhook.revision),
    )
    for (let n = 0; n < 40; n++) assertRising(seen.filter((revision) => revision % 40 === n))
    assert.deepEqual(await take(store, 10 ** 14), [])
  })

  promise(
    'nothing is lost or stuck while ordering keys run empty and are filled again',
    async (store, again) => {
      const other = store.engine === 'postgres' ? await again() : store
      await store.commit(listening('org', 'w1'))
      const total = 120
      const fill = async (host: Store, from: number) => {
        for (let n = from; n < total; n += 2)
          assert.deepEqual(
            await host.commit(aRecord(aRequest(n, { updatedAt: 100 }), [], ['org'])),
            COMMITTED,
          )
      }
      let filled = false
      const seen: string[] = []
      const carry = async (host: Store) => {
        for (let over = false; !over; ) {
          over = filled
          for (const job of await host.takeJobs({ now: 100, leaseMs: 1_000, limit: 3 })) {
            over = false
            seen.push(webhookOf(job)?.activityId ?? '')
            await host.finishJob(job.sequence)
          }
        }
      }
      const filling = Promise.all([fill(store, 0), fill(other, 1)]).then(() => {
        filled = true
      })
      await Promise.all([filling, carry(store), carry(other)])

      assert.equal(seen.length, total)
      assert.equal(new Set(seen).size, total)
      assert.deepEqual(await take(store, 10 ** 14), [])
      assert.equal(
        (await store.jobCounts()).reduce((sum, { waiting }) => sum + waiting, 0),
        0,
      )
    },
  )

  promise('a bare amendment may have jobs and an audience', async (store) => {
    const put = [entryOf('org', 'w1')]
    const activity = { row: aRequest(1), replaces: null, audience: ['org'] }
    const unit = anAmendment(aCharter('org', 1), {
      activity,
      directory: { put, remove: [] },
      jobs: [aJob('e1')],
    })
    assert.deepEqual(await store.commit(unit), COMMITTED)
    const kinds = (await take(store, 10 ** 14)).map((job) => job.kind)
    assert.deepEqual(kinds, ['email', 'webhook'])
  })

  promise('a job that no store takes is refused alone', async (store) => {
    const units = [
      aUnit({ jobs: [aJob('e\0')] }),
      aUnit({ jobs: [aJob('e'.repeat(3_000))] }),
      aUnit({ jobs: [aJob('e', { seal: '\ud800' })] }),
      aUnit({ jobs: [aJob('e', { createdAt: 0.5 })] }),
      aRecord(aRequest(1), [], ['org\0']),
      aUnit({ objectGuards: [guard('a', 's\0')] }),
      aUnit({ objectGuards: [guard('a', null), guard('b', null), guard('a', null)] }),
    ]
    const refusals = [
      ...units.map((unit) => store.commit(unit)),
      store.addWebhooks([{ ...aWebhook('w1', 1), target: 'w\0' }], 1),
      store.addWebhooks([aWebhook('w'.repeat(2_400), 1)], 1),
      store.addWebhooks([aWebhook('w1', 0.5)], 1),
      store.addWebhooks([aWebhook('w1', 1)], 0.5),
      store.takeJobs({ now: Number.MAX_SAFE_INTEGER, leaseMs: 1, limit: 1 }),
      store.reviveJobs([1], 0.5),
      store.deadLetterJob(1, { failure: '\0' }),
      store.postponeJob({ sequence: 1, attempts: 0 }, { dueAt: 1, failure: '\ud800' }),
      store.postponeJob({ sequence: 1, attempts: 0 }, { dueAt: 0.5, failure: '' }),
    ]
    const results = await Promise.allSettled([...refusals, store.commit(aUnit({ jobs: [aJob('good')] }))])
    const refused = results.map((result) => result.status === 'rejected' && String(result.reason))
    for (const reason of refused.slice(0, -1)) assert.match(String(reason), /^Bug: /)
    assert.equal(refused.at(-1), false)
    assert.equal((await take(store, 10 ** 14)).length, 1)
  })
}

function take(store: Store, now: number): Promise<readonly Job[]> {
  return store.takeJobs({ now, leaseMs: 10_000, limit: 100 })
}

/** Takes and finishes all jobs, in the order in which they come. */
async function drain(store: Store): Promise<readonly Job[]> {
  const seen: Job[] = []
  for (;;) {
    const taken = await take(store, 10 ** 14)
    if (taken.length === 0) return seen
    seen.push(...taken)
    for (const job of taken) await store.finishJob(job.sequence)
  }
}

function listening(scope: string, ...targets: readonly string[]): Unit {
  return aUnit({ directory: { put: targets.map((target) => entryOf(scope, target)), remove: [] } })
}

function entryOf(scope: string, target: string): DirectoryEntry {
  return { scope, kind: 'WEBHOOK', value: '', target }
}

function aWebhook(target: string, revision: number): WebhookJob {
  return { scope: 'org', target, organizationId: 'org', activityId: 'activity', revision }
}

function webhookOf(job: Job | MalformedJob): WebhookJob | undefined {
  return job.kind === 'webhook' ? job.webhook : undefined
}

function guard(objectId: string, seal: string | null): Unit['objectGuards'][number] {
  return { organizationId: 'org', kind: 'privateKey', objectId, seal }
}

function assertRising(numbers: readonly number[]): void {
  numbers.forEach((number, at) => assert.ok(at === 0 || number > (numbers[at - 1] ?? 0), numbers.join(' ')))
}
