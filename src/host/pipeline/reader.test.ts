import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../trusted/activities/list.ts'
import { SLICE, type Steps } from '../../trusted/base/work.ts'
import { quietHost } from '../../../test/support/quiet.ts'
import { aService } from '../../../test/support/service.ts'
import { openHost } from './open-host.ts'
import { readerFor } from './reader.ts'

test('dear queries that come together share a slice in each turn of the event loop, and each is charged its own', async (t) => {
  const { world, store, vault, organizationId, root, close } = await aService()
  t.after(close)
  const host = openHost({ ...quietHost, store, world, activities, vault })
  const signer = { userId: root.userId, userName: 'Root', organizationId, organizationName: '' }
  const [STEPS, STEP] = [8, SLICE / 4]
  const doneIn = new Map<number, number>()
  let turn = 0
  function* steps(): Steps<void> {
    for (let step = 0; step < STEPS; step++) {
      yield STEP
      doneIn.set(turn, (doneIn.get(turn) ?? 0) + STEP)
    }
  }
  let isOver = false
  const nextTurn = (): void => {
    turn++
    if (!isOver) setImmediate(nextTurn)
  }
  nextTurn()
  const spent: number[] = []
  await Promise.all(
    Array.from({ length: 10 }, async (_, query) => {
      const reader = await readerFor(host, organizationId, signer, (units) => {
        spent[query] = units
      })
      await reader.through(steps())
    }),
  )
  isOver = true
  assert.deepEqual(spent, Array(10).fill(STEPS * STEP))
  // A step is charged in the turn before it: the last steps of all ten come in one.
  assert.ok(Math.max(...doneIn.values()) <= 3 * SLICE, JSON.stringify([...doneIn]))
})
