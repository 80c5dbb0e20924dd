import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../../test/support/eventually.ts'
import { postgresAvailable, postgresMissing, startPostgres } from '../../../../test/support/postgres.ts'
import type { ChargedUnit } from '../quotas/quota.ts'
import { changedSettings } from '../quotas/settings.ts'
import { anObject, aRecord, aRequest, aUnit } from '../testing/fixtures.ts'
import { postgresDefaults } from './defaults.ts'
import { openPostgres } from './postgres.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }
const NOON = Date.UTC(2026, 10, 23, 12)

test('tenants at a full quota do not have the records of others written one by one', options, async (t) => {
  const { store, transactions } = await aStore(t)
  for (const [subject, requests] of [
    ['quiet', 100],
    ['full', 0],
    ['nearly full', 2],
  ] as const)
    await store.quotas.replace(changedSettings(await store.quotas.settings(), subject, { requests }))
  // This host knows them.
  await store.quotas.settings()
  const before = await transactions()

  const names = Array.from({ length: 60 }, (_, n) =>
    n % 6 === 1 ? 'full' : n % 6 === 4 ? 'nearly full' : 'quiet',
  )
  const results = await Promise.all(names.map((name, n) => store.commit(asking(name, n + 1))))

  const needed = (await transactions()) - before - 1
  assert.ok(needed <= 3, `${needed} transactions for a batch`)
  const written = (wanted: string): number =>
    results.filter(({ kind }, n) => names[n] === wanted && kind === 'committed').length
  assert.deepEqual([written('quiet'), written('nearly full'), written('full')], [40, 2, 0])
  for (const [n, result] of results.entries())
    if (result.kind !== 'committed')
      assert.deepEqual(result, {
        kind: 'exhausted',
        exhausted: { organizationId: names[n], quota: 'requests', most: names[n] === 'full' ? 0 : 2 },
      })
  const used = async (name: string) => (await store.quotas.uses(name, NOON))[0]?.used
  assert.deepEqual([await used('quiet'), await used('nearly full'), await used('full')], [40, 2, 0])
})

test('a tenant whose requests were written before has no others written one by one', options, async (t) => {
  const { store, transactions } = await aStore(t)
  for (const subject of ['quiet', 'again'])
    await store.quotas.replace(changedSettings(await store.quotas.settings(), subject, { requests: 100 }))
  // This host knows them.
  await store.quotas.settings()
  for (let n = 1; n <= 4; n++) await store.commit(asking('again', n))
  const before = await transactions()

  const units = Array.from({ length: 44 }, (_, n) =>
    asking(n % 11 === 3 ? 'again' : 'quiet', n % 11 === 3 ? 1 + (n - 3) / 11 : 100 + n),
  )
  const results = await Promise.all(units.map((unit) => store.commit(unit)))

  const needed = (await transactions()) - before - 1
  assert.ok(needed <= 2 + 4, `${needed} transactions for a batch`)
  for (const [n, result] of results.entries())
    assert.deepEqual(
      result,
      n % 11 === 3 ? { kind: 'conflict', conflict: 'fingerprint' } : { kind: 'committed' },
      `unit ${n}`,
    )
  assert.equal((await store.quotas.uses('quiet', NOON))[0]?.used, 40)
  assert.equal((await store.quotas.uses('again', NOON))[0]?.used, 4)
})

test('a store that is closed has written the records that are counted', options, async (t) => {
  const { store } = await aStore(t)
  await store.quotas.replace(changedSettings(await store.quotas.settings(), 'org', { requests: 9 }))
  // This host knows them.
  await store.quotas.settings()
  const written = Promise.allSettled([1, 2, 3].map((n) => store.commit(asking('org', n))))
  await store.close()
  const committed = { status: 'fulfilled', value: { kind: 'committed' } }
  assert.deepEqual(await written, [committed, committed, committed])
})

test('units that count for one organization leave the connections to others', options, async (t) => {
  const { store, operator } = await aStore(t, 2)
  await store.quotas.replace(changedSettings(await store.quotas.settings(), 'org', { objects: 9 }))
  // This host knows them.
  await store.quotas.settings()
  await operator.query('BEGIN; LOCK TABLE objects IN EXCLUSIVE MODE')
  const units = ['a', 'b', 'c'].map((id) =>
    store.commit(aUnit({ objects: { put: [anObject(id)], remove: [] } })),
  )
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
  await eventually(async () => ((await operator.query(waiting)).rowCount ?? 0) > 0)
  const found = store.charter('other').finally(() => operator.query('COMMIT'))
  assert.equal(await found, undefined)
  for (const result of await Promise.all(units)) assert.deepEqual(result, { kind: 'committed' })
})

