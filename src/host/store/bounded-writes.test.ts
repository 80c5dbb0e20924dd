import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../test/support/postgres.ts'
import {
  aCharter,
  anAmendment,
  anEntry,
  aJob,
  anId,
  anObject,
  aRecord,
  aRequest,
  aUnit,
  holderOf,
} from './testing/fixtures.ts'
import { historySql } from './testing/history.ts'
import { WEBHOOK_ENTRY } from './ordering-keys.ts'
import { openPostgres } from './postgres/postgres.ts'
import { COUNTED } from './quotas/counts.ts'
import type { ChargedUnit } from './quotas/quota.ts'
import { changedSettings } from './quotas/settings.ts'
import type { NewSeal } from './resealing.ts'
import type { Store } from './store.ts'

const ROWS = Number(process.env['CLAVIGER_TEST_HISTORY'] ?? 50_000)

/** Each is about one or two things; handing out a job is the longest. */
const ROWS_MAX = 4
/**
 * An insert finds room, and writes to four indexes and their new pages; the first index that has to be walked here has
 * two hundred.
 */
const BUFFERS_MAX = 120

const options = { skip: postgresAvailable() ? false : postgresMissing }

// Each host prepares a statement once on each connection, perhaps when the database is empty, and keeps the plan while
// the tables grow. So one connection of each kind does everything on empty tables; then the tables grow under it, and
// it does everything again, while the server itself tells what it has read (auto_explain).
test(
  'a statement that was planned on an empty database reads no more rows of a large one than it is about',
  options,
  async (t): Promise<void> => {
    const url = await freshDatabase()
    const operator = await connected(t, url)
    if (!(await hasModule(operator, 'auto_explain')))
      return t.skip('this PostgreSQL has no auto_explain (postgresql-contrib)')
    await operator.query(TELLING)
    const plans = plansTold(t)
    const store = await openPostgres({ url, connectionsMax: 1, listConnectionsMax: 1 })
    t.after(() => store.close())
    const many = {
      requests: 1_000_000,
      objects: 1_000_000,
      subOrganizations: 1_000_000,
      storedBytes: 1_000_000_000,
    }
    await store.quotas.replace(changedSettings(await store.quotas.settings(), 'org', many))
    await store.quotas.uses('org', 0)
    const first = plans.length
    await everything(store, 0)
    const early = new Set(plans.slice(first).map(({ statement }) => statement))
    assert.ok(early.size > 35, `${early.size} statements`)

    await operator.query(grownSql(ROWS))
    for (const [round, before] of ['', '', 'ANALYZE'].entries()) {
      await operator.query(before)
      plans.length = 0
      await everything(store, round + 1)
      for (const { statement, rows, buffers } of plans) {
        assert.ok(rows <= ROWS_MAX, `${rows} rows ${before}: ${statement}`)
        assert.ok(buffers <= BUFFERS_MAX, `${buffers} pages ${before}: ${statement}`)
      }
      const seen = new Set(plans.map(({ statement }) => statement))
      assert.deepEqual(
        [...early].filter((statement) => !seen.has(statement)),
        [],
      )
    }
  },
)

