import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { PassThrough } from 'node:stream'
import { BodyRoom } from './body-room.ts'
import { readBody } from './read-body.ts'

/** A request whose pieces are emitted by hand, and how its body is read. */
function aRequest(bytesMax = 1_000_000) {
  // Of a request, reading a body uses no more than what every stream has.
  const request = new PassThrough() as unknown as IncomingMessage
  const room = new BodyRoom(bytesMax, { leavesRoom: false })
  return { request, body: readBody(request, { bytesMax, room, network: 'a' }) }
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
    const body = readBody(asked, { bytesMax: 12_288, room, network: 'a' })
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
  const body = readBody(asked, { bytesMax: 1_000_000, room, network: 'a' })
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
