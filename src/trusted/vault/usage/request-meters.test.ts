import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openServiceOn, START } from '../../../../test/tampering/harness.ts'
import { done, newKey, populate, signing } from '../../../../test/tampering/populated.ts'
import { testWorld } from '../../../../test/support/service.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'

const store = openSqlite({ path: ':memory:' })
after(() => store.close())
let decisions = 0
const service = await openServiceOn(store, testWorld(1, START), (vault) => ({
  ...vault,
  decide: (request) => {
    decisions += 1
    return vault.decide(request)
  },
}))
const { root, ada } = await populate(service, store)

/** How often the vault has decided on so many signatures that are asked for at once. */
async function decisionsOn(signWith: string, payloads: readonly string[]): Promise<number> {
  const all = payloads.map((payload) => signing(service.world, ada, signWith, payload))
  decisions = 0
  const outcomes = await Promise.all(all.map(service.send))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    payloads.map(() => 200),
  )
  return decisions
}

test('each use is decided once, on the meter as the uses before it will leave it', async () => {
  const { privateKeyId } = await newKey(service, root, 'Counted')
  await done(service, root, 'CREATE_POLICY_V3', {
    policyName: 'So many signatures',
    effect: 'EFFECT_ALLOW',
    condition: `private_key.id == '${privateKeyId}' && usage.count('1h', private_key.id) <= 100`,
    notes: '',
  })
  // The vault has to ask for a meter that it does not know.
  assert.ok((await decisionsOn(privateKeyId, ['01'])) > 1)
  assert.equal(await decisionsOn(privateKeyId, ['02']), 1)
  assert.equal(await decisionsOn(privateKeyId, ['03', '04', '05', '06']), 4)
})
