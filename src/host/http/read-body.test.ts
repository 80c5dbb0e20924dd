import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { PassThrough } from 'node:stream'
import { BodyRoom } from './body-room.ts'
import { readBody } from './read-body.ts'

const NO_TURNS = { arrive: () => undefined }

/** A request whose pieces are emitted by hand, and how its body is read. */
function aRequest(bytesMax = 1_000_000) {
  // Of a request, reading a body uses no more than what every stream has.
  const request = new PassThrough() as unknown as IncomingMessage
  const room = new BodyRoom(bytesMax, { leavesRoom: false })
  return { request, body: readBody(request, { bytesMax, room, turns: NO_TURNS, network: 'a' }) }
}

test('of many pieces none is kept: each byte takes up a byte or two', async () => {
  const { request, body } = aRequest()
  // What would be kept as a piece would change with the next one.
  const piece = Buffer.alloc(1)
  const sent = Buffer.from(Array.from({ length: 9_999 }, (_, at) => at % 251))
  request.emit('data', Buffer.from('x'))
  for (const byte of sent) {
    piece[0] = byte
    request.emit('data', piece)
  }
  request.emit('end')
  const { bytes } = await body
  assert.deepEqual(bytes, Buffer.concat([Buffer.from('x'), sent]))
  assert.ok(bytes.buffer.byteLength <= 2 * bytes.length)
})

test('a body of the highest length is read however it comes, and one byte more is refused', async () => {
  for (const lengths of [[100], [1, 99], [99, 1], [60, 40], [33, 33, 34]]) {
    const { request, body } = aRequest(100)
    for (const length of lengths) request.emit('data', Buffer.alloc(length, 7))
    request.emit('end')
    assert.deepEqual((await body).bytes, Buffer.alloc(100, 7))
  }
  const { request, body } = aRequest(100)
  for (const length of [50, 51]) request.emit('data', Buffer.alloc(length))
  await assert.rejects(body, /it has more than 100 bytes/)
})

test('a body in more pieces than a slow line makes of one is refused', async () => {
  const { request, body } = aRequest()
  for (let n = 0; n < 10_001; n++) request.emit('data', Buffer.alloc(1))
  await assert.rejects(body, /it came in more than 10000 pieces/)
})

/** How a body ends before the whole of it was read, and the failure of each. */
const CUT_SHORT: readonly {
  readonly cut: (request: PassThrough) => void
  readonly why: RegExp
}[] = [
  { cut: (request) => request.write(Buffer.alloc(8_192)), why: /it has more than 12288 bytes/ },
  { cut: (request) => request.destroy(), why: /the connection ended before the whole of it had come/ },
  {
    cut: (request) => request.destroy(new Error('aborted')),
    why: /the connection ended before the whole of it had come/,
  },
]

test('a body that is refused or cut off takes up no room, and nothing of it is read any more', async () => {
  for (const { cut, why } of CUT_SHORT) {
    const room = new BodyRoom(12_288, { leavesRoom: false })
    const request = new PassThrough()
    // Of a request, reading a body uses no more than what every stream has.
    const asked = request as unknown as IncomingMessage
    const body = readBody(asked, { bytesMax: 12_288, room, turns: NO_TURNS, network: 'a' })
    request.write(Buffer.alloc(8_192))
    await new Promise((resolve) => setImmediate(resolve))
    cut(request)
    await assert.rejects(body, why)
    const refused: string[] = []
    room.grow(
      room.begin('b', () => refused.push('next')),
      12_288,
    )
    assert.deepEqual(refused, [])
  }
})

test('a body that makes room for others takes up none again, though its client goes on to send', async () => {
  const room = new BodyRoom(12_288, { leavesRoom: false })
  const request = new PassThrough()
  // As above.
  const asked = request as unknown as IncomingMessage
  const body = readBody(asked, { bytesMax: 1_000_000, room, turns: NO_TURNS, network: 'a' })
  request.write(Buffer.alloc(12_288))
  await new Promise((resolve) => setImmediate(resolve))
  const refused: string[] = []
  const other = room.begin('b', () => refused.push('other'))
  room.grow(other, 8_192)
  await assert.rejects(body, /too many long bodies/)
  request.write(Buffer.alloc(8_192))
  request.end()
  await new Promise((resolve) => setImmediate(resolve))
  room.grow(other, 4_096)
  assert.deepEqual(refused, [])
})

test('the next piece of a long body arrives in its turn, and that of a short one at once', async () => {
  const { turns, next } = turnsOfPieces()
  const request = new PassThrough()
  const body = bodyInTurns(request, turns)
  request.write(Buffer.alloc(4_096, 1))
  await nextEvents()
  assert.equal(request.isPaused(), false)

  request.write(Buffer.alloc(8_192, 2))
  await nextEvents()
  assert.equal(request.isPaused(), true)
  request.end(Buffer.alloc(8_192, 3))
  await nextEvents()
  assert.equal(request.readableLength, 8_192)
  next()
  await nextEvents()
  next()

  assert.equal((await body).bytes.length, 20_480)
})

test('a connection that ends while a body waits for its turn is noticed, and the body takes up no room', async () => {
  const room = new BodyRoom(12_288, { leavesRoom: false })
  const { turns, next } = turnsOfPieces()
  const request = new PassThrough()
  const body = bodyInTurns(request, turns, room)
  request.write(Buffer.alloc(12_288))
  await nextEvents()
  // The parser of HTTP has seen the whole request, whose last piece waits here.
  Object.assign(request, { complete: true })
  request.destroy()
  await assert.rejects(body, /the connection ended before the whole of it had come/)
  next()
  const refused: string[] = []
  room.grow(
    room.begin('b', () => refused.push('next')),
    12_288,
  )
  assert.deepEqual(refused, [])
})

function bodyInTurns(
  request: PassThrough,
  turns: Parameters<typeof readBody>[1]['turns'],
  room = new BodyRoom(1_000_000, { leavesRoom: false }),
) {
  // As above.
  return readBody(request as unknown as IncomingMessage, { bytesMax: 1_000_000, room, turns, network: 'a' })
}

/** Turns that are given by hand. */
function turnsOfPieces() {
  let waiting: (() => void) | undefined
  return {
    turns: { arrive: () => new Promise<void>((resolve) => (waiting = resolve)) },
    next: () => waiting?.(),
  }
}

async function nextEvents(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}
