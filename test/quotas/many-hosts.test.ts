import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { carryOutQuotas, type QuotaChange } from '../../src/host/quotas/quota-orders.ts'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import type { Store } from '../../src/host/store/store.ts'
import { spend, spending } from '../limits/spending.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, type Service, START } from '../tampering/harness.ts'

// Several hosts, each with a vault and connections of its own, on one database. Nothing but the database is shared
// between them.

const skip = postgresAvailable() ? false : postgresMissing
const HOSTS = 3

const stores: Store[] = []
after(async () => {
  for (const store of stores) await store.close()
})

test('many hosts at once use what a quota has and nothing more, and all obey a change at once', {
  skip,
}, async () => {
  const { hosts, ada, account, organizationId, set } = await someHosts()
  let nonce = 0
  const signedAtOnce = async (each: number): Promise<number> => {
    const all = hosts.flatMap((host) =>
      Array.from({ length: each }, () =>
        spend(host, ada, { signWith: account, values: [1n], nonce: nonce++ }),
      ),
    )
    const statuses = await Promise.all(all)
    assert.ok(
      statuses.every((status) => [200, 429].includes(status)),
      String(statuses),
    )
    return statuses.filter((status) => status === 200).length
  }

  await set({ requests: 50 })
  assert.equal(await signedAtOnce(30), 50)
  assert.equal(await signedAtOnce(1), 0)
  await set({ requests: 61 })
  assert.equal(await signedAtOnce(10), 11)
  await set({ requests: null })
  assert.equal(await signedAtOnce(10), 30)
  // Counting begins anew where nothing was counted for a while.
  await set({ requests: 7 })
  hosts[0]?.world.advance(24 * 60 * 60 * 1000)
  assert.equal(await signedAtOnce(10), 7)
  const uses = await present(stores[0], 'a store').quotas.uses(organizationId, START + 24 * 60 * 60 * 1000)
  assert.deepEqual(uses, [{ quota: 'requests', most: 7, used: 7 }])
})

async function someHosts() {
  const url = await freshDatabase()
  const world = testWorld(1, START)
  const hosts: Service[] = []
  for (let at = 0; at < HOSTS; at++) {
    const store = await openPostgres({ url })
    stores.push(store)
    hosts.push(await openServiceOn(store, world))
  }
  const [first, store] = [present(hosts[0], 'a host'), present(stores[0], 'a store')]
  const people = await spending(first, store)
  const [ada, account] = [await people.user('Ada'), await people.account()]
  await people.policy('EFFECT_ALLOW', "activity.action == 'SIGN'")
  const { organizationId } = ada
  const set = async (change: QuotaChange): Promise<void> => {
    const answer = await carryOutQuotas(store, { do: 'set', subject: organizationId, change }, world.now())
    assert.equal(answer.kind, 'shown')
  }
  return { hosts, ada, account, organizationId, set }
}
