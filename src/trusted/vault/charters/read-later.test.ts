import assert from 'node:assert/strict'
import { test } from 'node:test'
import { READ_LATER_MAX, readLater } from './read-later.ts'

test('a text is read once, as long as there is room for it', () => {
  const read = readLater({})
  const first = read('1 == 1')
  assert.ok(first !== undefined)
  assert.equal(read('1 == 1'), first)
  read('!'.repeat(READ_LATER_MAX))
  assert.notEqual(read('1 == 1'), first)
})
