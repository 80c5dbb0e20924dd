import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { StoreError } from '../../src/host/store/store-error.ts'
import type { CommitResult, Store } from '../../src/host/store/store.ts'
import { USAGE_METER } from '../../src/trusted/objects/usage-meter.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, START } from '../tampering/harness.ts'
import { type Person, submission } from '../tampering/populated.ts'
import { spending, transfer } from './spending.ts'

/** A unit that counts on a meter, on its way to the disk: it is written when it is let, or never. */
type Held = { readonly write: () => void; readonly lose: () => void }

/** One account under these policies, through a host whose metered commits take as long as the test lets them. */
async function setting(t: TestContext, policies: readonly { condition: string; consensus?: string }[]) {
  const inner = openSqlite({ path: ':memory:' })
  t.after(() => inner.close())
  const held: Held[] = []
  const store: Store = {
    ...inner,
    commit: async (unit) => {
      if (!unit.objects.put.some(({ kind }) => kind === USAGE_METER)) return await inner.commit(unit)
      const { promise, resolve, reject } = Promise.withResolvers<CommitResult>()
      held.push({
        write: () => resolve(inner.commit(unit)),
        lose: () => reject(new StoreError('unavailable', 'the disk is gone')),
      })
      return await promise
    },
  }
  const host = await openServiceOn(store, testWorld(1, START))
  const { root, user, account, policy } = await spending(host, store)
  const [eve, signWith] = [await user('Eve'), await account()]
  for (const { condition, consensus } of policies) await policy('EFFECT_ALLOW', condition, consensus)
  let nonce = 0
  const spend = async (value: bigint, by: Person = eve) => {
    const unsignedTransaction = transfer(value, nonce++)
    const intent = { signWith, type: 'TRANSACTION_TYPE_ETHEREUM', unsignedTransaction }
    const { status, text } = await host.send(submission(host.world, by, 'SIGN_TRANSACTION_V2', intent))
    return `${status} ${/ACTIVITY_STATUS_\w+/.exec(text)?.[0] ?? ''}`.trim()
  }
  const records = async () =>
    (await inner.activities(root.organizationId, {}, { limit: 100 }))
      .filter(({ type }) => type === 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2')
      .map(({ status }) => status)
  return { held, spend, records }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; !isSo(); turn++) {
    assert.ok(turn < 100_000, 'it comes to that')
    await turns(1)
  }
}

const SUM = "usage.sum(eth.tx.value, '24h', wallet_account.address)"
const COMPLETED = '200 ACTIVITY_STATUS_COMPLETED'

test('of requests with one meter, each is decided while those before it are on their way to the disk', async (t) => {
  const { held, spend, records } = await setting(t, [{ condition: `${SUM} <= 6` }])
  const answers = Promise.all([spend(2n), spend(2n), spend(2n)])
  await until(() => held.length === 3)
  assert.deepEqual(await records(), [])
  for (const unit of held) unit.write()
  assert.deepEqual(await answers, [COMPLETED, COMPLETED, COMPLETED])
  assert.equal(await spend(2n), '403')
})

test('when the unit before is lost, those that count on it are decided anew, and the limit is whole', async (t) => {
  const { held, spend } = await setting(t, [{ condition: `${SUM} <= 4` }])
  const answers = Promise.all([spend(2n), spend(2n)])
  await until(() => held.length === 2)
  held[0]?.lose()
  held[1]?.write()
  await until(() => held.length === 3)
  held[2]?.write()
  assert.deepEqual(await answers, ['500', COMPLETED])
  const last = spend(2n)
  await until(() => held.length === 4)
  held[3]?.write()
  assert.equal(await last, COMPLETED)
  assert.equal(await spend(2n), '403')
})

test('of two meters that exclude each other, the first two uses are not both carried out', async (t) => {
  const small = "usage.sum([eth.tx.value, 0].filter(v, v <= 1)[0], '1d')"
  const large = "usage.sum([eth.tx.value, 0].filter(v, v == 0 || v > 1)[0], '1d')"
  const { held, spend } = await setting(t, [{ condition: `${small} == 0 || ${large} == 0` }])
  const answers = Promise.all([spend(1n), spend(5n)])
  await until(() => held.length === 2)
  held[0]?.write()
  held[1]?.write()
  assert.deepEqual((await answers).toSorted(), [COMPLETED, '403'])
})

for (const [what, policies, value] of [
  ['refused', [{ condition: `${SUM} <= 2` }], 2n],
  [
    'made to wait for more votes',
    [{ condition: `${SUM} <= 2` }, { condition: 'true', consensus: 'approvers.count() >= 2' }],
    2n,
  ],
] as const)
  test(`nothing is ${what} for a use that never comes to be`, async (t) => {
    const { held, spend, records } = await setting(t, policies)
    const first = spend(2n)
    await until(() => held.length === 1)
    const second = spend(value)
    await turns(1_000)
    assert.deepEqual(await records(), [])
    held[0]?.lose()
    await until(() => held.length === 2)
    held[1]?.write()
    assert.deepEqual(await Promise.all([first, second]), ['500', COMPLETED])
  })

test('nothing is allowed for a use that may never come to be', async (t) => {
  // The second uses nothing. Its unit is guarded by the row that the first will leave, and here it comes to the store
  // before.
  const { held, spend } = await setting(t, [{ condition: `${SUM} >= 2 || eth.tx.value == 2` }])
  const first = spend(2n)
  await until(() => held.length === 1)
  assert.equal(await spend(0n), '403')
  held[0]?.write()
  assert.equal(await first, COMPLETED)
  assert.equal(await spend(0n), COMPLETED)
})

test('a request that has to wait for votes is recorded while others keep counting on its meter', async (t) => {
  const { held, spend, records } = await setting(t, [
    { condition: `${SUM} <= 6 && eth.tx.value <= 2` },
    { condition: 'true', consensus: 'approvers.count() >= 2' },
  ])
  const before = spend(2n)
  await until(() => held.length === 1)
  assert.equal(await spend(3n), '200 ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.deepEqual(await records(), ['ACTIVITY_STATUS_CONSENSUS_NEEDED'])
  const after = spend(2n)
  await until(() => held.length === 2)
  for (const unit of held) unit.write()
  assert.deepEqual(await Promise.all([before, after]), [COMPLETED, COMPLETED])
})

test('requests that use nothing of one of two limits do not wait for one another either', async (t) => {
  const { held, spend } = await setting(t, [
    { condition: `${SUM} <= 6 && usage.count('24h', wallet_account.address) <= 9` },
  ])
  const first = spend(2n)
  await until(() => held.length === 1)
  held[0]?.write()
  assert.equal(await first, COMPLETED)
  const answers = Promise.all([spend(0n), spend(0n), spend(0n)])
  await until(() => held.length === 4)
  for (const unit of held.slice(1)) unit.write()
  assert.deepEqual(await answers, [COMPLETED, COMPLETED, COMPLETED])
})
