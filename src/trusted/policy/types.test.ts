import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int, string, struct } from './types.ts'

test('a struct has no field named count, which would hide how many there are', () => {
  assert.throws(() => struct({ to: string, count: int }), /no field of a struct is named count/)
})
