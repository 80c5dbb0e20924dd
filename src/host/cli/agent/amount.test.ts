import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UsageError } from '../usage.ts'
import { amountIn, amountText } from './amount.ts'

const ETH = { eth: 18, gwei: 9, wei: 0 }

test('amounts are read exactly, in every unit of the chain', () => {
  assert.equal(amountIn('0.5eth', ETH, '--daily'), 500_000_000_000_000_000n)
  assert.equal(amountIn('0.1 ETH', ETH, '--daily'), 100_000_000_000_000_000n)
  assert.equal(amountIn('1.000000001gwei', ETH, '--daily'), 1_000_000_001n)
  assert.equal(amountIn('9007199254740993wei', ETH, '--daily'), 9_007_199_254_740_993n)
  assert.equal(amountIn('0.00000001btc', { btc: 8, sat: 0 }, '--daily'), 1n)
})

test('an amount that could be read in two ways is refused with what is wrong', () => {
  for (const [text, wanted] of [
    ['0.5', /needs a unit of its chain after the number: eth, gwei, wei/],
    ['0.5btc', /needs a unit of its chain/],
    ['0.5wei', /has 1 decimals, and wei has 0/],
    ['0.0000000000000000001eth', /has 19 decimals, and eth has 18/],
    ['0eth', /more than 0/],
    ['1,5eth', /is not an amount/],
    ['1_000wei', /is not an amount/],
    ['1e3wei', /is not an amount/],
    ['0x10wei', /is not an amount/],
    ['-1eth', /is not an amount/],
    ['.5eth', /is not an amount/],
    ['1.eth', /is not an amount/],
    ['', /is not an amount/],
    ['1constructor', /needs a unit/],
    ['٣eth', /is not an amount/],
    ['1\u001b[2Jeth', /is not an amount/],
    [`${'9'.repeat(60)}eth`, /larger than the whole supply of any chain/],
  ] as const)
    assert.throws(
      () => amountIn(text, ETH, '--daily'),
      (error) =>
        error instanceof UsageError && wanted.test(error.message) && !error.message.includes('\u001b'),
      text,
    )
})

test('an amount that was written out is read as the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 100n }), (amount) => {
      assert.equal(amountIn(amountText(amount, ETH), ETH, '--daily'), amount)
    }),
  )
})
