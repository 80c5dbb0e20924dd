import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSeed } from '../support/test-seed.ts'
import { faults, untold } from './faults.ts'
import { simulate } from './simulate.ts'

const SEEDS = 50
const SEEDS_TO_NOTICE_MAX = 100

test('whatever many people send at once, in whatever order it interleaves, every promise is kept', async () => {
  const counts: Record<string, number> = {}
  for (let at = 0; at < SEEDS; at++) {
    const { seed, wrong, counts: counted } = await simulate(`${testSeed} ${at}`)
    assert.deepEqual(wrong, [], `seed ${seed}: node test/simulation/run.ts 1 "${seed}"`)
    for (const [name, times] of Object.entries(counted)) counts[name] = (counts[name] ?? 0) + times
  }
  // A run in which nobody could do anything would keep every promise too.
  for (const name of [
    'sign_raw_payload 200 COMPLETED',
    'sign_raw_payload 200 CONSENSUS_NEEDED',
    'sign_raw_payload 403',
    'sign_transaction 200 COMPLETED',
    'sign_transaction 403',
    'create_wallet 200 COMPLETED',
    'create_wallet_accounts 200 COMPLETED',
    'create_wallet_accounts 409',
    'delete_wallets 200 COMPLETED',
    'set_organization_feature 200 COMPLETED',
    'approve_activity 200 COMPLETED',
    'reject_activity 200 REJECTED',
    'create_api_keys 200 COMPLETED',
    'create_private_keys 200 COMPLETED',
    'create_private_keys 409',
    'delete_private_keys 200 COMPLETED',
    'create_users 200 COMPLETED',
    'update_root_quorum 200 COMPLETED',
  ])
    assert.ok((counts[name] ?? 0) > 0, `${name} is among ${JSON.stringify(counts)}`)
})

// Each of these once broke a promise: a user who was deleted between being recognised and being answered.
const SEEDS_THAT_FAILED = ['1795255979758 43']

test('what once went wrong does not go wrong again', async () => {
  for (const seed of SEEDS_THAT_FAILED) assert.deepEqual((await simulate(seed)).wrong, [], seed)
})

test('one seed is one run, to the byte of every answer and record', async () => {
  const [first, second] = [await simulate('once'), await simulate('once')]
  assert.ok(first.transcript.length > 100)
  assert.deepEqual(second, first)
  assert.notDeepEqual((await simulate('another')).transcript, first.transcript)
})

for (const [fault, faulty] of Object.entries(faults)) {
  test(`a store that ${fault} is caught`, async () => {
    for (let at = 0; at < SEEDS_TO_NOTICE_MAX; at++) {
      if ((await simulate(`fault ${at}`, { faulty, around: untold })).wrong.length > 0) return
    }
    assert.fail(`${SEEDS_TO_NOTICE_MAX} seeds went by`)
  })
}