/** All that the store does for signatures, amendments, votes and deliveries, in an organization with a long history. */
async function everything(store: Store, round: number): Promise<void> {
  const done = async (unit: ChargedUnit): Promise<void> =>
    assert.deepEqual(await store.commit(unit), { kind: 'committed' }, JSON.stringify(unit))
  const base = 10 * round
  const guards = [{ organizationId: 'org', version: base + 1 }]
  const request = (n: number) => aRequest(10_000_000 + base + n)
  const established = await store.charter('org')
  await done(anAmendment(aCharter('org', (established?.version ?? 0) + 1)))
  await done(anAmendment(aCharter(`parent ${round}`, 1)))

  // Signatures, and one whose request is there already.
  await done(aRecord(request(1), guards, ['org']))
  await store.commit(aRecord({ ...request(1), activityId: anId(9) }, guards, ['org']))

  // An activity that waits, a vote, and one that comes too late.
  const waiting = { awaited: 1 as const, status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED' as const }
  const audience = ['org']
  const created = { row: { ...request(2), ...waiting }, replaces: null, audience }
  await done(aUnit({ guards, activity: created, objects: { put: [anObject('a')], remove: [] } }))
  const vote = { row: { ...request(2), ...waiting, revision: 1 }, replaces: 0, audience }
  await done(aUnit({ guards, activity: vote }))
  await store.commit(aUnit({ guards, activity: vote }))

  // An amendment with everything that one may have, one that meets a taken name, and one that another charter guards
  // too.
  const entry = (value: string) => anEntry(`${value} ${round}`, 'target')
  const messages = [aJob(`job ${round}`, { createdAt: 0 })]
  await done(
    anAmendment(aCharter('org', base + 2), {
      activity: { row: request(3), replaces: null, audience },
      objects: { put: [anObject('b', { expiresAt: 1 })], remove: [anObject('a')] },
      claims: { put: [entry('name')], remove: [entry('other')] },
      directory: { put: [entry('name')], remove: [entry('other')] },
      jobs: messages,
    }),
  )
  // Of many rows that were added since, one is enough to know.
  const of = { organizationId: 'org', count: 0 }
  const found = [
    { of: 'kind', kind: 'meter', ...of },
    { of: 'entry', kind: 'name', value: `name ${round}`, ...of },
  ] as const
  await store.commit({ ...anAmendment(aCharter('org', base + 3)), found })
  const taken = { put: [{ ...entry('name'), target: 'another' }], remove: [] }
  await store.commit(anAmendment(aCharter('org', base + 3), { claims: taken }))
  const parent = { organizationId: `parent ${round}`, version: 1 }
  await done(
    anAmendment(aCharter('org', base + 3), {
      guards: [{ organizationId: 'org', version: base + 2 }, parent],
    }),
  )

  // Rows that guard themselves, there and not there.
  const meter = (seal: string) => ({ put: [anObject(`meter ${round}`, { kind: 'meter', seal })], remove: [] })
  const guard = { organizationId: 'org', kind: 'meter', objectId: `meter ${round}` }
  await done(aUnit({ objectGuards: [{ ...guard, seal: null }], objects: meter('one') }))
  await done(aUnit({ objectGuards: [{ ...guard, seal: 'one' }], objects: meter('two') }))

  // Webhooks, and their deliveries.
  const hook = { scope: 'org', ...WEBHOOK_ENTRY, target: 'webhook' }
  await done(aUnit({ directory: { put: [hook], remove: [] } }))
  await done(aRecord(request(4), [], audience))
  await done(
    anAmendment(aCharter('org', base + 4), { activity: { row: request(5), replaces: null, audience } }),
  )
  const told = { scope: 'org', target: 'webhook', organizationId: 'org', activityId: anId(1), revision: 1 }
  await store.addWebhooks([told], 1)
  await done(aUnit({ directory: { put: [], remove: [hook] } }))
  const [job] = await store.takeJobs({ now: 0, leaseMs: 1, limit: 1 })
  assert.ok(job !== undefined)
  await store.postponeJob(job, { dueAt: 0, failure: 'x' })
  await store.deadLetterJob(job.sequence, { failure: 'x' })
  await store.reviveJobs([job.sequence], 0)
  const [again] = await store.takeJobs({ now: 0, leaseMs: 1, limit: 1 })
  assert.ok(again !== undefined)
  // A new seal for a row of each kind.
  const seals: readonly NewSeal[] = [
    { table: 'charters', key: ['org'], from: `seal of ${base + 4}`, to: 'new' },
    { table: 'activities', key: ['org', request(1).activityId], from: 'seal', to: 'new' },
    { table: 'objects', key: ['org', 'meter', `meter ${round}`], from: 'two', to: 'new' },
    { table: 'jobs', key: [again.sequence], from: 'sealed', to: 'new' },
  ]
  assert.equal(await store.reseal(seals), seals.length)
  await store.finishJob(again.sequence)
  await store.sweep({ now: 1, limit: 10 })

  // Requests and rows that count.
  const charge = { organizationIds: ['org'], requests: 1, cost: 1, isBound: true, now: 0 } as const
  await done({ ...aRecord(request(7)), charge })
  await done({ ...aUnit({ objects: { put: [anObject(`counted ${round}`)], remove: [] } }), charge })

  // What the archive takes.
  await done(aRecord(request(6)))
  assert.equal(await store.removeActivities([request(6)]), 1)

  // What decisions look up.
  await store.activity('org', request(1).activityId)
  await store.activityOfRequest(request(1))
  await store.awaitedActivity('org', request(2).fingerprint)
  await store.objects('org', 'meter', [`meter ${round}`, 'none'])
  await holderOf(store, 'org', 'name', `name ${round}`)
  await store.find({ scope: 'org', kind: 'name', value: `name ${round}` }, { limit: 10 })
  await store.probe()
  for (let version = base + 5; version <= base + 10; version++)
    await done(anAmendment(aCharter('org', version)))
}

/** Many of everything that the history does not have, in the same organization and in others. */
function grownSql(rows: number): string {
  const numbered = `FROM generate_series(1, ${rows}) AS numbers (n)`
  return `${historySql('postgres', rows)}
INSERT INTO charters SELECT 'org ' || n, 1, '{}', 'seal' ${numbered};
INSERT INTO claims SELECT 'org', 'name', 'name ' || n, 'target' ${numbered};
INSERT INTO claims SELECT '${COUNTED.scope}', '${COUNTED.kind}', 'org ' || n, '{}' ${numbered};
INSERT INTO directory SELECT 'org', 'name', 'name ' || n, 'target' ${numbered};
INSERT INTO objects SELECT 'org', 'meter', 'm' || n, '{}', 'seal', 1000000 + n ${numbered};
INSERT INTO lanes SELECT 'message ' || n, n, NULL, 'tenant' ${numbered} WHERE n % 2 = 0;`
}

/** Every statement of a new connection tells its client what it did. */
const TELLING = `DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET session_preload_libraries = %L', current_database(), 'auto_explain');
  EXECUTE format('ALTER DATABASE %I SET client_min_messages = log', current_database());
  EXECUTE format('ALTER DATABASE %I SET auto_explain.log_min_duration = 0', current_database());
  EXECUTE format('ALTER DATABASE %I SET auto_explain.log_analyze = on', current_database());
  EXECUTE format('ALTER DATABASE %I SET auto_explain.log_buffers = on', current_database());
  EXECUTE format('ALTER DATABASE %I SET auto_explain.log_timing = off', current_database());
  EXECUTE format('ALTER DATABASE %I SET auto_explain.log_format = json', current_database());
END $$`

type Told = { readonly statement: string; readonly rows: number; readonly buffers: number }

/** What a connection asks when it is made, and what is asked for readiness. */
const OF_CATALOGUE = /pg_attribute|current_setting|FROM migrations|pg_advisory_lock_shared/

function plansTold(t: TestContext): Told[] {
  const told: Told[] = []
  const heard = new WeakSet<pg.Client>()
  const { query } = pg.Client.prototype
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]) {
    if (!heard.has(this)) {
      heard.add(this)
      this.on('notice', ({ message }) => {
        const json = /^duration: .* plan:\n(.*)$/s.exec(message ?? '')?.[1]
        if (json === undefined) return
        const { 'Query Text': statement, Plan: plan } = JSON.parse(json)
        if (OF_CATALOGUE.test(statement)) return
        told.push({
          statement,
          rows: scanned(plan),
          buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
        })
      })
    }
    return Reflect.apply(query, this, given)
  })
  return told
}

function scanned(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0
  const number = (name: string): number => Number(Reflect.get(node, name) ?? 0)
  const inner: unknown = Reflect.get(node, 'Plans') ?? []
  const below = Array.isArray(inner) ? inner.reduce((sum: number, item) => sum + scanned(item), 0) : 0
  const type = String(Reflect.get(node, 'Node Type'))
  if (!/^(Index|Index Only|Bitmap Heap|Bitmap Index|Seq) Scan/.test(type)) return below
  const passed = number('Rows Removed by Filter') + number('Rows Removed by Index Recheck')
  return below + (number('Actual Rows') + passed) * number('Actual Loops')
}

async function hasModule(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.query(`LOAD '${name}'`)
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError) return false
    throw error
  }
}

async function connected(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  return client
}
