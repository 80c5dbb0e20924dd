import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../../../test/support/service.ts'
import { Secret } from '../../base/secret.ts'
import { workAlone } from '../../base/testing/work-alone.ts'
import type { Charter } from '../../charter/charter.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Memory } from '../memory/memory.ts'
import { sealCharter } from '../seals/seals.ts'
import { heartbeat } from './heartbeat.ts'
import { ShownHeartbeats } from './shown-heartbeats.ts'

test('other work waits for a charter without an attempt that is shown, and longer for a long one', async () => {
  const world = testWorld()
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
  const costOf = async (organizationName: string): Promise<number> => {
    const work = workAlone()
    const said = { organizationId: 'org', version: 1, organizationName, features: [] } as Partial<Charter>
    // All that is looked at.
    const charter = sealCharter(keyring, said as Charter)
    const means = { keyring, world, memory: new Memory(world), shownHeartbeats: new ShownHeartbeats() }
    assert.deepEqual(await heartbeat(means, { charter }, work), { kind: 'none' })
    return work.spent
  }
  const cost = await costOf('x')
  assert.ok(0 < cost && cost < (await costOf('x'.repeat(100_000))))
})
