import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnsByHand } from '../../trusted/base/testing/turns.ts'
import { bodyTurns } from './body-turns.ts'

const LONG = new Uint8Array(1024 * 1024)

test('long bodies are read one in each turn, and another network before the rest of one that sends many', async () => {
  const { turn, next } = turnsByHand()
  const turns = bodyTurns(turn)
  const read: string[] = []
  const arrive = async (name: string, address: string, body = LONG) => {
    await turns.parse(body, address)
    read.push(name)
  }
  await arrive('first', '198.51.100.1')
  const many = Array.from({ length: 5 }, (_, at) => arrive(`many ${at}`, '198.51.100.1'))
  const other = arrive('other', '203.0.113.1')
  await arrive('short', '198.51.100.1', new Uint8Array(1_000))
  assert.deepEqual(read, ['first', 'short'])

  await next()
  assert.deepEqual(read, ['first', 'short', 'many 0'])
  await next()
  assert.deepEqual(read, ['first', 'short', 'many 0', 'other'])
  while (read.length < 8) await next()
  await Promise.all([...many, other])
})

test('pieces of long bodies arrive a few in each turn, and another network before the rest of one that sends many', async () => {
  const { turn, next } = turnsByHand()
  const turns = bodyTurns(turn)
  const arrived: string[] = []
  const send = async (name: string, network: string) => {
    for (let piece = 1; piece <= 10; piece++) {
      await turns.arrive(PIECE_BYTES, network)
      arrived.push(name)
    }
  }
  const many = Array.from({ length: 3 }, (_, at) => send(`many ${at}`, 'a'))
  const other = send('other', 'b')
  const counts: number[] = []
  while (arrived.length < 40) {
    const before = arrived.length
    await next()
    counts.push(arrived.length - before)
  }
  await Promise.all([...many, other])

  assert.ok(Math.max(...counts) <= 8, `in a turn: ${String(counts)}`)
  const last = arrived.lastIndexOf('other')
  assert.ok(last < 25, `the other network was done after ${last + 1} of 40 pieces`)
})

/** As much as a socket gives at once. */
const PIECE_BYTES = 64 * 1024
