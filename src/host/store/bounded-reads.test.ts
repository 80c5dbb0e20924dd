import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../test/support/postgres.ts'
import { type BoundedRead, boundedReads } from './testing/bounded-reads.ts'
import { anId, aRecord, aRequest } from './testing/fixtures.ts'
import { historySql, RARE_TYPE } from './testing/history.ts'
import { JOBS_COUNTED_MAX } from './job-counts.ts'
import { openPostgres } from './postgres/postgres.ts'
import { sessionSql } from './postgres/connection.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import type { Store } from './store.ts'

/** `CLAVIGER_TEST_HISTORY=1000000` has them count over a million of everything, with the same bounds. */
const ROWS = Number(process.env['CLAVIGER_TEST_HISTORY'] ?? 50_000)

const options = { skip: postgresAvailable() ? false : postgresMissing }

test('every statement of the embedded store searches by an index with all of its conditions', async (t) => {
  const texts = new Set<string>()
  const prepare = DatabaseSync.prototype.prepare
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    texts.add(sql)
    return prepare.call(this, sql)
  })
  await openSqlite({ path: ':memory:' }).close()
  const { path } = await aHistory(t)
  const db = new DatabaseSync(path)
  t.after(() => db.close())

  const statements = [...texts].filter(
    (text) => /\b(FROM|UPDATE)\b/.test(text) && !/sqlite_|FROM migrations/.test(text),
  )
  assert.ok(statements.length > 25)
  for (const text of statements) {
    const steps = prepare
      .call(db, `EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => String(detail))
    for (const step of steps)
      assert.doesNotMatch(step, /^SCAN (?!first$|\(subquery)|TEMP B-TREE/, `${text}\n${step}`)
  }
  const listing = statements.filter((text) => /SELECT activity_id AS id/.test(text))
  for (const text of listing) {
    const [step] = prepare.call(db, `EXPLAIN QUERY PLAN ${text}`).all()
    const conditions = text.match(/\?/g)?.length
    const searched = String(step?.['detail']).match(/\?/g)?.length
    assert.equal(searched, Number(conditions) - 1, `${text}: all but the limit`)
  }
})

test('a read of the embedded store touches no more rows than its answer needs, however long the history', async (t) => {
  const { path } = await aHistory(t)
  const store = openSqlite({ path })
  t.after(() => store.close())
  const counted = countingRows(t)
  for (const { name, read, rowsMax } of boundedReads(ROWS)) {
    counted.rows = 0
    await read(store)
    assert.ok(counted.rows <= rowsMax, `${name}: ${counted.rows} rows`)
  }
  await findsTheRare(store)
})

test('sixteen long listings at once read no more in a turn of the event loop than one', async (t) => {
  const { path } = await aHistory(t)
  const store = openSqlite({ path })
  t.after(() => store.close())
  const counted = countingRows(t)
  const { most, lengths } = await mostInATurn(counted, () => [
    store.activities('org', { types: [RARE_TYPE, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'] }, { limit: 100 }),
    store.objectsOfKind('org', 'privateKey', { limit: 1_000 }),
    store.find({ scope: 'org', kind: 'SUB_ORGANIZATION', value: '' }, { limit: 1_000 }),
  ])
  assert.deepEqual(lengths, new Set([100, 1_000]))
  assert.ok(most <= 1_200, `${most} rows in one turn`)

  const revisions = await mostInATurn(counted, () => [store.newestRevisions('org', 1_000)])
  assert.deepEqual(revisions, { most: 1_000, lengths: new Set([1_000]) })
})

test('a read takes as much of its turn as it looks up, whatever the length of its answer', async (t) => {
  const { path } = await aHistory(t)
  const store = openSqlite({ path })
  t.after(() => store.close())
  const counted = countingRows(t)
  const types = Array.from({ length: 100 }, (_, n) => `ACTIVITY_TYPE_${n}`)
  const absent = types.map((type) => `${type}_ABSENT`)
  await Promise.all(types.map((type, n) => store.commit(aRecord(aRequest(ROWS + 1 + n, { type })))))
  const customers = { scope: 'org', kind: 'FOLDED_NAME', prefix: 'customer' }
  const page = { limit: 1_000 }
  for (const [name, rows, list] of [
    ['without a filter', 1_000, () => store.activities('org', {}, page)],
    ['by a prefix', 1_000, () => store.findPrefix(customers, page)],
    ['of many types', 302, () => store.activities('org', { types }, { limit: 1 })],
    ['of types that are not there', 100, () => store.activities('org', { types: absent }, { limit: 1 })],
  ] as const) {
    const { most } = await mostInATurn(counted, () => [list()])
    // A turn ends with the read that fills it.
    assert.ok(most <= 200 + rows, `${name}: ${most} rows in one turn`)
  }

  const { most: jobs } = await mostInATurn(counted, () => [store.jobCounts()])
  assert.ok(jobs <= 3 * JOBS_COUNTED_MAX, `${jobs} jobs counted in one turn`)
})

/** Sixteen times these listings at once: the most rows that are read in one turn of the event loop. */
async function mostInATurn(
  counted: { rows: number },
  listings: () => readonly Promise<readonly unknown[]>[],
): Promise<{ readonly most: number; readonly lengths: ReadonlySet<number> }> {
  // What an earlier read has used of this turn does not count.
  await new Promise(setImmediate)
  counted.rows = 0
  let most = 0
  const endTurn = (): void => {
    most = Math.max(most, counted.rows)
    counted.rows = 0
  }
  let next = setImmediate(function watch() {
    endTurn()
    next = setImmediate(watch)
  })
  const answers = await Promise.all(Array.from({ length: 16 }, listings).flat())
  clearImmediate(next)
  endTurn()
  return { most, lengths: new Set(answers.map(({ length }) => length)) }
}

test(
  'a read of PostgreSQL touches no more rows than its answer needs, however long the history',
  options,
  async (t) => {
    const url = await freshDatabase()
    // The store looks at its columns now and then; that would count as rows of whichever read it falls into.
    const store = await openPostgres({ url, watchMs: 3_600_000 })
    t.after(() => store.close())
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    t.after(() => client.end())
    await client.query(sessionSql(30_000))

    const asked = recordedReads(t)
    const reads = boundedReads(ROWS)
    const queriesOf = async ({ name, read }: BoundedRead): Promise<readonly Recorded[]> => {
      asked.length = 0
      await read(store)
      assert.ok(asked.length > 0, name)
      return [...asked]
    }
    // A statement is planned once, by a planner that knows only an empty table, and the plan is kept while the table
    // grows.
    const planned = new Set<string>()
    for (const read of reads)
      for (const { name, text, values } of await queriesOf(read)) {
        if (planned.has(name)) continue
        planned.add(name)
        await client.query(`PREPARE "counted ${name}" AS ${text}`)
        await client.query(`EXECUTE "counted ${name}" ${literals(client, values)}`)
      }
    await client.query(historySql('postgres', ROWS))
    for (const before of ['', 'ANALYZE']) {
      await client.query(before)
      for (const read of reads) {
        let rows = 0
        for (const query of await queriesOf(read)) rows += await rowsTouched(client, query)
        assert.ok(rows <= read.rowsMax, `${read.name} ${before}: ${rows} rows`)
      }
    }
    await findsTheRare(store)
  },
)

async function findsTheRare(store: Store): Promise<void> {
  const found = await store.activities('org', { types: [RARE_TYPE] }, { limit: 100 })
  assert.deepEqual(
    found.map(({ activityId }) => activityId),
    [anId(3), anId(2), anId(1)],
  )
}

async function aHistory(t: TestContext): Promise<{ readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-history-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'data.db')
  await openSqlite({ path }).close()
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA synchronous = OFF; BEGIN; ${historySql('sqlite', ROWS)} COMMIT`)
  db.close()
  return { path }
}

