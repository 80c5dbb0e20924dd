import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_AFTER_MS_MAX, retryAfterMs } from './retry-after.ts'

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0)

test('a wait is told in seconds, or as a date, which counts from the date of the answer', () => {
  const date = (at: number) => new Date(at).toUTCString()
  const cases: readonly (readonly [Readonly<Record<string, string>>, number | undefined])[] = [
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': ' 7 ' }, 7_000],
    [{ 'retry-after': date(NOW + 90_000) }, 90_000],
    [{ 'retry-after': date(NOW - 90_000) }, 0],
    // The clock of the server is a day behind.
    [{ 'retry-after': date(NOW - 86_400_000 + 30_000), date: date(NOW - 86_400_000) }, 30_000],
    [{ 'retry-after': date(NOW + 5_000), date: 'today' }, 5_000],
  ]
  for (const [headers, wait] of cases) assert.equal(retryAfterMs(headers, NOW), wait, JSON.stringify(headers))
})

test('a wait has a maximum, however it is told', () => {
  for (const text of ['3601', '999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])
    assert.equal(retryAfterMs({ 'retry-after': text }, NOW), RETRY_AFTER_MS_MAX)
})

test('what tells no wait is none', () => {
  for (const text of [
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '120, 120',
    'soon',
    '2026-11-30T12:01:00Z',
    '9'.repeat(16),
  ])
    assert.equal(retryAfterMs({ 'retry-after': text }, NOW), undefined, text)
  assert.equal(retryAfterMs({ 'retry-after': 'Mon, 99 Foo 2026 12:00:00 GMT' }, NOW), undefined)
  assert.equal(retryAfterMs({}, NOW), undefined)
})
