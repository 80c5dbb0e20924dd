import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnedTimers, until } from '../outside/testing/timers.ts'
import { startNotingUses } from './noting-uses.ts'

function noting(write: () => Promise<void>) {
  let now = 0
  const troubles: unknown[] = []
  const timers = turnedTimers(() => now)
  const started = startNotingUses({ uses: { write }, timers, onTrouble: (error) => troubles.push(error) })
  const later = (): void => {
    now += 60_000
    timers.turn()
  }
  return { started, troubles, later }
}

test('uses are written each minute, after an outage too, and once more at the end', async () => {
  let writes = 0
  const { started, troubles, later } = noting(async () => {
    writes += 1
    if (writes === 1) throw new Error('no room')
  })
  for (const expected of [1, 2, 3]) {
    later()
    await until(() => writes === expected, `write ${expected}`)
    // The next timer is set once it has ended.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await started.stop()
  later()
  assert.deepEqual([writes, troubles.length], [4, 1])
})
