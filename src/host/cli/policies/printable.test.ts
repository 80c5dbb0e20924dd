import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printableJson } from './printable.ts'

test('printed JSON has the same value, and no character that a terminal obeys or does not show', () => {
  const characters = [
    '\u001b',
    '\u007f',
    '\u009b',
    '\u00ad',
    '\u200d',
    '\u2028',
    '\u202e',
    '\u{e0001}',
    '\ud800',
  ]
  const value = { [`name ${characters.join('')}`]: [...characters, 'Zoë\n', '🔑'] }
  for (const json of [printableJson(value), printableJson(value, 2)]) {
    assert.deepEqual(JSON.parse(json), value)
    assert.doesNotMatch(json, /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    assert.match(json, /Zoë/)
    assert.match(json, /🔑/u)
  }
})