test('a record that PostgreSQL refuses spoils none of those that are counted with it', options, async (t) => {
  const { store, operator } = await aStore(t)
  await store.quotas.replace(changedSettings(await store.quotas.settings(), 'quiet', { requests: 100 }))
  // This host knows them.
  await store.quotas.settings()
  await operator.query(`CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN IF NEW.fingerprint IN ('${aRequest(2).fingerprint}', '${aRequest(12).fingerprint}') THEN RAISE EXCEPTION 'not today'; END IF; RETURN NEW; END$$;
    CREATE TRIGGER refused BEFORE INSERT ON activities FOR EACH ROW EXECUTE FUNCTION refused()`)

  // Those of the second organization are not counted.
  for (const name of ['quiet', 'other']) {
    const from = name === 'quiet' ? 0 : 10
    const results = await Promise.allSettled([1, 2, 3].map((n) => store.commit(asking(name, from + n))))
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value.kind : String(result.reason))),
      ['committed', 'error: not today', 'committed'],
    )
  }
  assert.equal((await store.quotas.uses('quiet', NOON))[0]?.used, 2)
})

for (const [what, happens, outcome] of [
  ['is found to be written', 'RETURN NULL', 'conflict'],
  ['is refused by PostgreSQL', "RAISE EXCEPTION 'not today'", 'error: not today'],
] as const)
  test(
    `a unit beyond a quota is written after all if the unit that had taken the rest ${what}`,
    options,
    async (t) => {
      const { store, operator } = await aStore(t)
      await store.quotas.replace(changedSettings(await store.quotas.settings(), 'org', { requests: 1 }))
      // This host knows them.
      await store.quotas.settings()
      // Only from its second try on, as if another host had come in between. A sequence keeps its number when a
      // transaction is rolled back.
      await operator.query(`CREATE SEQUENCE tries;
      CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
        IF NEW.fingerprint = '${aRequest(1).fingerprint}' AND nextval('tries') > 1 THEN ${happens}; END IF;
        RETURN NEW; END$$;
      CREATE TRIGGER again BEFORE INSERT ON activities FOR EACH ROW EXECUTE FUNCTION again()`)

      const results = await Promise.allSettled([1, 2].map((n) => store.commit(asking('org', n))))

      assert.deepEqual(
        results.map((result) => (result.status === 'fulfilled' ? result.value.kind : String(result.reason))),
        [outcome, 'committed'],
      )
      assert.equal((await store.quotas.uses('org', NOON))[0]?.used, 1)
    },
  )

test(
  'an outage ends a counted batch: the units that are left do not each wait for it',
  options,
  async (t) => {
    const { store, operator } = await aStore(t)
    await store.quotas.replace(changedSettings(await store.quotas.settings(), 'quiet', { requests: 100 }))
    // This host knows them.
    await store.quotas.settings()
    // A sequence keeps its number when a transaction is rolled back: the first statement is refused, and the next meets
    // an outage (class 08 of SQLSTATE).
    await operator.query(`CREATE SEQUENCE tries;
    CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
      IF nextval('tries') = 1 THEN RAISE EXCEPTION 'not today'; END IF;
      RAISE EXCEPTION 'lost' USING ERRCODE = '08006'; END$$;
    CREATE TRIGGER refused BEFORE INSERT ON activities FOR EACH ROW EXECUTE FUNCTION refused()`)

    const results = await Promise.allSettled([1, 2, 3].map((n) => store.commit(asking('quiet', n))))
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value.kind : result.reason.kind)),
      ['unavailable', 'unavailable', 'unavailable'],
    )
    assert.equal((await operator.query('SELECT last_value FROM tries')).rows[0]?.last_value, '2')
  },
)

/**
 * Each transaction that writes has a number of its own, on the whole server: nothing else writes there, not even the
 * statistics of a vacuum.
 */
async function aStore(t: TestContext, connectionsMax: number = postgresDefaults.connectionsMax) {
  const server = await startPostgres(['autovacuum=off'])
  const url = `${server.address}/postgres`
  const store = await openPostgres({ url, connectionsMax })
  const operator = new pg.Client({ connectionString: url })
  await operator.connect()
  t.after(async () => {
    await store.close()
    await operator.end()
    await server.stop()
  })
  const transactions = async (): Promise<number> =>
    Number((await operator.query('SELECT pg_current_xact_id()::text AS id')).rows[0]?.id)
  return { store, operator, transactions }
}

function asking(organizationId: string, n: number): ChargedUnit {
  const charge = {
    organizationIds: [organizationId],
    requests: 1,
    cost: 0,
    isBound: true,
    now: NOON,
  } as const
  return { ...aRecord({ ...aRequest(n), organizationId }), charge }
}
