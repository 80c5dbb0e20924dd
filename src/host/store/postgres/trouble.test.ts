import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../../test/support/eventually.ts'
import {
  freshDatabase,
  postgresAvailable,
  postgresMissing,
  startPostgres,
  startStandby,
} from '../../../../test/support/postgres.ts'
import { present } from '../../../trusted/base/assert.ts'
import { aCharter, aJob, anAmendment, anId, anObject, aRecord, aRequest, aUnit } from '../testing/fixtures.ts'
import { cancelWaiting, findStandby, missStandby } from '../testing/missing-standby.ts'
import { openPostgres } from './postgres.ts'
import { MOVING_NOTE } from '../moved-store.ts'
import { isRefusal } from './errors.ts'
import { isStoreOutage } from '../outage.ts'
import { postgresMigrations } from './schema.ts'
import type { Store } from '../store.ts'
import { StoreError } from '../store-error.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('a commit that is cancelled while it waits for its standby is not acknowledged', options, async (t) => {
  const server = await startPostgres()
  t.after(server.stop)
  const url = `${server.address}/postgres`
  const operator = await connected(t, url)
  // The server then sends no warnings, unless a session asks for them.
  await operator.query('ALTER ROLE claviger SET client_min_messages = error')
  const store = await openPostgres({ url })
  t.after(() => store.close())
  await missStandby(operator, await connected(t, url))

  const writes: readonly (() => Promise<unknown>)[] = [
    () => store.commit(aRecord(aRequest(1))),
    () => store.commit(anAmendment(aCharter('org', 1))),
    () => store.noteOnce('name', 'value'),
    () =>
      store.addWebhooks([{ scope: 'o', target: 'w', organizationId: 'o', activityId: 'a', revision: 1 }], 1),
  ]
  for (const write of writes) {
    const ended = assert.rejects(write(), unavailable(/committed with a warning/))
    while (!(await cancelWaiting(operator)));
    await ended
  }
  // The record exists all the same, and the same request sent again is told so once the standby is back.
  assert.deepEqual(await store.activityOfRequest(aRequest(1)), aRequest(1))
  await findStandby(operator)
  assert.deepEqual(await store.commit(aRecord(aRequest(2))), { kind: 'committed' })
})

test(
  'what was handed out by a commit whose answer was lost is handed out by the next look, and counts as no attempt',
  options,
  async (t) => {
    const server = await startPostgres()
    t.after(server.stop)
    const url = `${server.address}/postgres`
    const operator = await connected(t, url)
    const [store, other] = await Promise.all([openPostgres({ url }), openPostgres({ url })])
    t.after(() => Promise.all([store.close(), other.close()]))
    const told = (target: string, revision: number) =>
      ({ scope: 'o', target, organizationId: 'o', activityId: 'a', revision }) as const
    await store.addWebhooks([told('known', 1), told('others', 1), told('long', 1), told('long', 2)], 1)
    // The first two are known, at the same instant, to this host and to another one.
    const [known] = await store.takeJobs({ now: 5, leaseMs: 90_000, limit: 1 })
    const [others] = await other.takeJobs({ now: 5, leaseMs: 90_001, limit: 1 })
    assert.deepEqual([known?.orderingKey, others?.orderingKey], ['webhook o known', 'webhook o long'])

    await missStandby(operator, await connected(t, url))
    const lost = assert.rejects(
      store.takeJobs({ now: 5, leaseMs: 90_002, limit: 9 }),
      unavailable(/committed with a warning/),
    )
    while (!(await cancelWaiting(operator)));
    await lost
    const lostNext = assert.rejects(
      other.finishJob(others?.sequence ?? 0, { now: 5, leaseMs: 90_003 }),
      unavailable(/committed with a warning/),
    )
    while (!(await cancelWaiting(operator)));
    await lostNext
    await findStandby(operator)

    const look = async (host: Store, now: number, leaseMs: number) =>
      (await host.takeJobs({ now, leaseMs, limit: 9 })).map(({ orderingKey, attempts }) => [
        orderingKey,
        attempts,
      ])
    assert.deepEqual(await look(store, 6, 90_004), [['webhook o others', 0]])
    assert.deepEqual(await look(store, 7, 90_005), [])
    assert.equal(await other.finishJob(others?.sequence ?? 0, { now: 8, leaseMs: 90_006 }), undefined)
    assert.deepEqual(await look(other, 9, 90_007), [['webhook o long', 0]])
    assert.deepEqual(await look(other, 10, 90_008), [])
    assert.deepEqual(await look(other, 90_005, 90_009), [['webhook o known', 1]])
  },
)

