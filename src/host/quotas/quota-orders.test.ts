import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_ORGANIZATION } from '../store/quotas/settings.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { aRecord, aRequest } from '../store/testing/fixtures.ts'
import { carryOutQuotas } from './quota-orders.ts'

const NOW = Date.UTC(2026, 10, 23)

test('an organization that does not exist is told, whatever is asked about its quotas', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(store.close)
  const organizationId = 'mistyped'
  for (const order of [
    { do: 'show', organizationId },
    { do: 'set', subject: organizationId, change: { objects: 5 } },
    { do: 'remove', subject: organizationId },
    { do: 'recount', organizationId },
  ] as const)
    assert.deepEqual(
      await carryOutQuotas(store, order, NOW),
      { kind: 'refused', because: 'there is no organization mistyped' },
      order.do,
    )
})

test('a recount of all counts each organization anew once, in answers of which none is about more than a hundred', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(store.close)
  await carryOutQuotas(store, { do: 'set', subject: EVERY_ORGANIZATION, change: { requests: 5 } }, NOW)
  const made: string[] = []
  for (const many of [0, 1, 99, 100]) {
    for (let n = 0; n < many; n++) {
      const organizationId = `org ${many} ${n}`
      made.push(organizationId)
      const charge = {
        organizationIds: [organizationId],
        requests: 1,
        cost: 1,
        isBound: true,
        now: NOW,
      } as const
      const done = await store.commit({ ...aRecord(aRequest(n, { organizationId })), charge })
      assert.equal(done.kind, 'committed')
    }
    const recounted: string[] = []
    const recount: typeof store.quotas.recount = async (organizationId, now) => {
      recounted.push(organizationId)
      return await store.quotas.recount(organizationId, now)
    }
    const counting = { ...store, quotas: { ...store.quotas, recount } }
    let organizations = 0
    for (let after = ''; ; ) {
      const answer = await carryOutQuotas(counting, { do: 'recount', after }, NOW)
      assert.ok(answer.kind === 'recounted' && answer.organizations <= 100)
      organizations += answer.organizations
      if (answer.next === null) break
      after = answer.next
    }
    assert.deepEqual(recounted, made.toSorted(), `${many} more`)
    assert.equal(organizations, recounted.length)
  }
})
