import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { seeded } from '../../../../test/support/seeded.ts'
import { RecentRequests, type RequestId } from './recent-requests.ts'

const HOUR = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21)
const ORGANIZATION = '01a1fb67-0000-7000-8000-00000000000f'

function request(n: number, timestampMs = NOW, organizationId = ORGANIZATION): RequestId {
  return {
    organizationId,
    fingerprint: `sha256:${createHash('sha256').update(String(n)).digest('hex')}`,
    timestampMs,
  }
}

function remembering(requestsMax?: number): RecentRequests {
  return new RecentRequests(seeded('recent').bytes, requestsMax)
}

test('a request is remembered as long as it may be decided on, and no other is taken for it', () => {
  const recent = remembering()
  const many = Array.from({ length: 20_000 }, (_, n) => request(n, NOW + (n % 65) * 60_000))
  for (const requestId of many) recent.note(requestId, NOW - HOUR)
  for (const requestId of many) assert.ok(recent.has(requestId))
  for (let n = 20_000; n < 40_000; n++) assert.ok(!recent.has(request(n)))
  assert.ok(!recent.has({ ...request(0), organizationId: '01a1fb67-0000-7000-8000-0000000000ff' }))
})

test('what is too old to be decided on is forgotten, however long the service runs', () => {
  const recent = remembering(5_000)
  for (let minute = 0; minute < 600; minute++) {
    const now = NOW + minute * 60_000
    for (let n = 0; n < 50; n++) recent.note(request(minute * 50 + n, now), now - HOUR)
    assert.equal(recent.since, 0, 'nothing that is live was forgotten')
  }
  assert.ok(!recent.has(request(0)))
  assert.ok(recent.has(request(599 * 50, NOW + 599 * 60_000)))
})

test('with more than it can hold the oldest minutes go, and it says so', () => {
  const recent = remembering(100)
  for (let n = 0; n < 150; n++) recent.note(request(n, NOW + Math.floor(n / 50) * 60_000), NOW - HOUR)
  assert.equal(recent.since, NOW + 60_000)
  assert.ok(!recent.has(request(0)))
  assert.ok(recent.has(request(149, NOW + 2 * 60_000)))
  // Such a request is not decided on any more, so that nothing is noted of it either.
  recent.note(request(200), NOW - HOUR)
  assert.ok(!recent.has(request(200)))
})

test('of the minute in which requests stop to be live, those that still are stay known', () => {
  const recent = remembering()
  const liveFrom = NOW + 30_000
  const last = request(1, liveFrom + 1)
  for (let minute = 0; minute < 70; minute++) recent.note(request(minute + 2, NOW - minute * 60_000), 0)
  recent.note(last, liveFrom)
  recent.note(request(0, NOW + 60_000), liveFrom)
  assert.ok(recent.has(last))
  assert.ok(recent.has(request(2, NOW)))
  assert.ok(!recent.has(request(3, NOW - 60_000)), 'a minute of which nothing is live is forgotten')
})

test('a request of a minute that is not live any more is not noted', () => {
  const recent = remembering()
  recent.note(request(1, NOW + 59_999), NOW + 60_000)
  recent.note(request(2, NOW + 59_999), NOW + 59_999)
  assert.ok(!recent.has(request(1, NOW + 59_999)))
  assert.ok(recent.has(request(2, NOW + 59_999)))
})

test('where a request is kept depends on a secret, so that nobody can have all of them meet at one place', (t) => {
  const multiplied = t.mock.method(Math, 'imul')
  new RecentRequests(() => new Uint8Array([0x12, 0x34, 0x56, 0x78])).note(request(1), NOW - HOUR)
  const salts = new Set(multiplied.mock.calls.map(({ arguments: [, salt] }) => salt))
  assert.deepEqual([...salts], [0x12345679])
})
