import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../../../test/support/service.ts'
import { stampKeyFrom } from '../../../../test/support/stamper.ts'
import { idAt } from '../../base/ids.ts'
import { Secret } from '../../base/secret.ts'
import { workAlone } from '../../base/testing/work-alone.ts'
import type { Charter } from '../../charter/charter.ts'
import { RECOVERY_ATTEMPT_FEATURE, RECOVERY_FEATURE } from '../../charter/organization-recovery.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Memory } from '../memory/memory.ts'
import { sealCharter } from '../seals/seals.ts'
import { heartbeat } from './heartbeat.ts'
import { ShownHeartbeats } from './shown-heartbeats.ts'

const world = testWorld()
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
const { publicKey } = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
const set = {
  name: RECOVERY_FEATURE,
  value: JSON.stringify({ publicKey, threshold: 2, shares: 3, delayHours: 72 }),
}
const attempt = {
  name: RECOVERY_ATTEMPT_FEATURE,
  value: JSON.stringify({
    attemptId: idAt(world.now(), world.randomBytes),
    begunAt: world.now(),
    users: [{ userName: 'Hedy', publicKey }],
    heartbeats: 0,
  }),
}

async function shown(said: Partial<Charter>) {
  const work = workAlone()
  const known = { organizationId: 'org', version: 1, deleted: false, ...said } as Partial<Charter>
  // All that is looked at before an hour is counted.
  const charter = sealCharter(keyring, known as Charter)
  const means = { keyring, world, memory: new Memory(world), shownHeartbeats: new ShownHeartbeats() }
  const { kind } = await heartbeat(means, { charter }, work)
  return { kind, cost: work.spent }
}

test('an hour runs where a set has begun an attempt, and in no organization that was deleted', async () => {
  const features = [set, attempt]
  assert.equal((await shown({ features })).kind, 'waits')
  assert.equal((await shown({ features, deleted: true })).kind, 'none')
  for (const one of [[], [set], [attempt]]) assert.equal((await shown({ features: one })).kind, 'none')
})

test('other work waits for a charter that is shown, and longer for a long one', async () => {
  const costOf = async (organizationName: string): Promise<number> =>
    (await shown({ organizationName, features: [] })).cost
  const cost = await costOf('x')
  assert.ok(0 < cost && cost < (await costOf('x'.repeat(100_000))))
})
