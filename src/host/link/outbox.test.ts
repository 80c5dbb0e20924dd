import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Outbox } from './outbox.ts'

test('what is short goes together, and what is long by itself, in its order', () => {
  const outbox = new Outbox<string>()
  for (const [message, characters] of [
    ['a', 1_000],
    ['b', 2_000],
    ['long', 1_000_000],
    ['c', 200_000],
    ['d', 60_000],
    ['e', 60_000],
  ] as const)
    outbox.put(message, characters)
  const turns: (readonly string[])[] = []
  while (outbox.size > 0) turns.push(outbox.take())
  assert.deepEqual(turns, [['a', 'b'], ['long'], ['c', 'd'], ['e']])
  outbox.put('f', 10)
  outbox.put('g', 10)
  assert.deepEqual(outbox.take(), ['f', 'g'])
  assert.deepEqual(outbox.take(), [])
})
