import assert from 'node:assert/strict'
import type { Store } from '../store.ts'
import { aJob, aUnit } from './fixtures.ts'

/** @param change  carries out a statement of SQL that no host would write */
export async function malformedJobSetAside(
  store: Store,
  change: (statement: string) => Promise<void> | void,
): Promise<void> {
  const webhook = { scope: 'org', target: 'w', organizationId: 'org', activityId: 'a' }
  await store.commit(aUnit({ jobs: ['e1', 'e2', 'e3', 'e4'].map((id) => aJob(id)) }))
  await store.addWebhooks(
    [1, 2, 3].map((revision) => ({ ...webhook, revision })),
    1_000,
  )
  await change("UPDATE errands SET seal = NULL WHERE errand_id = 'e1'")
  await change("UPDATE errands SET kind = 'fax' WHERE errand_id = 'e2'")
  await change('UPDATE errands SET target = NULL WHERE revision = 2')
  // Its ordering key is left without a job.
  await change("DELETE FROM errands WHERE errand_id = 'e4'")

  const lease = { now: 2_000, leaseMs: 1_000 }
  const taken = await store.takeJobs({ ...lease, limit: 10 })
  assert.deepEqual(
    taken.map(({ orderingKey }) => orderingKey),
    ['message e3', 'webhook org w'],
  )
  // The second of the ordering key is malformed: it is not handed out with the end of the first, and holds up nothing.
  assert.equal(await store.finishJob(taken[1]?.sequence ?? 0, lease), undefined)
  const [third] = await store.takeJobs({ ...lease, limit: 10 })
  assert.equal(third?.kind === 'webhook' && third.webhook.revision, 3)

  const dead = await store.deadLetters({ limit: 10 })
  assert.deepEqual(
    dead.map(({ kind, orderingKey }) => [kind, orderingKey]),
    ['message e1', 'message e2', 'webhook org w'].map((orderingKey) => ['malformed', orderingKey]),
  )
  for (const { failure } of dead) assert.match(failure ?? '', /malformed/)
  assert.equal((await store.jobsOf('webhook org w', 'dead', { limit: 10 })).length, 1)
  const counts = (await store.jobCounts()).map((count) => [count.kind, count.dead])
  assert.deepEqual(counts, [
    ['email', 1],
    ['sms', 0],
    ['webhook', 1],
  ])
}
