import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, START } from '../tampering/harness.ts'
import { spend, spending } from './spending.ts'

const REQUESTS = 256

test('256 requests at once on one host use a limit up exactly, whether they share a meter or not', async () => {
  const store = openSqlite({ path: ':memory:' })
  try {
    const host = await openServiceOn(store, testWorld(1, START))
    const { user, account, policy } = await spending(host, store)
    const [eve, one, another] = [await user('Eve'), await account(), await account()]
    await policy('EFFECT_ALLOW', "usage.sum(eth.tx.value, '24h', wallet_account.address) <= 200")
    await policy('EFFECT_DENY', "usage.count('24h', usage.user) > 150")
    const spent = async (of: (at: number) => string) => {
      const all = Array.from({ length: REQUESTS }, (_, at) =>
        spend(host, eve, { signWith: of(at), values: [2n], nonce: at }),
      )
      return (await Promise.all(all)).filter((status) => status === 200).length
    }
    assert.equal(await spent(() => one), 100)
    assert.equal(await spent((at) => (at % 2 === 0 ? one : another)), 50)
    assert.equal(await spent(() => another), 0)
  } finally {
    await store.close()
  }
})