test('what PostgreSQL itself calls unknown is not taken for a refusal', () => {
  const error = (code: string) => Object.assign(new pg.DatabaseError('', 0, 'error'), { code })
  for (const code of ['40003', '08006', '57P01']) assert.equal(isRefusal(error(code)), false, code)
  for (const code of ['40001', '40P01', '23505', '57014']) assert.equal(isRefusal(error(code)), true, code)
})

test(
  'a host stops writing when a newer one has brought the schema further, and says why',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url, watchMs: 20 })
    t.after(() => store.close())
    const operator = await connected(t, url)
    const refusal = { name: 'StoreError', kind: 'foreign', message: /newer version/ }
    await store.commit(aRecord(aRequest(1)))
    await operator.query(`INSERT INTO migrations VALUES (${postgresMigrations.length + 1}, 'x')`)

    for (let n = 2; (await refused(store.commit(aRecord(aRequest(n))))) === undefined; n++);
    const pending = [
      () => store.commit(aRecord(aRequest(0))),
      () => store.commit(anAmendment(aCharter('org', 1))),
      () => store.takeJobs({ now: 1, leaseMs: 1, limit: 1 }),
      () => store.note('name'),
      () => store.confirmer()(),
      () => store.probe(),
    ]
    for (const write of pending) await assert.rejects(write(), refusal)
    assert.equal(await store.activityOfRequest(aRequest(0)), undefined)
  },
)

test(
  'once the tables are as they were, no connection goes on with a plan of meanwhile',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url, watchMs: 3_600_000 })
    t.after(() => store.close())
    await store.commit(anAmendment(aCharter('org', 1)))
    await store.commit(aRecord(aRequest(1)))
    const operator = await connected(t, url)
    const reads = async (): Promise<readonly (Error | undefined)[]> =>
      await Promise.all(
        Array.from({ length: 40 }, async (_, n) =>
          refused(n % 2 === 0 ? store.charter('org') : store.activityOfRequest(aRequest(1))),
        ),
      )
    const altered = async (type: string): Promise<void> => {
      await operator.query(`ALTER TABLE charters ALTER COLUMN version TYPE ${type}`)
      await operator.query(`ALTER TABLE activities ALTER COLUMN revision TYPE ${type}`)
    }
    assert.deepEqual([...new Set(await reads())], [undefined])
    await altered('numeric')
    assert.ok((await reads()).some((error) => error !== undefined))
    await altered('bigint')
    await store.probe()
    assert.deepEqual([...new Set(await reads())], [undefined])
    assert.deepEqual(await store.commit(anAmendment(aCharter('org', 2))), { kind: 'committed' })
  },
)

test('a connection that is made anew under a newer schema is not used', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url, watchMs: 3_600_000 })
  t.after(() => store.close())
  const operator = await connected(t, url)
  await operator.query(`INSERT INTO migrations VALUES (${postgresMigrations.length + 1}, 'x')`)
  await operator.query(END_OTHERS)
  let error: unknown
  while (!(error instanceof StoreError && error.kind === 'foreign'))
    error = await refused(store.commit(aRecord(aRequest(1))))
  assert.match(error.message, /newer version/)
})

test(
  'no connection that is made anew is used while the data is moved, but those of the move',
  options,
  async (t) => {
    const url = await freshDatabase()
    const [host, mover] = await Promise.all([
      openPostgres({ url, watchMs: 3_600_000 }),
      openPostgres({ url, watchMs: 3_600_000, mover: 'claviger move' }),
    ])
    t.after(() => Promise.all([host.close(), mover.close()]))
    await mover.replaceNote(MOVING_NOTE, null, 'to another place')
    const operator = await connected(t, url)
    await operator.query(END_OTHERS)
    // The first of them meets the connection that was ended.
    while ((await refused(mover.commit(aRecord(aRequest(1))))) !== undefined);
    let error: unknown
    while (!(error instanceof StoreError && error.kind === 'foreign'))
      error = await refused(host.commit(aRecord(aRequest(2))))
    assert.match(error.message, /is being moved to another place/)
  },
)

const END_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'

