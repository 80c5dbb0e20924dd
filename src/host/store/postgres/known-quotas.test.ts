import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { changedSettings, QUOTA_SETTINGS_NOTE } from '../quotas/settings.ts'
import { aRecord, aRequest } from '../testing/fixtures.ts'
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
