import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../trusted/activities/list.ts'
import { attemptOf, HOUR, underWay } from '../../trusted/activities/organizations/testing/recovery.ts'
import { quietHost } from '../../../test/support/quiet.ts'
import { aService } from '../../../test/support/service.ts'
import { until } from '../outside/testing/timers.ts'
import { openHost } from '../pipeline/open-host.ts'
import { startCountingHeartbeats } from './counting-heartbeats.ts'

test('a host that runs has the hours of a recovery counted, and wakes what has mails to send', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { world, store, vault, root } = service
  await underWay(service)
  let due: (() => void) | undefined
  const after = (_ms: number, run: () => void) => {
    due = run
    return () => {
      due = undefined
    }
  }
  const committed: string[] = []
  const host = openHost({
    ...quietHost,
    store,
    vault,
    world,
    activities,
    onCommitted: (organizationId) => committed.push(organizationId),
  })
  const troubles: unknown[] = []
  const counting = startCountingHeartbeats({
    host,
    world,
    timers: { after },
    onTrouble: (error) => troubles.push(error),
  })
  // A minute at a time, as the host looks.
  for (let minute = 0; minute < 3 * 60 + 6; minute++) {
    world.advance(HOUR / 60)
    const look = due
    due = undefined
    look?.()
    await until(() => due !== undefined, 'the next look')
  }
  assert.equal((await attemptOf(service, root)).heartbeats, 3)
  assert.equal(committed.length, 3)
  await counting.stop()
  assert.equal(due, undefined)
  assert.deepEqual(troubles, [])
})
