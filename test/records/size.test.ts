import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, START } from '../tampering/harness.ts'
import { done, established, newKey, newUser, signing } from '../tampering/populated.ts'

const SIGNATURES = 500
const AT_ONCE = 50

const folder = mkdtempSync(join(tmpdir(), 'claviger-size-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a signature takes at most 2 kB of the embedded store, table and indexes together', async (t) => {
  const path = join(folder, 'claviger.db')
  const store = openSqlite({ path })
  const sign = await signerOn(store)
  const db = new DatabaseSync(path, { readOnly: true })
  const pages = () => Number(db.prepare('PRAGMA page_count').get()?.['page_count'])
  const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  const before = pages()
  await sign()
  const bytes = ((pages() - before) * pageBytes) / SIGNATURES
  db.close()
  await store.close()
  t.diagnostic(`${bytes} bytes a signature`)
  assert.ok(bytes <= 2_048, `${bytes} bytes a signature`)
})

test('a signature takes at most 2 kB of PostgreSQL and 1.8 kB of its write-ahead log', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (t) => {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const asked = async (sql: string): Promise<number> => Number((await client.query(sql)).rows[0]?.is)
  const sign = await signerOn(store)
  await client.query('CHECKPOINT')
  const size = "SELECT pg_total_relation_size('activities') AS is"
  const wal = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS is"
  const before = { size: await asked(size), wal: await asked(wal) }
  await sign()
  const bytes = ((await asked(size)) - before.size) / SIGNATURES
  const log = ((await asked(wal)) - before.wal) / SIGNATURES
  await client.end()
  await store.close()
  t.diagnostic(`${bytes} bytes a signature, ${log} of the log`)
  assert.ok(bytes <= 2_048, `${bytes} bytes a signature`)
  assert.ok(log <= 1_843, `${log} bytes of the log a signature`)
})

/** A user who may sign by a policy, and what they sign again and again. */
async function signerOn(store: Store): Promise<() => Promise<void>> {
  const service = await openServiceOn(store, testWorld(1, START))
  const root = await established(service, store, 'Size')
  const ada = await newUser(service, root, 'Ada')
  await done(service, root, 'CREATE_POLICY_V3', {
    policyName: 'Ada signs',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: `approvers.any(user, user.id == '${ada.userId}')`,
    notes: '',
  })
  const { addresses } = await newKey(service, root, 'Treasury')
  const address = addresses[0]?.address ?? ''
  return async () => {
    for (let count = 0; count < SIGNATURES; count += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, at) =>
        service.send(signing(service.world, ada, address, (count + at).toString(16).padStart(64, '0'))),
      )
      for (const { status, text } of await Promise.all(batch)) assert.equal(status, 200, text)
    }
  }
}
