import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameReader, Outbox, Unreadable, writeFrame } from './frames.ts'

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

test('messages go in as many frames as it takes, one that is long in a frame of its own, and one that fits into none is not put in', () => {
  const long = 'x'.repeat(300_000)
  const outbox = new Outbox(400_000)
  const messages = ['a', long, 'b', 'c', 'ü'.repeat(130_000), 'd'.repeat(260_000)]
  for (const message of messages) assert.equal(outbox.put(message), true)
  assert.equal(outbox.put('x'.repeat(400_000)), false)
  assert.equal(outbox.put('ü'.repeat(200_000)), false)
  const frames: Buffer[] = []
  while (outbox.size > 0) frames.push(outbox.take(frames.length === 0 ? ['first'] : []))
  const read = frames.map((frame) => new FrameReader().push(frame))
  assert.deepEqual(read, [['first', 'a'], [long], ['b', 'c', 'ü'.repeat(130_000)], ['d'.repeat(260_000)]])
  assert.deepEqual(new FrameReader().push(outbox.take(['last'])), ['last'])
})

test('a frame of which little has come is kept in little, however long it says that it will be', () => {
  const reader = new FrameReader()
  const head = Buffer.alloc(4)
  head.writeUInt32BE(200 * 1024 * 1024)
  const before = process.memoryUsage().arrayBuffers
  for (const byte of Buffer.concat([head, Buffer.alloc(100_000, '[')])) reader.push(Buffer.from([byte]))
  assert.equal(reader.kept, 100_000)
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024)
})
