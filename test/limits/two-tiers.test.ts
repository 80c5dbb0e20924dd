import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { documentedPolicies } from '../support/documented-policies.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, START } from '../tampering/harness.ts'
import { spend, spending } from './spending.ts'

const documented = documentedPolicies().find(({ condition }) =>
  condition.includes('[eth.tx.value, 0]'),
)?.condition
const naive = "eth.tx.value <= 5 && usage.sum(eth.tx.value, '24h', eth.tx.from) <= 20"

for (const { written, condition, left } of [
  { written: 'as documented', condition: documented ?? '', left: [200, 403] },
  { written: 'without picking the small ones out', condition: naive, left: [403, 403] },
])
  test(`after a large payment that others approved, a limit on small ones ${written} allows ${left.join(', ')}`, async () => {
    const store = openSqlite({ path: ':memory:' })
    try {
      const host = await openServiceOn(store, testWorld(1, START))
      const { root, user, account, policy } = await spending(host, store)
      const [eve, signWith] = [await user('Eve'), await account()]
      await policy('EFFECT_ALLOW', condition)
      let nonce = 0
      const pays = async (by: typeof eve, value: bigint) =>
        await spend(host, by, { signWith, values: [value], nonce: nonce++ })
      assert.deepEqual([await pays(eve, 5n), await pays(eve, 5n), await pays(eve, 5n)], [200, 200, 200])
      assert.equal(await pays(eve, 6n), 403)
      assert.equal(await pays(root, 100n), 200)
      assert.deepEqual([await pays(eve, 5n), await pays(eve, 1n)], left)
    } finally {
      await store.close()
    }
  })
