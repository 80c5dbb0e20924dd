import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aService } from '../../../test/support/service.ts'
import {
  aSubOrganization,
  requestOf,
} from '../../trusted/activities/organizations/testing/sub-organization.ts'
import { aJob, aUnit } from '../store/testing/fixtures.ts'
import { openSqlite, sqliteOn } from '../store/sqlite/sqlite.ts'
import { openSqliteFile } from '../store/sqlite/file.ts'
import { JOBS_COUNTED_MAX } from '../store/job-counts.ts'
import type { Job, Store } from '../store/store.ts'
import { carryOutOrder, DEAD_PAGE } from './operator-commands.ts'

const RENAME = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME'
const FEATURE = 'FEATURE_NAME_WEBHOOK'

async function aServiceWithWebhook(context: TestContext) {
  const service = await aService()
  context.after(service.close)
  const value = 'https://hooks.test/'
  await service.done(service.root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name: FEATURE, value })
  await drained(service.store)
  return service
}

/** All jobs that wait, in the order in which they would be carried; they are gone afterwards. */
async function drained(store: Store): Promise<readonly Job[]> {
  const taken: Job[] = []
  for (;;) {
    const due = await store.takeJobs({ now: Number.MAX_SAFE_INTEGER - 10, leaseMs: 1, limit: 100 })
    if (due.length === 0) return taken
    for (const job of due) await store.finishJob(job.sequence)
    taken.push(...due)
  }
}

async function deadLetterAll(store: Store): Promise<void> {
  for (;;) {
    const due = await store.takeJobs({ now: Number.MAX_SAFE_INTEGER - 10, leaseMs: 1, limit: 100 })
    if (due.length === 0) return
    for (const { sequence } of due)
      await store.deadLetterJob(sequence, { failure: 'the endpoint answered 410' })
  }
}

function toldBy(jobs: readonly Job[]): readonly string[] {
  return jobs.map((job) =>
    job.kind === 'webhook' ? `${job.webhook.activityId}-${job.webhook.revision}` : job.kind,
  )
}

test('all events of a time are put into the ordering key again, each revision, with those of sub-organizations, oldest first', async (context) => {
  const service = await aServiceWithWebhook(context)
  const { root, store, world, organizationId } = service
  const sub = await aSubOrganization(service, { threshold: 2 })
  await service.done(root, RENAME, { organizationName: 'Too early' })
  await drained(store)
  world.advance(60_000)
  const from = world.now()

  await service.done(root, RENAME, { organizationName: 'First' })
  const voted = requestOf(service, RENAME, sub.organizationId, { organizationName: 'Second' })
  await voted.sentBy(sub.roots[0])
  await service.done(root, RENAME, { organizationName: 'Third' })
  await voted.sentBy(sub.roots[1])
  world.advance(60_000)
  const to = world.now()
  await service.done(root, RENAME, { organizationName: 'Too late' })
  const original = toldBy(await drained(store))

  const order = { do: 'redeliver', organizationId, target: FEATURE, from, to } as const
  const answer = await carryOutOrder(store, order, world.now())

  assert.deepEqual(answer, { lines: ['4 due again'], told: { due: 4 }, isRefused: false })
  const [first, waiting, third, completed] = original
  assert.deepEqual(toldBy(await drained(store)), [first, waiting, completed, third])
  assert.equal(`${waiting?.slice(0, -1)}2`, completed)
})

test('a redelivery to nobody, or of nobody, is refused with what there is', async (context) => {
  const { store, organizationId } = await aServiceWithWebhook(context)
  const order = { do: 'redeliver', organizationId, target: 'other', from: 0, to: 1 } as const

  const nobody = await carryOutOrder(store, order, 0)
  assert.equal(nobody.isRefused, true)
  assert.deepEqual(nobody.told, { refused: nobody.lines[0] })
  assert.match(nobody.lines[0] ?? '', /has no webhook other that is switched on; it has FEATURE_NAME_WEBHOOK/)
  const ofNobody = await carryOutOrder(store, { ...order, organizationId: 'nobody' }, 0)
  assert.match(ofNobody.lines[0] ?? '', /there is no organization nobody/)
})

test('a row that claims any number of states costs a redelivery no memory, and it is refused', async (context) => {
  const { store, world, organizationId } = await aServiceWithWebhook(context)
  const forged: Store = {
    ...store,
    activities: async (...asked) =>
      (await store.activities(...asked)).map((row) => ({
        ...row,
        revision: 2 ** 31 - 1,
        votes: JSON.stringify(Array.from({ length: 1_000_000 }, () => null)),
      })),
  }
  const order = { do: 'redeliver', organizationId, target: FEATURE, from: 0, to: world.now() + 1 } as const

  const { isRefused, lines } = await carryOutOrder(forged, order, world.now())

  assert.deepEqual([isRefused, lines], [true, ['these are more than 100000 events: ask for less time']])
})

test('a redelivery has few records in memory at a time, because each may be large', async (context) => {
  const service = await aServiceWithWebhook(context)
  const { root, store, world, organizationId } = service
  for (let n = 0; n < 45; n++) await service.done(root, RENAME, { organizationName: `Name ${n}` })
  const order = { do: 'redeliver', organizationId, target: FEATURE, from: 0, to: world.now() + 1 } as const
  const read: number[] = []
  const counted: Store = {
    ...store,
    activities: async (...asked) => {
      const page = await store.activities(...asked)
      read.push(page.length)
      return page
    },
  }

  const { told } = await carryOutOrder(counted, order, world.now())

  const all = read.reduce((sum, length) => sum + length, 0)
  assert.deepEqual([told, Math.max(...read)], [{ due: all }, 20])
})

