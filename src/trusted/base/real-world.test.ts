import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realWorld } from './real-world.ts'

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
