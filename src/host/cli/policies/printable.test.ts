import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aligned, printableJson } from './printable.ts'

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

test('columns are as wide as their entries, however many rows there are, and one long entry moves no other', () => {
  assert.deepEqual(
    aligned([
      ['a', '1'],
      ['long', '2', 'x'],
    ]),
    ['a     1', 'long  2  x'],
  )
  const many = aligned(Array.from({ length: 300_000 }, (_, at) => [String(at), 'x']))
  assert.deepEqual([many.length, many[0]], [300_000, '0       x'])
  const [short = '', ...others] = aligned([
    ['a', '1'],
    ['b'.repeat(10_000), '2'],
  ])
  assert.equal(short, `a${' '.repeat(101)}1`)
  assert.deepEqual(others, [`${'b'.repeat(10_000)}  2`])
})
