import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../../test/support/service.ts'
import { sharedClock } from './shared-clock.ts'

test('the clock of the database is read once in a second, and shows whole milliseconds in between', async () => {
  const world = testWorld(1, 5)
  let reads = 0
  const clock = sharedClock({ clock: async () => 1_000_000 + 1_000 * reads++ }, world)
  assert.equal(clock.now(), 5)
  await clock.renew()
  world.advance(999.75)
  world.setClock(0)
  await clock.renew()
  assert.equal(clock.now(), 1_000_999)
  world.advance(0.25)
  await clock.renew()
  assert.deepEqual([clock.now(), reads], [1_001_000, 2])
})

test('where one process has the store alone, the clock of its machine counts', async () => {
  const world = testWorld(1, 5)
  const clock = sharedClock({}, world)
  await clock.renew()
  world.setClock(7)
  assert.equal(clock.now(), 7)
})
