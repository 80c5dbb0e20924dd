import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../../../test/support/service.ts'
import { stampKeyFrom } from '../../../../test/support/stamper.ts'
import { setOrganizationFeature } from '../../activities/organizations/set-organization-feature.ts'
import { idAt } from '../../base/ids.ts'
import type { Charter } from '../../charter/charter.ts'
import { RECOVERY_ATTEMPT_FEATURE, RECOVERY_FEATURE } from '../../charter/organization-recovery.ts'
import { checkRecoveryIsKnown } from './recovery-is-known.ts'
import { ShownHeartbeats } from './shown-heartbeats.ts'

const world = testWorld()
const { publicKey } = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
const [attemptId, otherId] = [1, 2].map(() => idAt(world.now(), world.randomBytes))
const set = {
  name: RECOVERY_FEATURE,
  value: JSON.stringify({ publicKey, threshold: 2, shares: 3, delayHours: 72 }),
}

function attempt(heartbeats: number) {
  const users = [{ userName: 'Hedy', publicKey }]
  const value = JSON.stringify({ attemptId, begunAt: world.now(), users, heartbeats })
  return { name: RECOVERY_ATTEMPT_FEATURE, value }
}

/** Whether a vault that was just started keeps it waiting. */
function waits(features: Charter['features'], asked: { readonly name?: string; readonly complete?: string }) {
  const { name = RECOVERY_ATTEMPT_FEATURE, complete = attemptId } = asked
  const intent = { name, value: JSON.stringify({ complete }) }
  // All that is looked at.
  const charter = { organizationId: 'org', features } as Partial<Charter> as Charter
  const means = { shownHeartbeats: new ShownHeartbeats() }
  try {
    checkRecoveryIsKnown(means, charter, { activity: setOrganizationFeature, intent })
    return false
  } catch (error) {
    assert.match(String(error), /this service was started anew, and waits 12 hours more/)
    return true
  }
}

test('a vault that was started anew keeps nothing waiting but the completion of an attempt whose delay is over', () => {
  const over = [set, attempt(72)]
  assert.equal(waits(over, {}), true)
  assert.equal(waits(over, { complete: otherId ?? '' }), false)
  assert.equal(waits(over, { name: 'FEATURE_NAME_SMS_AUTH' }), false)
  for (const features of [[set, attempt(71)], [set], [attempt(72)], []])
    assert.equal(waits(features, {}), false)
})
