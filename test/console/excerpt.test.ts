import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { excerptOf } from '../../console/screens/policies/excerpt.ts'

test('an excerpt of a policy holds no part of a number, and shows where it was cut', () => {
  const text =
    "usage.sum(eth.tx.value, '24h', usage.user) <= 300000000000000000 && usage.sum(eth.tx.gas, '24h', usage.user) <= 210000"
  const first = text.indexOf('usage.sum(eth.tx.value')
  const end = text.indexOf(' <= 3')
  assert.equal(excerptOf(text, first, end).after, ' <= 300000000000000000…')
  const second = text.indexOf('usage.sum(eth.tx.gas')
  assert.equal(excerptOf(text, second, text.length).before, '…300000000000000000 && ')
})

test('wherever a place is, its excerpt is a part of the text whose numbers are those of the text', () => {
  const piece = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 256n }).map(String),
    fc.constantFrom(' && ', 'a.b', ' '),
  )
  const texts = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(' '))
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat({ max: 30 }), (text, at, length) => {
      const start = at % text.length
      const { before, place, after } = excerptOf(text, start, Math.min(text.length, start + length))
      const shown = before.replace(/^…/, '') + place + after.replace(/…$/, '')
      assert.ok(text.includes(shown))
      const numbers = new Set(text.match(/\d+/g))
      for (const number of shown.match(/\d+/g) ?? []) assert.ok(numbers.has(number), `${number} of ${text}`)
    }),
  )
})
