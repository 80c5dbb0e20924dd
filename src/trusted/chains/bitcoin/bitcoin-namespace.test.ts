import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as btc from '@scure/btc-signer'
import { struct } from '../../policy/types.ts'
import { fits, unnamed } from '../testing/fits.ts'
import { bitcoinNamespace } from './bitcoin-namespace.ts'
import { readBitcoinTransaction } from './read-bitcoin-transaction.ts'
import { hexOf, psbtOf, testKey } from './testing/psbt.ts'

test('all that is seen of a Bitcoin transaction has a name and a type in the language', () => {
  const key = testKey(7)
  const psbt = hexOf(psbtOf([{ payment: btc.p2wpkh(key.publicKey), value: 10_000n }]))
  const { bitcoin } = readBitcoinTransaction(psbt, key.signer, '').seen
  const named = fits(struct(bitcoinNamespace), bitcoin, 'seen')
  assert.deepEqual(unnamed(bitcoinNamespace, named), [])
})
