import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AHEAD_MAX_MS } from './request-age.ts'
import { readRestored, RestoredCopies, restoredText } from './restored-copy.ts'

const LOST = 1_700_000_000_000

test('what a restore says is read as it was written, and nothing else is', () => {
  const restored = { copiedAt: LOST - 5, lostAt: LOST }
  assert.deepEqual(readRestored(restoredText(restored)), restored)
  for (const text of [
    '',
    'restored from a copy of 1',
    `${restoredText(restored)} `,
    ` ${restoredText(restored)}`,
  ])
    assert.equal(readRestored(text), undefined, text)
})

test('before a restore is told of, everything is taken', () => {
  const copies = new RestoredCopies()
  copies.checkRequest(0)
  copies.checkWaiting({ createdAt: 0 })
})

test('a request that the lost store may have carried out is refused, to the millisecond', () => {
  const copies = new RestoredCopies()
  copies.note({ copiedAt: LOST - 5, lostAt: LOST })
  for (const timestampMs of [0, LOST, LOST + AHEAD_MAX_MS])
    assert.throws(() => copies.checkRequest(timestampMs), { name: 'Failure', kind: 'requestBeforeRestore' })
  copies.checkRequest(LOST + AHEAD_MAX_MS + 1)
})

test('a record that waited when the store was lost is refused, and one made after it is not', () => {
  const copies = new RestoredCopies()
  copies.note({ copiedAt: LOST - 5, lostAt: LOST })
  for (const createdAt of [0, LOST])
    assert.throws(() => copies.checkWaiting({ createdAt }), { name: 'Failure', kind: 'waitedBeforeRestore' })
  copies.checkWaiting({ createdAt: LOST + 1 })
})

test('of several restores the latest loss counts', () => {
  const copies = new RestoredCopies()
  copies.note({ copiedAt: 1, lostAt: LOST })
  copies.note({ copiedAt: 2, lostAt: LOST - 10 })
  assert.throws(() => copies.checkWaiting({ createdAt: LOST }), { name: 'Failure' })
})
