import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { failureText } from './failure-text.ts'

test('a plain sentence is written down as it is', () => {
  assert.equal(failureText('the endpoint answered 503'), 'the endpoint answered 503')
})

test('what no store takes becomes a space, and what is long is cut between characters', () => {
  assert.equal(failureText('a\0b\ud800c\r\nd'), 'a b c d')
  assert.equal(failureText(`${'x'.repeat(499)}😀`), 'x'.repeat(499))
})

test('whatever the reason, a line comes of it', () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 1_200 }), (units) => {
      const line = failureText(units.join(''))
      assert.ok(line.isWellFormed() && line.length <= 500)
      assert.doesNotMatch(line, /\p{Cc}/u)
      assert.equal(failureText(line), line.trim())
    }),
  )
})