test(
  'of several servers the one that takes writes is used, also when it becomes another',
  options,
  async (t) => {
    const primary = await startPostgres()
    t.after(() => primary.stop())
    const standby = await startStandby(primary)
    t.after(standby.stop)
    const hosts = [standby, primary].map(({ address }) => new URL(address).host)
    const url = `postgres://claviger@${hosts.join(',')}/postgres?target_session_attrs=read-write`
    const store = await openPostgres({ url })
    t.after(() => store.close())
    assert.deepEqual(await store.commit(aRecord(aRequest(1))), { kind: 'committed' })
    await assert.rejects(openPostgres({ url: `${standby.address}/postgres` }), unavailable(/takes no writes/))

    const operator = await connected(t, `${standby.address}/postgres`)
    const written = await value(
      await connected(t, `${primary.address}/postgres`),
      'SELECT pg_current_wal_lsn() AS value',
    )
    while ((await value(operator, `SELECT pg_last_wal_replay_lsn() >= '${written}' AS value`)) !== true);
    await primary.stop()
    await operator.query('SELECT pg_promote()')
    let n = 2
    for (; (await refused(store.commit(aRecord(aRequest(n))))) !== undefined; n++);
    assert.deepEqual(await store.activityOfRequest(aRequest(1)), aRequest(1))
    assert.deepEqual(await store.activityOfRequest(aRequest(n)), aRequest(n))
  },
)

test('sixteen lists that hang hold up neither signing, nor units, nor readiness', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url, listMs: 60_000 })
  t.after(() => store.close())
  await store.commit(anAmendment(aCharter('org', 1)))
  await store.noteOnce('name', 'value')
  const operator = await connected(t, url)
  await operator.query('BEGIN; LOCK TABLE objects IN ACCESS EXCLUSIVE MODE')
  const lists = Array.from({ length: 16 }, () => store.objectsOfKind('org', 'privateKey', { limit: 10 }))
  const onlooker = await connected(t, url)
  while (Number(await value(onlooker, WAITING)) < 4);

  const guards = [{ organizationId: 'org', version: 1 }]
  assert.deepEqual(await store.commit(aRecord(aRequest(1), guards)), { kind: 'committed' })
  assert.deepEqual(await store.charter('org'), aCharter('org', 1))
  assert.equal(await store.note('name'), 'value')
  await store.probe()
  const entry = { scope: 'org', kind: 'name', value: 'a', target: 'u' }
  const claim = { claims: { put: [entry], remove: [] }, guards }
  assert.equal((await refused(store.find(entry, { limit: 1 })))?.message, undefined)
  await operator.query('COMMIT')
  for (const list of await Promise.all(lists)) assert.deepEqual(list, [])
  assert.deepEqual(await store.commit(aUnit(claim)), { kind: 'committed' })
})

const WAITING =
  "SELECT count(*) AS value FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"

test('units that wait hold up neither notes nor lists', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url, connectionsMax: 1 })
  t.after(() => store.close())
  const operator = await connected(t, url)
  await operator.query('BEGIN; LOCK TABLE charters IN EXCLUSIVE MODE')
  const unit = store.commit(anAmendment(aCharter('org', 1)))
  const onlooker = await connected(t, url)
  await eventually(async () => Number(await value(onlooker, WAITING)) === 1)
  assert.equal(await store.note('name'), undefined)
  assert.deepEqual(await store.activities('org', {}, { limit: 1 }), [])
  await operator.query('COMMIT')
  assert.deepEqual(await unit, { kind: 'committed' })
})

test('a read whose connection ends has no answer, which is told as an outage', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url, watchMs: 3_600_000 })
  t.after(() => store.close())
  const [operator, onlooker] = [await connected(t, url), await connected(t, url)]
  await operator.query('BEGIN; LOCK TABLE activities, charters, notes IN ACCESS EXCLUSIVE MODE')
  const reads: readonly (() => Promise<unknown>)[] = [
    () => store.activity('org', 'activity'),
    () => store.activities('org', {}, { limit: 1 }),
    () => store.charter('org'),
    () => store.note('name'),
  ]
  for (const read of reads) {
    const ended = assert.rejects(read(), { name: 'StoreError', kind: 'unavailable' })
    await eventually(async () => Number(await value(onlooker, WAITING)) === 1)
    await onlooker.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    )
    await ended
  }
})

test('a list that takes too long is given up', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url, listMs: 50 })
  t.after(() => store.close())
  const operator = await connected(t, url)
  await operator.query('BEGIN; LOCK TABLE objects IN ACCESS EXCLUSIVE MODE')
  await assert.rejects(
    store.objectsOfKind('org', 'privateKey', { limit: 10 }),
    unavailable(/statement timeout/),
  )
})

test('a host that cannot write is not ready, although it can read', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url, listMs: 50 })
  t.after(() => store.close())
  await store.probe()
  const operator = await connected(t, url)
  await operator.query('BEGIN; LOCK TABLE notes IN EXCLUSIVE MODE')
  await assert.rejects(store.probe(), unavailable(/statement timeout/))
  assert.equal(await store.note('name'), undefined)
})

