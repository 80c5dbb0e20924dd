import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verdictJson, verdictText } from './verdict-text.ts'

test('a header of a host gives no orders to a terminal, as JSON too', () => {
  const verdict = { isSame: false, files: [], headers: ['x is "\u009b2J\u202e", not "y"'] }
  for (const text of [verdictText(verdict), verdictJson(verdict)])
    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}]/u)
  assert.deepEqual(JSON.parse(verdictJson(verdict)), verdict)
})
