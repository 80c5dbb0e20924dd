import assert from 'node:assert/strict'
import { carryOutQuotas } from '../../src/host/quotas/quota-orders.ts'

import { QUOTAS, type QuotaUse } from '../../src/host/store/quotas/quota.ts'
import type { Store } from '../../src/host/store/store.ts'
import { type DataOf, openData } from './audit.ts'
import type { Entry } from './ledger.ts'

/** More than any life uses: each request is counted, and none is refused. */
const PLENTY = 1_000_000_000_000

type Counted = Readonly<Record<QuotaUse['quota'], number>>

/** As an operator does before there is any load; what stands is counted from here on. */
export async function setQuotas(of: DataOf): Promise<Counted> {
  return await withStore(of, async (store) => {
    const change = Object.fromEntries(QUOTAS.map((name) => [name, PLENTY]))
    const order = { do: 'set', subject: of.organizationId, change } as const
    assert.equal((await carryOutQuotas(store, order, Date.now())).kind, 'shown')
    return countedIn(await store.quotas.uses(of.organizationId, Date.now()))
  })
}

/**
 * What is counted is what the ledger has, to the last request: one for each that was carried out, and one for each
 * vote. Neither codes nor tries of codes count, since they are logins. What stands is what a recount finds.
 *
 * @param before  what `setQuotas` has counted, and when
 */
export async function checkQuotas(
  of: DataOf,
  {
    ledger,
    before,
    setAt,
  }: { readonly ledger: readonly Entry[]; readonly before: Counted; readonly setAt: number },
): Promise<void> {
  await withStore(of, async (store) => {
    const now = Date.now()
    const { requests, cost, messages, objects, storedBytes } = countedIn(
      await store.quotas.uses(of.organizationId, now),
    )
    const counting = ledger.filter(({ kind }) => kind !== 'code' && kind !== 'try').length
    // The hosts count by the day, in UTC: of a life through midnight it is not known which requests were before.
    if (dayOf(setAt) === dayOf(now)) {
      assert.equal(requests, counting, 'requests that were counted')
      const codes = ledger.filter(({ kind }) => kind === 'code').length
      assert.equal(messages, codes, 'messages that were counted')
    }
    assert.ok(requests <= counting && cost > requests, `${requests} requests, and a cost of ${cost}`)
    const keys = ledger.filter(({ kind }) => kind === 'key').length
    assert.equal(objects, before.objects + keys, 'objects that were counted')
    assert.ok(storedBytes > before.storedBytes)
    assert.deepEqual(await store.quotas.recount(of.organizationId, now), [])
  })
}

async function withStore<Result>(of: DataOf, use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openData(of)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

function countedIn(uses: readonly QuotaUse[]): Counted {
  const used = new Map(uses.map((use) => [use.quota, use.used]))
  const of = (quota: QuotaUse['quota']): number => used.get(quota) ?? Number.NaN
  return {
    requests: of('requests'),
    cost: of('cost'),
    messages: of('messages'),
    subOrganizationMessages: of('subOrganizationMessages'),
    objects: of('objects'),
    subOrganizations: of('subOrganizations'),
    storedBytes: of('storedBytes'),
  }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length)
}
