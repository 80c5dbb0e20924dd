import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseless } from '../base/caseless.ts'
import { comparisonCost } from './compare.ts'

test('comparing costs steps for long texts of one length, and more where case is of no account', () => {
  const text = 'x'.repeat(640)
  assert.equal(comparisonCost(text, text), 10)
  assert.equal(comparisonCost(text, `${text}x`), 0)
  assert.equal(comparisonCost('x'.repeat(63), 'y'.repeat(63)), 0)
  for (const [left, right] of [
    [caseless(text), text],
    [text, caseless(text)],
    [caseless(text), caseless(text)],
  ] as const)
    assert.equal(comparisonCost(left, right), 40)
  assert.equal(comparisonCost(caseless(text), `${text}x`), 0)
})

test('comparing what is no text costs nothing more', () => {
  assert.equal(comparisonCost(1n, 1n), 0)
  assert.equal(comparisonCost(true, false), 0)
  assert.equal(comparisonCost([1n], caseless('x')), 0)
})
