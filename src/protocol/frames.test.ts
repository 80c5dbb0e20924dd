import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameReader, piecesOf, Unreadable, writeFrame, writeFrames } from './frames.ts'

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

test('frames in pieces come out whole, with the frames that stand between the pieces before them', () => {
  const long = [writeFrame([{ a: 'x'.repeat(200_000) }, 2]), writeFrame(['y'.repeat(100_000)])]
  const pieces = long.flatMap(piecesOf)
  assert.equal(pieces.length, 6)
  const between = pieces.map((piece, at) => Buffer.concat([...piece, writeFrame([`between ${at}`])]))
  const bytes = Buffer.concat(between)
  for (const size of [1_000, 65_536, 70_001, bytes.length]) {
    const reader = new FrameReader()
    const read: unknown[] = []
    for (let at = 0; at < bytes.length; at += size)
      read.push(...reader.push(Buffer.from(bytes.subarray(at, at + size))))
    assert.deepEqual(read, [
      ...['between 0', 'between 1', 'between 2'],
      { a: 'x'.repeat(200_000) },
      2,
      ...['between 3', 'between 4'],
      'y'.repeat(100_000),
      'between 5',
    ])
    assert.equal(reader.kept, 0)
  }
})

test('what is kept of pieces counts, and a piece in a piece, or a longer one, is none of ours', () => {
  const [first, second] = piecesOf(writeFrame(['x'.repeat(100_000)]))
  const reader = new FrameReader()
  reader.push(Buffer.concat(first ?? []))
  assert.ok(reader.kept > 60_000)
  const isTooLong = (item: unknown): boolean => item instanceof Unreadable && /longer than any/.test(item.why)
  const head = (length: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(length)
    return bytes
  }
  const inner = Buffer.concat([head(0x8000_0001), Buffer.from('x')])
  assert.ok(new FrameReader().push(Buffer.concat([head(0x8000_0000 + inner.length), inner])).every(isTooLong))
  assert.ok(new FrameReader().push(head(0x8001_0001)).every(isTooLong))
  assert.deepEqual(reader.push(Buffer.concat(second ?? [])), ['x'.repeat(100_000)])
})

test('a frame that is none of ours stands among the others as unreadable, and the others are read', () => {
  const reader = new FrameReader()
  const bad = Buffer.from('00000009000000057b7d7b7d7b', 'hex')
  const read = reader.push(Buffer.concat([writeFrame([1]), bad, writeFrame([2, 3])]))
  assert.deepEqual(
    read.map((item) => (item instanceof Unreadable ? 'unreadable' : item)),
    [1, 'unreadable', 2, 3],
  )
})

test('messages go in as many frames as it takes, and one that fits into none is left out or replaced', () => {
  const long = 'x'.repeat(200)
  const messages = ['a', 'b', long, 'c', `kept ${long}`, 'd', 'e'.repeat(50), 'f'.repeat(50)]
  const frames = writeFrames(messages, (item) => (item === long ? undefined : 'too long'), 100)
  assert.ok(frames.length > 2)
  for (const frame of frames) assert.ok(frame.length <= 104, String(frame.length))
  assert.deepEqual(new FrameReader().push(Buffer.concat(frames)), [
    'a',
    'b',
    'c',
    'too long',
    'd',
    'e'.repeat(50),
    'f'.repeat(50),
  ])
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
