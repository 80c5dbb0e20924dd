import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Outbox } from './outbox.ts'

test('what is short goes together, and what is long by itself, in its order', () => {
  const outbox = new Outbox<string>()
  for (const [message, characters] of [
    ['a', 1_000],
    ['b', 2_000],
    ['long', 1_000_000],
    ['c', 60_000],
    ['d', 65_536],
    ['e', 60_000],
    ['f', 60_000],
    ['g', 60_000],
    ['a bit too long', 65_537],
  ] as const)
    outbox.put(message, characters)
  const turns: (readonly string[])[] = []
  while (outbox.size > 0) turns.push(outbox.take().map(({ message }) => message))
  assert.deepEqual(turns, [['a', 'b'], ['long'], ['c', 'd', 'e', 'f'], ['g'], ['a bit too long']])
  outbox.put('h', 10)
  outbox.put('i', 10)
  assert.deepEqual(
    outbox.take().map(({ message }) => message),
    ['h', 'i'],
  )
  assert.deepEqual(outbox.take(), [])
})