test(
  'a unit that the database refuses is tried once, and the refusal is told as it is',
  options,
  async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    t.after(() => store.close())
    const operator = await connected(t, url)
    const refusing = "PERFORM nextval('tries'); RAISE EXCEPTION 'not today';"
    // A sequence keeps its number when a transaction is rolled back.
    await operator.query(`CREATE SEQUENCE tries; ${trigger('BEFORE INSERT ON objects', refusing)}`)
    const unit = aUnit({ objects: { put: [anObject('there')], remove: [] } })
    await assert.rejects(store.commit(unit), { name: 'error', message: 'not today' })
    assert.equal(await value(operator, 'SELECT last_value FROM tries'), '1')
  },
)

test('what becomes of a job is noted while its row gets a new seal', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  t.after(() => store.close())
  const [operator, onlooker] = [await connected(t, url), await connected(t, url)]
  await store.commit(aUnit({ jobs: [aJob('m', { createdAt: 1 })] }))
  const taken = async (now: number) => (await store.takeJobs({ now, leaseMs: 1, limit: 1 }))[0]
  const whileResealed = async (change: Promise<void>): Promise<void> => {
    await eventually(async () => Number(await value(onlooker, WAITING)) > 0)
    await operator.query('COMMIT')
    await change
  }
  const first = present(await taken(1), 'a job')
  await operator.query("BEGIN; UPDATE errands SET seal = 'one'")
  await whileResealed(store.postponeJob(first, { dueAt: 2, failure: 'busy' }))
  const second = present(await taken(2), 'the same job')
  assert.equal(second.failure, 'busy')

  await operator.query("BEGIN; UPDATE errands SET seal = 'two'")
  await whileResealed(store.deadLetterJob(second.sequence, { failure: 'refused' }))
  const dead = await store.deadLetters({ limit: 10 })
  assert.deepEqual(
    dead.map(({ sequence, failure }) => ({ sequence, failure })),
    [{ sequence: second.sequence, failure: 'refused' }],
  )
})

test('a session keeps the durability of its commits that it began with', options, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  t.after(() => store.close())
  const operator = await connected(t, url)
  const source = "SELECT source FROM pg_settings WHERE name = 'synchronous_commit'"
  const noting = trigger('AFTER INSERT OR UPDATE ON notes', `INSERT INTO seen ${source}; RETURN NULL;`)
  await operator.query(`CREATE TABLE seen (source text); ${noting}`)
  await store.probe()
  // Neither a reload of the server's settings nor one of the role changes what a session has set for itself.
  assert.equal(await value(operator, 'SELECT source FROM seen'), 'session')
})

test(
  'a host does not commit on a server that loses commits, also where it became the primary',
  options,
  async (t) => {
    const primary = await startPostgres()
    t.after(() => primary.stop())
    const careless = await startStandby(primary, ['fsync=off'])
    t.after(careless.stop)
    const hosts = [primary, careless].map(({ address }) => new URL(address).host)
    const store = await openPostgres({ url: `postgres://claviger@${hosts.join(',')}/postgres` })
    t.after(() => store.close())
    await store.commit(aRecord(aRequest(1)))
    const operator = await connected(t, `${careless.address}/postgres`)
    await primary.stop()
    await operator.query('SELECT pg_promote()')
    for (let n = 2; ; n++) {
      const error = await refused(store.commit(aRecord(aRequest(n))))
      assert.ok(error instanceof StoreError, 'it was taken')
      if (error.kind !== 'notDurable') continue
      assert.match(error.message, /fsync=off/)
      assert.ok(isStoreOutage(error))
      break
    }
  },
)

