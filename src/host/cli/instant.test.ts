import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from './instant.ts'
import { UsageError } from './usage.ts'

test('a time has a zone and a day of the calendar', () => {
  assert.equal(instant('2024-02-29T00:00:00Z', '--from'), Date.UTC(2024, 1, 29))
  assert.equal(instant('2026-01-31T23:30-02:00', '--from'), Date.UTC(2026, 1, 1, 1, 30))
  for (const text of [
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00Z',
    '2026-01-31',
    '2026-01-31T00:00',
    'soon',
    '',
  ])
    assert.throws(() => instant(text, '--from'), UsageError, text)
})
