import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRequestAge } from './request-age.ts'

const NOW = 1_700_000_000_000
const HOUR_MS = 60 * 60 * 1000
const AHEAD_MS = 5 * 60 * 1000

test('a request is decided on for less than an hour after its timestamp, and from five minutes before it', () => {
  for (const timestampMs of [NOW - HOUR_MS + 1, NOW, NOW + AHEAD_MS]) checkRequestAge(timestampMs, NOW)
  for (const timestampMs of [NOW - HOUR_MS, NOW - 2 * HOUR_MS, NOW + AHEAD_MS + 1, 0])
    assert.throws(() => checkRequestAge(timestampMs, NOW), { name: 'Failure' }, `${timestampMs - NOW}`)
})
