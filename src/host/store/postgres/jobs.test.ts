import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../../test/support/eventually.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import type { WebhookJob } from '../store.ts'
import { anObject, aUnit } from '../testing/fixtures.ts'
import { malformedJobSetAside } from '../testing/malformed-job.ts'
import { connectPostgres } from './connection.ts'
import { postgresJobs } from './jobs.ts'
import type { Pool } from './pool.ts'
import { openPostgres } from './postgres.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('a host takes no ordering key that another one takes while it looks for tenants', options, async (t) => {
  const { url, store } = await aStore(t)
  await store.addWebhooks([aWebhook('a', 'w1'), aWebhook('a', 'w2')], 100)
  await store.addWebhooks([aWebhook('b', 'w')], 150)
  const connections = await connectPostgres({ url })
  t.after(() => connections.end())
  const request = { now: 200, leaseMs: 10_000 }
  const taken: string[] = []
  const units = after(connections.units, 'next tenants', async () => {
    for (const job of await store.takeJobs({ ...request, limit: 1 })) taken.push(job.orderingKey)
  })
  const jobs = postgresJobs({ ...connections, units }, async (work) => await work())
  const own = (await jobs.takeJobs({ ...request, limit: 2 })).map((job) => job.orderingKey)
  assert.deepEqual(taken, ['webhook b w'])
  assert.deepEqual(own, ['webhook a w1', 'webhook a w2'])
})

test('an object that is changed while it is swept stays', options, async (t) => {
  const { store, operator } = await aStore(t)
  await store.commit(aUnit({ objects: { put: [anObject('kept', { expiresAt: 50 })], remove: [] } }))
  await operator.query('BEGIN; UPDATE objects SET expires_at = NULL')
  let isSwept = false
  const sweeping = store.sweep({ now: 100, limit: 10 }).finally(() => {
    isSwept = true
  })
  await eventually(async () => isSwept || (await operator.query(WAITING)).rowCount === 1)
  await operator.query('COMMIT')
  assert.equal(await sweeping, 0)
  assert.deepEqual(await store.objects('org', 'privateKey', ['kept']), [anObject('kept')])
})

test('a webhook that is revived is in the turn of the organization that hears of it', options, async (t) => {
  const { store, operator } = await aStore(t)
  await store.addWebhooks([{ ...aWebhook('parent', 'w'), organizationId: 'sub' }], 100)
  const [job] = await store.takeJobs({ now: 200, leaseMs: 1, limit: 1 })
  await store.deadLetterJob(job?.sequence ?? 0, { failure: 'refused' })
  assert.equal(await store.reviveJobs([job?.sequence ?? 0], 300), 1)
  assert.deepEqual((await operator.query('SELECT tenant FROM lanes')).rows, [{ tenant: 'parent' }])
})

test(
  'a malformed job becomes a dead letter that is shown, and the jobs of others are handed out',
  options,
  async (t) => {
    const { store, operator } = await aStore(t)
    await malformedJobSetAside(store, async (change) => void (await operator.query(change)))
  },
)

const WAITING = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

async function aStore(t: TestContext) {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  t.after(() => store.close())
  const operator = new pg.Client({ connectionString: url })
  await operator.connect()
  t.after(() => operator.end())
  return { url, store, operator }
}

function aWebhook(scope: string, target: string): WebhookJob {
  return { scope, target, organizationId: scope, activityId: 'activity', revision: 1 }
}

/** The pool, with work that is done directly after each statement of this name. */
function after(pool: Pool, name: string, work: () => Promise<void>): Pool {
  const beside = (client: pg.ClientBase): pg.ClientBase =>
    new Proxy(client, {
      get: (of, key) => {
        if (key !== 'query') return Reflect.get(of, key)
        return async (statement: pg.QueryConfig) => {
          const answer = await of.query(statement)
          if (statement.name === name) await work()
          return answer
        }
      },
    })
  return { ...pool, lend: (use) => pool.lend((client) => use(beside(client))) }
}
