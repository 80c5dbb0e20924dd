import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectRow, Unit } from '../catalogue/unit.ts'
import { USAGE_METER } from '../objects/usage-meter.ts'
import { Memory } from './memory.ts'
import { selfGuardedKey } from './self-guarded.ts'

const NOW = 1_700_000_000_000
const NOTHING: Unit = {
  guards: [],
  charters: [],
  objectGuards: [],
  objects: { put: [], remove: [] },
  jobs: [],
  claims: { put: [], remove: [] },
  directory: { put: [], remove: [] },
}
const METER = { organizationId: 'organization', kind: USAGE_METER, objectId: 'meter' }
const KEY = selfGuardedKey(METER)

function meter(revision: number): ObjectRow {
  const body = JSON.stringify({ revision, keptUntil: NOW + 1000 })
  return { ...METER, body, seal: `seal ${revision}`, expiresAt: NOW + 2000 }
}

/** A unit that counts on the meter. */
function use(after: string | null, leaves: ObjectRow): Unit {
  return {
    ...NOTHING,
    objectGuards: [{ ...METER, seal: after }],
    objects: { put: [leaves], remove: [] },
  }
}

/** A unit that was decided on the meter, and leaves it as it is. */
function look(seal: string): Unit {
  return { ...NOTHING, objectGuards: [{ ...METER, seal }] }
}

function memory(): Memory {
  return new Memory({ randomBytes: (length) => new Uint8Array(length) })
}

const settled = { committed: [], dropped: [], unknown: [] }

test('a meter is known as the last unit leaves it, and as it was committed', () => {
  const known = memory()
  const first = known.handOut(use(null, meter(1)), NOW)
  assert.deepEqual(known.meterAhead(KEY, NOW), meter(1))
  assert.equal(known.meterStanding(KEY, NOW), undefined)
  known.settle({ ...settled, committed: [first] }, NOW)
  known.handOut(use('seal 1', meter(2)), NOW)
  assert.deepEqual(known.meterAhead(KEY, NOW), meter(2))
  assert.deepEqual(known.meterStanding(KEY, NOW), meter(1))
})

for (const became of ['dropped', 'unknown'] as const) {
  test(`a meter is forgotten when a unit that counts on it is ${became}`, () => {
    const known = memory()
    known.settle({ ...settled, committed: [known.handOut(use(null, meter(1)), NOW)] }, NOW)
    const ticket = known.handOut(use('seal 1', meter(2)), NOW)
    known.settle({ ...settled, [became]: [ticket] }, NOW)
    assert.equal(known.meterAhead(KEY, NOW), undefined)
    assert.equal(known.meterStanding(KEY, NOW), undefined)
  })

  test(`a meter is forgotten when a unit that was decided on it, and leaves it as it is, is ${became}`, () => {
    const known = memory()
    known.settle({ ...settled, committed: [known.handOut(use(null, meter(1)), NOW)] }, NOW)
    const ticket = known.handOut(look('seal 1'), NOW)
    assert.deepEqual(known.meterAhead(KEY, NOW), meter(1))
    known.settle({ ...settled, [became]: [ticket] }, NOW)
    assert.equal(known.meterAhead(KEY, NOW), undefined)
    assert.equal(known.meterStanding(KEY, NOW), undefined)
  })
}

test('a unit rests on a meter that another will leave, and not on one that nobody knows', () => {
  const known = memory()
  known.settle({ ...settled, committed: [known.handOut(use(null, meter(1)), NOW)] }, NOW)
  known.handOut(use('seal 1', meter(2)), NOW)
  assert.doesNotThrow(() => known.handOut(look('seal 2'), NOW))
  assert.throws(() => known.handOut(use('seal 0', meter(2)), NOW), { name: 'Older' })
})
