import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeated } from './repeated.ts'
import { turnedTimers } from './testing/timers.ts'

/** Work every 1,000 ms, and 10 ms after a wake, whose turns are ended by hand. */
function working(work: (turn: number, again: (ms: number) => void) => void = () => {}) {
  let now = 0
  const timers = turnedTimers(() => now)
  const turns: PromiseWithResolvers<void>[] = []
  const troubles: unknown[] = []
  const { wake, stop } = repeated(
    { timers, onTrouble: (error) => troubles.push(error) },
    { everyMs: 1_000, firstMs: 0, soonMs: 10 },
    async (again) => {
      const turn = Promise.withResolvers<void>()
      turns.push(turn)
      work(turns.length, again)
      await turn.promise
    },
  )
  const pass = (ms: number): number => {
    now += ms
    timers.turn()
    return turns.length
  }
  const end = async (): Promise<void> => {
    turns.at(-1)?.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { troubles, wake, stop, pass, end }
}

test('work is repeated at its interval, also after a failure, unless a turn sets another time', async () => {
  const { troubles, pass, end } = working((turn, again) => {
    if (turn === 2) throw new Error('no')
    if (turn === 3) again(200)
  })
  assert.equal(pass(0), 1)
  await end()
  assert.deepEqual([pass(999), pass(1)], [1, 2])
  await end()
  assert.equal(troubles.length, 1)
  assert.deepEqual([pass(999), pass(1)], [2, 3])
  await end()
  assert.deepEqual([pass(199), pass(1)], [3, 4])
})

test('any number of wakes lead to one turn soon, which none of them delays', async () => {
  const { wake, pass, end } = working()
  assert.equal(pass(0), 1)
  await end()
  wake()
  assert.equal(pass(9), 1)
  wake()
  assert.equal(pass(1), 2)
  await end()
  assert.deepEqual([pass(999), pass(1)], [2, 3])
})

test('a wake during a turn leads to another one soon after it, and never to two at once', async () => {
  const { wake, pass, end } = working()
  assert.equal(pass(0), 1)
  wake()
  assert.equal(pass(1_000), 1)
  await end()
  assert.deepEqual([pass(9), pass(1)], [1, 2])
})

test('a stop waits for the turn under way, and no wake begins another one', async () => {
  const { wake, stop, pass, end } = working()
  assert.equal(pass(0), 1)
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  wake()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isStopped, false)
  await end()
  await stopped
  wake()
  assert.equal(pass(10_000), 1)
})
