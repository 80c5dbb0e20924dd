import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { seeded } from '../support/seeded.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, type Service, START } from './harness.ts'
import { type Answered, violations } from './judge.ts'
import { populate } from './populated.ts'
import { probesOf } from './probes.ts'

const NOW = START + 60_000
const ROWS_PER_COLUMN = 2
const skip = postgresAvailable() ? false : postgresMissing

test('a change to a column on PostgreSQL is noticed or harmless, to a new service and to one that runs', {
  skip,
}, async () => {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const populated = await populate(await openServiceOn(store, testWorld(1, START)), store)
    const probes = probesOf(populated, NOW).filter(({ sent }) => sent.route.startsWith('query/'))
    const asked = async (service: Service): Promise<readonly Answered[]> => {
      const answers: Answered[] = []
      for (const probe of probes) answers.push({ probe, outcome: await service.send(probe.sent) })
      return answers
    }
    const running = await openServiceOn(store, testWorld(1, NOW))
    const untouched = await asked(running)
    const known = new Set(untouched.flatMap(({ outcome }) => outcome.text.match(/[0-9a-f-]{36}/g) ?? []))
    const found: string[] = []
    for (const change of await changesOf(client)) {
      assert.equal((await client.query(change.sql, change.values)).rowCount, 1, change.what)
      for (const service of [running, await openServiceOn(store, testWorld(1, NOW))])
        for (const violation of violations(await asked(service), untouched, known))
          found.push(`${change.what}\n  ${violation}`)
      assert.equal((await client.query(change.undo, change.undoValues)).rowCount, 1, change.what)
    }
    assert.equal(found.length, 0, found.slice(0, 20).join('\n'))
    assert.equal(violations(await asked(running), untouched, known).length, 0)
  } finally {
    await client.end()
    await store.close()
  }
})

type Change = {
  readonly what: string
  readonly sql: string
  readonly values: unknown[]
  readonly undo: string
  readonly undoValues: unknown[]
}

/** Every column of every table that the service reads while it runs, in a few rows each. */
async function changesOf(client: pg.Client): Promise<Change[]> {
  const random = seeded('postgres')
  const changes: Change[] = []
  for (const [table, keys] of Object.entries(KEYS)) {
    const { rows } = await client.query<Record<string, string | null>>(
      `SELECT * FROM ${table} ORDER BY ${keys.join(', ')}`,
    )
    for (const column of Object.keys(rows[0] ?? {})) {
      for (let taken = 0; taken < ROWS_PER_COLUMN; taken++) {
        const row = random.pick(rows)
        const before = row[column] ?? null
        // A bigint comes as a text of digits.
        const isNumber = before === null ? column === 'expires_at' : /^\d+$/.test(before)
        const after = isNumber ? String(BigInt(before ?? 0) + 1n) : `${before ?? ''} `
        const where = keys.map((key, at) => `${key} = $${at + 2}`).join(' AND ')
        const sql = `UPDATE ${table} SET ${column} = $1 WHERE ${where}`
        changes.push({
          what: `${table}.${column} of ${keys.map((key) => row[key]).join(' ')}`,
          sql,
          values: [after, ...keys.map((key) => row[key])],
          undo: sql,
          undoValues: [before, ...keys.map((key) => (key === column ? after : row[key]))],
        })
      }
    }
  }
  return changes
}

const KEYS = {
  charters: ['organization_id'],
  activities: ['organization_id', 'activity_id'],
  record_texts: ['organization_id', 'digest'],
  objects: ['organization_id', 'kind', 'object_id'],
  claims: ['scope', 'kind', 'value'],
  directory: ['scope', 'kind', 'value', 'target'],
} as const
