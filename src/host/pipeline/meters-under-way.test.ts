import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aUnit, anObject } from '../store/testing/fixtures.ts'
import { USAGE_METER } from '../../trusted/objects/usage-meter.ts'
import type { CommitResult } from '../store/store.ts'
import { MetersUnderWay } from './meters-under-way.ts'

const meter = (seal: string) => anObject('meter', { kind: USAGE_METER, seal })
const counting = (seal: string) => aUnit({ objects: { put: [anObject('key'), meter(seal)], remove: [] } })

test('a meter is as the last unit under way leaves it, until that is settled', async () => {
  const meters = new MetersUnderWay()
  const [first, second] = [Promise.withResolvers<CommitResult>(), Promise.withResolvers<CommitResult>()]
  meters.put(counting('first'), first.promise)
  meters.put(counting('second'), second.promise)
  assert.deepEqual(meters.get('meter')?.row, meter('second'))
  assert.equal(meters.get('key'), undefined)
  first.resolve({ kind: 'committed' })
  await first.promise
  assert.deepEqual(meters.get('meter')?.row, meter('second'))
  const ended = meters.get('meter')?.ended
  second.resolve({ kind: 'committed' })
  await ended
  assert.equal(meters.get('meter'), undefined)
})

test('a unit that was not written takes with it what rests on it', async () => {
  for (const outcome of [
    Promise.resolve<CommitResult>({ kind: 'conflict', conflict: 'object' }),
    Promise.reject(new Error('the disk is full')),
  ]) {
    const meters = new MetersUnderWay()
    meters.put(counting('first'), outcome)
    const ended = meters.get('meter')?.ended
    meters.put(counting('second'), new Promise(() => {}))
    await ended
    assert.equal(meters.get('meter'), undefined)
  }
})
