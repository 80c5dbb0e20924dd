import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forgottenAt, type UsageSlots, usedWithin, withUse } from './usage-window.ts'

const WINDOW = 64_000
const START = 1_800_000_000_000

const uses = fc.array(
  fc.record({ after: fc.nat({ max: 20_000 }), amount: fc.bigInt({ min: 0n, max: 1_000n }) }),
  { maxLength: 200 },
)

function played(steps: readonly { readonly after: number; readonly amount: bigint }[]) {
  let now = START
  let slots: UsageSlots = []
  const done: { readonly at: number; readonly amount: bigint }[] = []
  for (const { after, amount } of steps) {
    now += after
    slots = withUse(slots, amount, WINDOW, now)
    done.push({ at: now, amount })
  }
  return { now, slots, done }
}

test('what is counted is never less than what was used in the window, nor more than in a window a sixty-fourth longer', () => {
  fc.assert(
    fc.property(uses, fc.nat({ max: 2 * WINDOW }), (steps, later) => {
      const { now, slots, done } = played(steps)
      const at = now + later
      const counted = usedWithin(slots, WINDOW, at)
      const since = (ms: number) =>
        done.filter((use) => use.at > at - ms).reduce((sum, { amount }) => sum + amount, 0n)
      assert.ok(counted >= since(WINDOW))
      assert.ok(counted <= since(WINDOW + WINDOW / 64 + 1))
    }),
  )
})

test('a meter never has more slots than a window and the two at its ends', () => {
  fc.assert(fc.property(uses, (steps) => assert.ok(played(steps).slots.length <= 66)))
})

test('a use by a clock that is behind is counted, and for no shorter time', () => {
  const slots = withUse(withUse([], 1n, WINDOW, START), 2n, WINDOW, START - 5_000)
  assert.equal(usedWithin(slots, WINDOW, START + WINDOW - 1_000), 3n)
})

test('a meter is forgotten when nothing of it counts any more, and not before', () => {
  const slots = withUse([], 7n, WINDOW, START)
  const at = forgottenAt(slots, WINDOW)
  assert.equal(usedWithin(slots, WINDOW, at), 0n)
  assert.equal(usedWithin(slots, WINDOW, at - 1), 7n)
})
