import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { idAt, idsAt, isUuid, newId } from './ids.ts'

test('an id is a UUID of version 7 that says when it was made', () => {
  const id = idAt(0x0198c5a07d3c, randomBytes)
  assert.match(id, /^0198c5a0-7d3c-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(isUuid(id))
})

test('ids of later instants come later in order of text', () => {
  let now = 1_700_000_000_000
  const ids = Array.from({ length: 100 }, () => newId({ now: () => now++, elapsed: () => 0, randomBytes }))
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, 100)
})

test('ids that are made for one instant come in the order in which they were made, however many', () => {
  const next = idsAt(1_700_000_000_000, randomBytes)
  const ids = Array.from({ length: 10_000 }, next)
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, 10_000)
  assert.ok(ids.every(isUuid))
})

test('only lowercase canonical text is taken for a UUID', () => {
  for (const text of [
    '',
    '0198C5A0-7D3C-7000-8000-000000000001',
    '0198c5a07d3c70008000000000000001',
    ' 0198c5a0-7d3c-7000-8000-000000000001',
  ])
    assert.equal(isUuid(text), false, text)
})
