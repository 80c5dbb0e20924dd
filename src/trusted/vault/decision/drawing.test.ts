import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceOn, START } from '../../../../test/tampering/harness.ts'
import { established, newKey, signing } from '../../../../test/tampering/populated.ts'
import { testWorld } from '../../../../test/support/service.ts'
import type { OrdinalsState } from '../../../host/emulator/ordinals.ts'
import { seededWorld } from '../../../host/emulator/seeded-world.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { Vault } from '../../../protocol/vault.ts'

/** How many things of each kind were made once a request was sent so many times while its commit was under way. */
async function madeBySending(times: number): Promise<OrdinalsState> {
  const store = openSqlite({ path: ':memory:' })
  try {
    const clock = testWorld(1, START)
    const world = { ...clock, ...seededWorld({ seed: '7', now: clock.now }) }
    const kinds: string[] = []
    const watched = (vault: Vault): Vault => ({
      ...vault,
      decide: async (request) => {
        const decision = await vault.decide(request)
        kinds.push(decision.kind)
        return decision
      },
    })
    const service = await openServiceOn(store, world, watched)
    const root = await established(service, store, 'First')
    const { privateKeyId } = await newKey(service, root, 'Treasury')
    const sent = signing(world, root, privateKeyId, '01')
    kinds.length = 0
    let written = (): void => {}
    const hanging = new Promise<void>((resolve) => {
      written = resolve
    })
    service.useStore({
      ...store,
      commit: async (unit) => {
        await hanging
        return await store.commit(unit)
      },
    })
    const answers = Array.from({ length: times }, () => service.send(sent))
    while (kinds.length < times) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(kinds.toSorted(), ['commit', ...Array.from({ length: times - 1 }, () => 'underWay')])
    written()
    for (const { status, bug } of await Promise.all(answers)) assert.equal(status, 200, String(bug))
    return world.ordinals()
  } finally {
    await store.close()
  }
}

test('a decision that waits for the unit of another leaves its numbers free, and those of the other alone', async () => {
  const once = await madeBySending(1)
  const records = once.filter(([label]) => label.startsWith('sign_raw_payload record'))
  assert.deepEqual(
    records.map(([, made]) => made),
    [1],
  )
  assert.deepEqual(await madeBySending(2), once)
})
