import assert from 'node:assert/strict'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import { FrameSender, lengthOf, LONG_CHARACTERS } from './frame-sender.ts'
import { FRAME_BYTES_MAX, FrameReader } from './frames.ts'

const LONG = 'x'.repeat(3 * LONG_CHARACTERS)

/** A socket that takes one write at a time, each when it is told to, and what its other end has read so far. */
function aSocket() {
  const read: unknown[] = []
  const reader = new FrameReader()
  const waiting: ((error?: Error) => void)[] = []
  const socket = new Duplex({
    read: () => {},
    write: (bytes: Buffer, _, done) => {
      read.push(...reader.push(Buffer.from(bytes)))
      waiting.push(done)
    },
  })
  // Its errors are those that a test makes.
  socket.on('error', () => undefined)
  const take = async (error?: Error): Promise<void> => {
    waiting.shift()?.(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { socket, read, take, isIdle: () => waiting.length === 0 }
}

test('a short message goes between the pieces of a long one, and a long one after the long ones before it', async () => {
  const { socket, read, take, isIdle } = aSocket()
  const sender = new FrameSender<string>(socket, () => undefined)
  const sent: string[] = []
  for (const [name, text] of [
    ['first', LONG],
    ['second', 'short, but in its turn'],
  ] as const)
    sender.sendInPieces(text, text.length, () => sent.push(name))
  sender.send(['at once'])
  assert.ok(sender.unsent > LONG.length)
  while (!isIdle()) await take()
  assert.deepEqual(read, ['at once', LONG, 'short, but in its turn'])
  assert.deepEqual(sent, ['first', 'second'])
  assert.equal(sender.unsent, 0)
})

test('a long message that is too long for a frame is replaced, or left out, and the next one goes', async () => {
  const { socket, read, take, isIdle } = aSocket()
  const [replaced, dropped] = [tooLong(), tooLong()]
  const sender = new FrameSender<unknown>(socket, (message) => (message === replaced ? 'instead' : undefined))
  let sent = 0
  for (const message of [replaced, dropped, 'next']) sender.sendInPieces(message, 1, () => sent++)
  while (!isIdle()) await take()
  assert.deepEqual(read, ['instead', 'next'])
  assert.equal(sent, 3)
})

function tooLong(): unknown {
  return Array.from({ length: FRAME_BYTES_MAX / LONG.length + 1 }, () => LONG)
}

test('nothing goes after an error of the socket', async () => {
  const { socket, read, take, isIdle } = aSocket()
  const sender = new FrameSender<string>(socket, () => undefined)
  let sent = 0
  sender.sendInPieces(LONG, LONG.length, () => sent++)
  sender.sendInPieces('next', 4, () => sent++)
  await take(new Error('reset'))
  while (!isIdle()) await take()
  assert.deepEqual([read, sent], [[], 0])
})

test('the length of a message is that of all its texts, and a little for each value', () => {
  const message = {
    output: { unit: { rows: Array.from({ length: 10 }, () => ({ body: 'x'.repeat(100) })) } },
  }
  const length = lengthOf(message)
  assert.ok(length >= 1_000 && length < 1_400, String(length))
  for (const value of [null, undefined, 7, true]) assert.ok(lengthOf(value) < 20)
})
