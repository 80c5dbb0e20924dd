import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameReader, Unreadable, writeFrame } from './frames.ts'

test('messages come out as they went in, however the socket cuts them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.jsonValue(), { maxLength: 5 }), { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(writeFrame))
        const reader = new FrameReader()
        const read: unknown[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1
          read.push(...reader.push(bytes.subarray(at, at + size)))
          at += size
        }
        assert.deepEqual(read, JSON.parse(JSON.stringify(frames.flat())))
      },
    ),
  )
})

test('a frame that is none of ours stands among the others as unreadable, and the others are read', () => {
  const reader = new FrameReader()
  const bad = Buffer.from('000000057b7d7b7d7b', 'hex')
  const read = reader.push(Buffer.concat([writeFrame([1]), bad, writeFrame([2, 3])]))
  assert.deepEqual(
    read.map((one) => (one instanceof Unreadable ? 'unreadable' : one)),
    [1, 'unreadable', 2, 3],
  )
})
