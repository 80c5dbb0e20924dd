import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pinnedIn } from '../../console/parts/pinned.ts'
import { unitOf } from '../../console/parts/unit-of.ts'

test('a condition pins what stands beside everything else in it, and nothing that has a way around', () => {
  const pinned = (text: string) => Object.fromEntries(pinnedIn(text))
  assert.deepEqual(pinned("usage.user == 'c' && eth.tx.chain_id == 1 && eth.tx.value <= 5"), {
    'usage.user': ['c'],
    'eth.tx.chain_id': ['1'],
  })
  assert.deepEqual(pinned("'c' == usage.user && wallet.id in ['a', 'b']"), {
    'usage.user': ['c'],
    'wallet.id': ['a', 'b'],
  })
  for (const open of [
    '',
    "usage.user == 'c' || eth.tx.chain_id == 1",
    "!(usage.user == 'c')",
    "usage.user != 'c'",
    'usage.user == wallet.id',
    "wallet.id in ['a', usage.user]",
  ])
    assert.deepEqual(pinned(open), {}, open)
})

test('an amount is in the coin of the one chain that is named, and otherwise in wei', () => {
  const symbol = (text: string) => unitOf('eth.tx.value', pinnedIn(text))?.symbol
  assert.equal(symbol('eth.tx.chain_id == 137'), 'POL')
  assert.equal(symbol('eth.tx.chain_id in [1, 137]'), 'wei')
  assert.equal(symbol(''), 'wei')
  assert.equal(unitOf('eth.tx.nonce', pinnedIn('eth.tx.chain_id == 137')), undefined)
})