/** What a database does to what is written to it, and a unit that it does it to. */
const ALTERATIONS: readonly {
  readonly name: string
  readonly sql: string
  readonly unit: () => Parameters<Store['commit']>[0]
}[] = [
  {
    name: 'an amendment is undone before it is made',
    sql: trigger('BEFORE UPDATE ON charters', 'RETURN OLD;'),
    unit: () => anAmendment(aCharter('org', 2)),
  },
  {
    name: 'an amendment is passed over',
    sql: trigger('BEFORE UPDATE ON charters', 'RETURN NULL;'),
    unit: () => anAmendment(aCharter('org', 2)),
  },
  {
    name: 'an amendment is undone after it was made',
    sql: trigger(
      'AFTER UPDATE ON charters',
      'IF NEW.version > OLD.version THEN UPDATE charters SET version = OLD.version, body = OLD.body, seal = OLD.seal WHERE organization_id = OLD.organization_id; END IF; RETURN NULL;',
    ),
    unit: () => anAmendment(aCharter('org', 2)),
  },
  {
    name: 'an amendment is undone at the end of the transaction',
    sql: trigger(
      'AFTER UPDATE ON charters DEFERRABLE INITIALLY DEFERRED',
      'IF NEW.version > OLD.version THEN UPDATE charters SET version = OLD.version, body = OLD.body, seal = OLD.seal WHERE organization_id = OLD.organization_id; END IF; RETURN NULL;',
    ),
    unit: () => anAmendment(aCharter('org', 2)),
  },
  {
    name: 'an amendment is undone when the activity is recorded',
    sql: trigger(
      'AFTER INSERT ON activities',
      "UPDATE charters SET version = 1, body = '{\"version\":1}', seal = 'seal of 1' WHERE organization_id = 'org'; RETURN NULL;",
    ),
    unit: () =>
      anAmendment(aCharter('org', 2), { activity: { row: aRequest(5), replaces: null, audience: [] } }),
  },
  {
    name: 'a removal is passed over',
    sql: trigger('BEFORE DELETE ON objects', 'RETURN NULL;'),
    unit: () => aUnit({ objects: { put: [], remove: [anObject('there')] } }),
  },
  {
    name: 'a removal is ruled away',
    sql: 'CREATE RULE away AS ON DELETE TO objects DO INSTEAD NOTHING',
    unit: () => aUnit({ objects: { put: [], remove: [anObject('there')] } }),
  },
  {
    name: 'a guarded row keeps what it had',
    sql: trigger('BEFORE UPDATE ON objects', 'RETURN OLD;'),
    unit: () =>
      aUnit({
        objectGuards: [anObject('there')],
        objects: { put: [anObject('there', { seal: 'next' })], remove: [] },
      }),
  },
  {
    name: 'a vote is undone',
    sql: trigger('BEFORE UPDATE ON activities', 'RETURN OLD;'),
    unit: () =>
      aUnit({ activity: { row: aRequest(1, { revision: 1, seal: 'next' }), replaces: 0, audience: [] } }),
  },
  {
    name: 'a record is altered',
    sql: trigger('BEFORE INSERT ON activities', "NEW.seal := 'other'; RETURN NEW;"),
    unit: () => aRecord(aRequest(7)),
  },
  {
    name: 'its record is altered as its webhook is written',
    sql: trigger(
      'AFTER INSERT ON errands',
      "UPDATE activities SET seal = 'other' WHERE activity_id = NEW.activity_id; RETURN NULL;",
    ),
    unit: () =>
      aUnit({
        activity: { row: aRequest(7), replaces: null, audience: ['org'] },
        directory: { put: [{ scope: 'org', kind: 'WEBHOOK', value: '', target: 'w' }], remove: [] },
      }),
  },
  {
    name: 'a record is passed over',
    sql: trigger('BEFORE INSERT ON activities', 'RETURN NULL;'),
    unit: () => aRecord(aRequest(7)),
  },
]

for (const { name, sql, unit } of ALTERATIONS)
  test(`a unit is not acknowledged when ${name}`, options, async (t) => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    t.after(() => store.close())
    const put = { put: [anObject('there')], remove: [] }
    await store.commit(anAmendment(aCharter('org', 1), { objects: put }))
    await store.commit(aRecord(aRequest(1)))
    await (await connected(t, url)).query(sql)

    const outcome = await store.commit(unit()).catch((error: unknown) => error)
    if (outcome instanceof StoreError) assert.equal(outcome.kind, 'altered')
    else assert.equal(Reflect.get(Object(outcome), 'kind'), 'conflict', String(outcome))

    assert.deepEqual(await store.charter('org'), aCharter('org', 1))
    assert.deepEqual(await store.objects('org', 'privateKey', ['there']), [anObject('there')])
    assert.deepEqual(await store.activity('org', anId(1)), aRequest(1))
  })

function trigger(when: string, body: string): string {
  const [timing] = when.split(' DEFERRABLE')
  const kind = timing === when ? 'TRIGGER' : 'CONSTRAINT TRIGGER'
  return `CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
    CREATE ${kind} meddling ${when} FOR EACH ROW EXECUTE FUNCTION meddle()`
}

function unavailable(message: RegExp) {
  return { name: 'StoreError', kind: 'unavailable', message }
}

async function refused(work: Promise<unknown>): Promise<Error | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function connected(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  t.after(() => client.end())
  return client
}

/** The first column of the first row. */
async function value(client: pg.Client, sql: string): Promise<unknown> {
  const { rows } = await client.query<Record<string, unknown>>(sql)
  return Object.values(rows[0] ?? {})[0]
}