/** A look-up that finds nothing counts as a row too. */
function countingRows(t: TestContext): { rows: number } {
  const counted = { rows: 0 }
  const { all, get } = StatementSync.prototype
  t.mock.method(StatementSync.prototype, 'all', function (this: StatementSync, ...values: SQLInputValue[]) {
    const rows: readonly unknown[] = Reflect.apply(all, this, values)
    counted.rows += Math.max(1, rows.length)
    return rows
  })
  t.mock.method(StatementSync.prototype, 'get', function (this: StatementSync, ...values: SQLInputValue[]) {
    const row: { readonly [column: string]: unknown } | undefined = Reflect.apply(get, this, values)
    // A statement that counts touches what it has counted.
    counted.rows += Math.max(1, Number(row?.['count'] ?? 1))
    return row
  })
  return counted
}

type Recorded = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

function recordedReads(t: TestContext): Recorded[] {
  const recorded: Recorded[] = []
  const { query } = pg.Client.prototype
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]) {
    const [config] = given
    if (typeof config === 'object' && config !== null && 'name' in config && 'values' in config)
      recorded.push(config as Recorded) // every statement of the store that asks for something has a name and values
    return Reflect.apply(query, this, given)
  })
  return recorded
}

/** Counted by the server, under the plan that it made when there was nothing, until ANALYZE has it make another. */
async function rowsTouched(client: pg.Client, { name, values }: Recorded): Promise<number> {
  const run = `EXECUTE "counted ${name}" ${literals(client, values)}`
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${run}`)
  const plan: unknown = rows[0]?.['QUERY PLAN']?.[0]?.Plan
  return scanned(plan, name)
}

function literals(client: pg.Client, values: readonly unknown[]): string {
  if (values.length === 0) return ''
  const texts = values.map((value) =>
    Array.isArray(value)
      ? `ARRAY[${value.map((item) => client.escapeLiteral(String(item))).join(', ')}]::text[]`
      : client.escapeLiteral(String(value)),
  )
  return `(${texts.join(', ')})`
}

/**
 * Of every node that reads a table: what it answered and what it passed over, as often as it was run, and at least a
 * row each time.
 */
function scanned(node: unknown, about: string): number {
  if (typeof node !== 'object' || node === null) throw new Error(`no plan for ${about}`)
  const number = (name: string): number => Number(Reflect.get(node, name) ?? 0)
  const inner: unknown = Reflect.get(node, 'Plans') ?? []
  const below = Array.isArray(inner) ? inner.reduce((sum: number, item) => sum + scanned(item, about), 0) : 0
  const type = String(Reflect.get(node, 'Node Type'))
  assert.notEqual(type, 'Seq Scan', about)
  if (!/^(Index|Index Only|Bitmap Heap) Scan/.test(type)) return below
  const passed = number('Rows Removed by Filter') + number('Rows Removed by Index Recheck')
  return below + Math.max(1, number('Actual Rows') + passed) * number('Actual Loops')
}
