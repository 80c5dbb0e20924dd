import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../../test/support/eventually.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { KnownQuotas } from '../quotas/postgres-quotas.ts'
import {
  changedSettings,
  NO_QUOTAS,
  QUOTA_SETTINGS_NOTE,
  QUOTA_VERSION_NOTE,
  settingsText,
} from '../quotas/settings.ts'
import { aRecord, aRequest } from '../testing/fixtures.ts'
import type { Pool, Statement } from './pool.ts'
import { openPostgres } from './postgres.ts'

const skip = postgresAvailable() ? false : postgresMissing

// With ten thousand organizations it is a megabyte, and reading it holds the host's thread for a twentieth of a second.
test('a host reads the quotas once for each change, however many units and queries meet it', {
  skip,
}, async (t) => {
  const url = await freshDatabase()
  const [host, other] = await Promise.all([openPostgres({ url }), openPostgres({ url })])
  t.after(() => Promise.all([host.close(), other.close()]))
  const charge = { organizationIds: ['org'], requests: 1, cost: 1, isBound: true, now: 0 } as const
  const committed = async (from: number): Promise<void> => {
    const units = Array.from({ length: 40 }, (_, n) => ({ ...aRecord(aRequest(from + n)), charge }))
    for (const done of await Promise.all(units.map(host.commit)))
      assert.deepEqual(done, { kind: 'committed' })
  }
  await committed(0)
  const reads = readsOfQuotas(t)
  for (const requests of [1_000, 2_000]) {
    const settings = changedSettings(await other.quotas.settings(), 'org', { requests })
    assert.equal(await other.quotas.replace(settings), true)
    reads.count = 0
    await committed(requests)
    const [use] = await host.quotas.uses('org', 0)
    assert.equal(use?.most, requests)
    await host.quotas.uses('org', 0)
    assert.deepEqual(await host.quotas.settings(), settings)
    assert.equal(reads.count, 1)
  }
})

test('a record that waits for its batch while a quota is set counts for it', { skip }, async (t) => {
  const url = await freshDatabase()
  const [host, other] = await Promise.all([openPostgres({ url }), openPostgres({ url })])
  t.after(() => Promise.all([host.close(), other.close()]))
  const [holder, onlooker] = [
    new pg.Client({ connectionString: url }),
    new pg.Client({ connectionString: url }),
  ]
  await Promise.all([holder.connect(), onlooker.connect()])
  t.after(() => Promise.all([holder.end(), onlooker.end()]))
  const charge = { organizationIds: ['org'], requests: 1, cost: 1, isBound: true, now: 0 } as const
  await host.commit(aRecord(aRequest(1)))

  await holder.query('BEGIN; LOCK TABLE activities IN EXCLUSIVE MODE')
  const written = host.commit({ ...aRecord(aRequest(2)), charge })
  const waiting = 'SELECT FROM pg_locks WHERE NOT granted'
  await eventually(async () => (await onlooker.query(waiting)).rowCount === 1)
  const next = host.commit({ ...aRecord(aRequest(3)), charge })
  const settings = changedSettings(await other.quotas.settings(), 'org', { requests: 10 })
  await other.quotas.replace(settings)
  assert.deepEqual(await host.quotas.settings(), settings)
  await holder.query('COMMIT')
  await Promise.all([written, next])
  assert.deepEqual(await host.quotas.uses('org', 0), [{ quota: 'requests', most: 10, used: 2 }])
})

test('quotas that were read from the server before a failover are read again, whatever their version', async () => {
  const [lost, stands] = [10, 20].map((requests) => changedSettings(NO_QUOTAS, 'org', { requests }))
  const servers = { before: lost, after: stands }
  let server: keyof typeof servers = 'before'
  // As the database answers it: the quotas beside their version, if that is another one.
  const read = async ({ values = [] }: Statement): Promise<unknown> => {
    const settings = servers[server]
    assert.ok(settings !== undefined)
    const version = { name: QUOTA_VERSION_NOTE, value: String(settings.version) }
    const quotas = { name: QUOTA_SETTINGS_NOTE, value: settingsText(settings) }
    return { rows: values[0] === version.value ? [version] : [version, quotas] }
  }
  const known = new KnownQuotas({ read: read as Pool['read'] }, () => server)
  assert.deepEqual(await known.reload(), lost)
  assert.equal(known.current, await known.reload())
  server = 'after'
  // A commit that is counted by none finds others, and renews them.
  assert.equal(known.current, NO_QUOTAS)
  await known.renew(known.current)
  assert.deepEqual(known.current, stands)
})

/** Counts the answers of the database with all quotas. */
function readsOfQuotas(t: TestContext): { count: number } {
  const reads = { count: 0 }
  const { query } = pg.Client.prototype
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]) {
    const answer: unknown = Reflect.apply(query, this, given)
    if (answer instanceof Promise)
      void answer.then(
        ({ rows = [] }: { readonly rows?: readonly { readonly name?: unknown }[] }) => {
          if (rows.some(({ name }) => name === QUOTA_SETTINGS_NOTE)) reads.count += 1
        },
        () => undefined,
      )
    return answer
  })
  return reads
}
