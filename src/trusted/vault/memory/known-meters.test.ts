import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectRow } from '../../catalogue/unit.ts'
import { USAGE_METER } from '../../objects/usage-meter.ts'
import { KnownMeters } from './known-meters.ts'

function meter(body: string): ObjectRow {
  return { organizationId: 'org', kind: USAGE_METER, objectId: 'meter', body, seal: 'seal', expiresAt: 1 }
}

/** How many meters with such a body are remembered at once. */
function remembered(body: string, many: number): number {
  const known = new KnownMeters()
  const keys = Array.from({ length: many }, (_, at) => `meter ${at}`)
  for (const key of keys) {
    const row = meter(body)
    known.handedOut(key, row)
    known.committed(key, row)
  }
  return keys.filter((key) => known.standing(key) !== undefined).length
}

test('the meters that a vault remembers are bounded however short they are, and are fewer the longer they are', () => {
  const short = remembered('{}', 40_000)
  assert.ok(30_000 < short && short < 40_000, `${short}`)
  const long = remembered('x'.repeat(6_500), 4_000)
  assert.ok(2_000 < long && long < 4_000, `${long}`)
})
