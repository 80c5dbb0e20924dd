import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../../test/support/eventually.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { aCharter, aJob, anAmendment, anObject, aRecord, aRequest, aUnit } from '../testing/fixtures.ts'
import { openPostgres } from './postgres.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

test(
  'records that are written one by one hold up neither units and lookups of other tenants nor their records',
  options,
  async (t) => {
    const { store, operator } = await aStore(t)
    await refuseFirst(operator)
    const ended: string[] = []
    const noted = async <Result>(name: string, work: Promise<Result>): Promise<Result> =>
      await work.finally(() => ended.push(name))

    const records = Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        noted('record', store.commit(aRecord(aRequest(n + 1), [], ['org']))),
      ),
    )
    await eventually(async () => (await operator.query(WAITING)).rowCount === 1)
    const ofQuiet = (n: number) => ({
      row: aRequest(n, { organizationId: 'quiet' }),
      replaces: null,
      audience: ['quiet'],
    })
    await store.commit(aUnit({ activity: ofQuiet(100) }))
    const others = [
      noted('unit', store.commit(anAmendment(aCharter('quiet', 1), { activity: ofQuiet(101) }))),
      noted('lookup', store.charter('quiet')),
    ]
    await operator.query(GO_ON)

    await Promise.all(others)
    const before = ended.filter((name) => name === 'record').length
    assert.ok(before <= 3, `${before} records came first`)
    const [refused, ...written] = await records
    assert.equal(refused?.status, 'rejected')
    for (const result of written)
      assert.deepEqual(result, { status: 'fulfilled', value: { kind: 'committed' } })
  },
)

test(
  'a store that is closed has written the records that were left to be written one by one',
  options,
  async (t) => {
    const { store, operator } = await aStore(t)
    await refuseFirst(operator)
    const records = Promise.allSettled([1, 2, 3, 4].map((n) => store.commit(aRecord(aRequest(n)))))
    await eventually(async () => (await operator.query(WAITING)).rowCount === 1)
    const closed = store.close()
    await operator.query(GO_ON)
    await closed
    const committed = { status: 'fulfilled', value: { kind: 'committed' } }
    assert.deepEqual((await records).slice(1), [committed, committed, committed])
  },
)

test('a tenant is charged for the rows of its units, and not for their number', options, async (t) => {
  const { store, operator } = await aStore(t)
  const unit = (tenant: string, n: number, rows = 0) => {
    const own = { organizationId: tenant }
    const put = Array.from({ length: rows }, (_, at) => anObject(`${n} ${at}`, own))
    const activity = { row: aRequest(n, own), replaces: null, audience: [tenant] }
    return aUnit({ activity, objects: { put, remove: [] }, jobs: [aJob(`${n}`, own)] })
  }
  await operator.query('BEGIN; LOCK TABLE objects IN EXCLUSIVE MODE')
  const ended: string[] = []
  const commit = async (...of: Parameters<typeof unit>): Promise<void> => {
    await store.commit(unit(...of))
    ended.push(of[0])
  }
  const large = commit('large', 1, 100)
  await eventually(async () => (await operator.query(WAITING_FOR_TABLE)).rowCount === 1)
  const small = [
    commit('large', 2),
    commit('large', 3),
    commit('quiet', 4),
    commit('quiet', 5),
    commit('quiet', 6),
  ]
  await operator.query('COMMIT')
  await Promise.all([large, ...small])
  assert.deepEqual(ended.slice(0, 4), ['large', 'quiet', 'quiet', 'quiet'])
})

test('an outage ends a batch whose records are written one by one', options, async (t) => {
  const { store, operator } = await aStore(t)
  // A sequence keeps its number when a transaction is rolled back: the first statement is refused, and the next meets
  // an outage (class 08 of SQLSTATE).
  await operator.query(`CREATE SEQUENCE tries;
    CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
      IF nextval('tries') = 1 THEN RAISE EXCEPTION 'not today'; END IF;
      RAISE EXCEPTION 'lost' USING ERRCODE = '08006'; END$$;
    CREATE TRIGGER meddling BEFORE INSERT ON activities FOR EACH ROW EXECUTE FUNCTION meddle()`)

  const results = await Promise.allSettled([1, 2, 3].map((n) => store.commit(aRecord(aRequest(n)))))
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.kind : result.reason.kind)),
    ['unavailable', 'unavailable', 'unavailable'],
  )
  assert.equal((await operator.query('SELECT last_value FROM tries')).rows[0]?.last_value, '2')
})

/** The first record has its whole batch refused, and each of the others of `org` waits until it may go on. */
async function refuseFirst(operator: pg.Client): Promise<void> {
  await operator.query(`CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
      IF NEW.fingerprint = '${aRequest(1).fingerprint}' THEN RAISE EXCEPTION 'not today'; END IF;
      IF NEW.organization_id = 'org' THEN PERFORM pg_advisory_xact_lock_shared(7); END IF;
      RETURN NEW; END$$;
    CREATE TRIGGER meddling BEFORE INSERT ON activities FOR EACH ROW EXECUTE FUNCTION meddle();
    SELECT pg_advisory_lock(7)`)
}

const GO_ON = 'SELECT pg_advisory_unlock(7)'
const WAITING_FOR_TABLE =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
const WAITING =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'"

/** With one connection for units and lookups. */
async function aStore(t: TestContext) {
  const url = await freshDatabase()
  const store = await openPostgres({ url, connectionsMax: 1 })
  const operator = new pg.Client({ connectionString: url })
  await operator.connect()
  t.after(async () => {
    await store.close()
    await operator.end()
  })
  return { store, operator }
}