test('the dead are listed with what they were and why, page by page, and revived one by one or all webhooks at once', async (context) => {
  const service = await aServiceWithWebhook(context)
  const { root, store, world } = service
  await store.commit(aUnit({ jobs: [aJob('e1')] }))
  for (let count = 0; count < DEAD_PAGE; count++)
    await service.done(root, RENAME, { organizationName: `Name ${count}` })
  await deadLetterAll(store)

  const backlog = await carryOutOrder(store, { do: 'backlog' }, world.now())
  assert.deepEqual(backlog.lines, [
    'email: 0 waiting; 1 dead',
    'sms: 0 waiting; 0 dead',
    `webhook: 0 waiting; ${DEAD_PAGE} dead`,
  ])
  const counted = { waiting: 0, dead: 1, oldestAt: null }
  assert.deepEqual(backlog.told, {
    backlog: [
      { kind: 'email', ...counted },
      { kind: 'sms', ...counted, dead: 0 },
      { kind: 'webhook', ...counted, dead: DEAD_PAGE },
    ],
    countedTo: JOBS_COUNTED_MAX,
  })
  const { lines, told } = await carryOutOrder(store, { do: 'dead', after: 0 }, world.now())
  assert.equal(lines.length, DEAD_PAGE + 1)
  assert.match(
    lines[0] ?? '',
    /email {2}message e1 of organization org {2}attempts 1: the endpoint answered 410$/,
  )
  assert.match(
    lines[1] ?? '',
    /webhook {2}event [0-9a-f-]{36}-1 of organization .* to FEATURE_NAME_WEBHOOK of /,
  )
  const after = Number(/^more: --after (\d+)$/.exec(lines.at(-1) ?? '')?.[1])
  // What `dead` tells is of this form.
  const { dead, after: next } = told as { readonly dead: readonly object[]; readonly after: number }
  assert.deepEqual([dead.length, next], [DEAD_PAGE, after])
  const { number, createdAt, ...email } = { number: 0, createdAt: 0, ...dead[0] }
  assert.ok(number > 0 && createdAt > 0)
  const failure = 'the endpoint answered 410'
  assert.deepEqual(email, { kind: 'email', attempts: 1, failure, jobId: 'e1', organizationId: 'org' })
  assert.match(
    JSON.stringify(dead[1]),
    /"eventId":"[0-9a-f-]{36}-1","scope":".*","target":"FEATURE_NAME_WEBHOOK"/,
  )
  assert.equal((await carryOutOrder(store, { do: 'dead', after }, world.now())).lines.length, 1)

  const sequences = [Number(lines[1]?.split(' ')[0])]
  assert.deepEqual((await carryOutOrder(store, { do: 'revive', sequences }, world.now())).lines, [
    '1 due again',
  ])
  const again = await carryOutOrder(store, { do: 'revive', sequences }, world.now())
  assert.deepEqual([again.isRefused, again.lines], [true, ['no dead letter has such a number']])
  const all = await carryOutOrder(store, { do: 'reviveWebhooks' }, world.now())
  assert.deepEqual(all.lines, [`${DEAD_PAGE - 1} due again`])
  const left = await store.deadLetters({ limit: 10 })
  assert.deepEqual(
    left.map(({ kind }) => kind),
    ['email'],
  )
})

test('a malformed dead letter is shown, and becomes one again when it is revived', async (t) => {
  const db = openSqliteFile(':memory:', { lockWaitMs: 0 })
  const store = sqliteOn(db)
  t.after(() => store.close())
  await store.commit(aUnit({ jobs: [aJob('e1')] }))
  db.exec('UPDATE errands SET seal = NULL')
  const shown = async () => {
    assert.deepEqual(await store.takeJobs({ now: 10_000, leaseMs: 1, limit: 10 }), [])
    return await carryOutOrder(store, { do: 'dead', after: 0 }, 10_000)
  }
  const { lines, told } = await shown()
  assert.match(
    lines[0] ?? '',
    /malformed {2}row of organization org at the ordering key message e1 {2}attempts 1: /,
  )
  const { dead } = told as { readonly dead: readonly { readonly number: number; readonly kind: string }[] }
  assert.equal(dead[0]?.kind, 'malformed')
  const revived = await carryOutOrder(store, { do: 'revive', sequences: [dead[0].number] }, 10_000)
  assert.deepEqual(revived.lines, ['1 due again'])
  assert.match((await shown()).lines[0] ?? '', /malformed {2}row of organization org/)
})

test('a dead letter of a time that no date has is listed with the others', async (context) => {
  const { store } = await aServiceWithWebhook(context)
  const webhook = { scope: 'one', target: 'w', organizationId: 'one', activityId: 'a', revision: 1 }
  await store.addWebhooks([webhook], 9e15)
  await store.addWebhooks([{ ...webhook, activityId: 'b' }], 0)
  await deadLetterAll(store)
  const { lines } = await carryOutOrder(store, { do: 'dead', after: 0 }, 0)
  assert.match(
    lines.join('\n'),
    /  no time  webhook .* a-1 .*\n.*  1970-01-01T00:00:00.000Z  webhook .* b-1 /,
  )
})

test('a backlog that is counted no further says so', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const message = (n: number) => aJob(`job ${n}`, { createdAt: 1_000 })
  const backlog = async () => (await carryOutOrder(store, { do: 'backlog' }, 5_000)).lines[0]
  await store.commit(aUnit({ jobs: Array.from({ length: 9_999 }, (_, n) => message(n)) }))
  assert.equal(await backlog(), 'email: 9999 waiting, the oldest for 4 s; 0 dead')
  await store.commit(aUnit({ jobs: [message(9_999), message(10_000)] }))
  assert.equal(await backlog(), 'email: at least 10000 waiting, the oldest for 4 s; 0 dead')
})
