import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnedTimers } from '../outside/testing/timers.ts'
import { outages } from './outages.ts'

test('an outage is one line in the log, however many meet it, and its end is another', async () => {
  let time = 0
  let works = false
  const timers = turnedTimers(() => time)
  const lines: unknown[] = []
  const check = async () => works
  const out = outages({
    log: (level, event, fields) => lines.push([level, event, fields]),
    now: () => time,
    timers,
    checks: { store: check, vault: check, archives: check },
  })
  const aSecond = async (isOut: boolean): Promise<void> => {
    time += 1_000
    timers.turn()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(out.isOut('store'), isOut)
  }

  for (let requests = 0; requests < 100; requests++) out.met('store', new Error('the disk is full'))
  assert.equal(out.isOut('store'), true)
  assert.equal(out.isOut('vault'), false)
  await aSecond(true)
  works = true
  await aSecond(true)
  await aSecond(true)
  // A small write went through, and a larger one did not: it is not over yet.
  out.met('store', new Error('the disk is full'))
  await aSecond(true)
  await aSecond(true)
  await aSecond(false)
  assert.deepEqual(lines, [
    ['error', 'outage', { of: 'store', detail: 'the disk is full' }],
    ['info', 'outage over', { of: 'store', seconds: 6, faults: 101 }],
  ])
  out.met('store', new Error('again'))
  assert.equal(lines.length, 3)
})
