import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, START } from '../tampering/harness.ts'
import { spend, spending } from './spending.ts'

test('what one user spends uses up nothing of the limit of another, on the same account and on others', async () => {
  const store = openSqlite({ path: ':memory:' })
  try {
    const host = await openServiceOn(store, testWorld(1, START))
    const { root, user, account, policy } = await spending(host, store)
    const [cara, bob] = [await user('Cara'), await user('Bob')]
    const [till, treasury] = [await account(), await account()]
    const own = `usage.user == '${cara.userId}'`
    const used = "usage.sum(eth.tx.value, '24h', usage.user)"
    await policy('EFFECT_ALLOW', `${own} && wallet_account.address == '${till}' && ${used} <= 300`)
    await policy('EFFECT_ALLOW', `usage.user == '${bob.userId}'`)
    let nonce = 0
    const spends = (who: typeof cara, signWith: string, value: bigint) =>
      spend(host, who, { signWith, values: [value], nonce: nonce++ })
    assert.equal(await spends(bob, treasury, 6_000n), 200)
    assert.equal(await spends(bob, till, 6_000n), 200)
    assert.equal(await spends(root, till, 6_000n), 200)
    assert.equal(await spends(cara, till, 300n), 200)
    assert.equal(await spends(cara, till, 1n), 403)
    assert.equal(await spends(bob, till, 1n), 200)
  } finally {
    await store.close()
  }
})
