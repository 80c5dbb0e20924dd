import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sameButForCase, sliceText } from './text.ts'

test('a slice counts whole characters, the first and the last of those with two code units too', () => {
  const text = 'a\u{10000}b\u{10ffff}\ud800c\udc00'
  assert.equal(sliceText(text, 1, 2), '\u{10000}')
  assert.equal(sliceText(text, 2, 4), 'b\u{10ffff}')
  assert.equal(sliceText(text, 4, 5), '\ud800')
  assert.equal(sliceText(text, 5, 7), 'c\udc00')
  assert.equal(sliceText(text, 5, 8), undefined)
})

test('a slice of any text is that of its characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(12), fc.nat(12), (text, from, length) => {
      const characters = [...text]
      const to = from + length
      const expected = to > characters.length ? undefined : characters.slice(from, to).join('')
      assert.equal(sliceText(text, from, to), expected)
    }),
  )
})

test('only the case of ASCII letters is of no account, from A to Z', () => {
  assert.equal(sameButForCase('azAZ', 'AZaz'), true)
  for (const [a, b] of [
    ['@', '`'],
    ['[', '{'],
    ['\u212a', 'k'],
    ['é', 'É'],
    ['a', 'aa'],
  ] as const)
    assert.equal(sameButForCase(a, b), false, `${a} ${b}`)
})
