import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from './bytes.ts'
import { randomBytesOf, realWorld } from './real-world.ts'

test('random bytes have the length asked for, share no memory and do not repeat', () => {
  const seen = new Set<string>()
  const buffers = new Set<ArrayBufferLike>()
  for (let draw = 0; draw < 3000; draw++) {
    const length = [10, 12, 16, 32, 5000][draw % 5] ?? 10
    const bytes = realWorld.randomBytes(length)
    assert.equal(bytes.length, length)
    assert.equal(bytes.byteLength, bytes.buffer.byteLength)
    seen.add(Buffer.from(bytes).toString('hex'))
    buffers.add(bytes.buffer)
  }
  assert.equal(seen.size, 3000)
  assert.equal(buffers.size, 3000)
})

test('a machine that is resumed from a snapshot of its memory does not draw the same bytes again', () => {
  const clock = { now: 1_795_222_800_000, elapsed: 86_400_000 }
  /** Every resumed machine has the pool and the state of OpenSSL that the snapshot has. */
  const resumed = (at: typeof clock) => {
    const randomBytes = randomBytesOf({
      fill: (pool) => void pool.fill(7),
      now: () => at.now,
      elapsed: () => at.elapsed,
    })
    return [12, 32, 64, 100].map((length) => toHex(randomBytes(length)))
  }
  const NANOSECOND = 1e-6
  for (const at of [
    { ...clock, elapsed: clock.elapsed + NANOSECOND },
    { ...clock, now: clock.now + 1 },
  ]) {
    const drawn = new Set([...resumed(clock), ...resumed(at)])
    assert.equal(drawn.size, 8)
  }
  assert.deepEqual(resumed(clock), resumed(clock))
})
