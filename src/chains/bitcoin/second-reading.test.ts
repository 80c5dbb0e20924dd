import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as btc from '@scure/btc-signer'
import { Failure } from '../../base/failure.ts'
import { psbtOf, testKey } from './psbt-for-tests.ts'
import { readPsbt } from './psbt.ts'
import { expectSameReading } from './second-reading.ts'

const payment = btc.p2wpkh(testKey(7).publicKey)
const bytes = psbtOf([{ payment, value: 10_000n }]).toPSBT(0)
const spent = [{ value: 10_000n, script: payment.script }]

test('a transaction that the second reader reads differently is refused, whatever the difference', () => {
  const psbt = readPsbt(bytes)
  expectSameReading(bytes, psbt, spent)
  const different: readonly (() => void)[] = [
    () => expectSameReading(bytes, psbt, [{ value: 10_001n, script: payment.script }]),
    () => expectSameReading(bytes, psbt, [{ value: 10_000n, script: new Uint8Array(22) }]),
    () => expectSameReading(bytes, psbt, [...spent, ...spent]),
    () => expectSameReading(psbtOf([{ payment, value: 10_000n }], 7n).toPSBT(0), psbt, spent),
    () => expectSameReading(bytes, { ...psbt, outputs: [...psbt.outputs, []] }, spent),
    () => expectSameReading(bytes.subarray(1), psbt, spent),
  ]
  for (const reading of different) {
    assert.throws(reading, (error) => error instanceof Failure && error.kind === 'unreadableTransaction')
  }
})
