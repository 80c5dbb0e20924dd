import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import {
  type ActivityRow,
  type CharterRow,
  emptyUnit,
  type ObjectRow,
  type Unit,
} from '../../catalogue/unit.ts'
import { USAGE_METER } from '../../objects/usage-meter.ts'
import { Memory } from './memory.ts'
import { selfGuardedKey } from './self-guarded.ts'

const NOW = 1_700_000_000_000
const METER = { organizationId: 'organization', kind: USAGE_METER, objectId: 'meter' }
const KEY = selfGuardedKey(METER)

function meter(revision: number): ObjectRow {
  const body = JSON.stringify({ revision, keptUntil: NOW + 1000 })
  return { ...METER, body, seal: `seal ${revision}`, expiresAt: NOW + 2000 }
}

/** A unit that counts on the meter. */
function use(after: string | null, leaves: ObjectRow): Unit {
  return {
    ...emptyUnit,
    objectGuards: [{ ...METER, seal: after }],
    objects: { put: [leaves], remove: [] },
  }
}

/** A unit that was decided on the meter, and leaves it as it is. */
function look(seal: string): Unit {
  return { ...emptyUnit, objectGuards: [{ ...METER, seal }] }
}

function memory(entriesMax?: number): Memory {
  return new Memory({ randomBytes: (length) => new Uint8Array(length) }, entriesMax)
}

const settled = { committed: [], dropped: [], unknown: [] }

test('a meter is known as the last unit leaves it, and as it was committed', () => {
  const known = memory()
  const first = known.handOut(use(null, meter(1)), NOW)
  assert.deepEqual(known.meterAhead(KEY, NOW), meter(1))
  assert.equal(known.meterStanding(KEY, NOW), undefined)
  known.settle({ ...settled, committed: [first] }, NOW)
  const second = known.handOut(use('seal 1', meter(2)), NOW)
  assert.deepEqual(known.meterAhead(KEY, NOW), meter(2))
  assert.deepEqual(known.meterStanding(KEY, NOW), meter(1))
  known.handOut(use('seal 2', meter(3)), NOW)
  known.settle({ ...settled, committed: [second] }, NOW)
  assert.deepEqual(known.meterAhead(KEY, NOW), meter(3))
  assert.deepEqual(known.meterStanding(KEY, NOW), meter(2))
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

test('of a unit that counts on two meters, each is known as it will leave it', () => {
  const OTHER_METER = { ...METER, objectId: 'other' }
  const known = memory()
  const unit = use(null, meter(1))
  known.handOut(
    {
      ...unit,
      objectGuards: [...unit.objectGuards, { ...OTHER_METER, seal: null }],
      objects: {
        put: [...unit.objects.put, { ...meter(1), ...OTHER_METER, seal: 'other seal' }],
        remove: [],
      },
    },
    NOW,
  )
  assert.deepEqual(known.meterAhead(KEY, NOW), meter(1))
  assert.equal(known.meterAhead(selfGuardedKey(OTHER_METER), NOW)?.seal, 'other seal')
})

test('what became of a unit is told once; a second time, or of one that there is not, changes nothing', () => {
  const known = memory()
  const ticket = known.handOut(use(null, meter(1)), NOW)
  known.settle({ ...settled, committed: [ticket] }, NOW)
  known.settle({ ...settled, committed: [ticket, 99], dropped: [ticket], unknown: [ticket] }, NOW)
  assert.deepEqual(known.meterStanding(KEY, NOW), meter(1))
})

test('a vault that has forgotten nothing yet takes a request of any time', () => {
  assert.doesNotThrow(() => memory().handOut(write(record({ timestampMs: 0 })), NOW))
})

test('a unit rests on a meter that another will leave, and not on one that nobody knows', () => {
  const known = memory()
  known.settle({ ...settled, committed: [known.handOut(use(null, meter(1)), NOW)] }, NOW)
  known.handOut(use('seal 1', meter(2)), NOW)
  assert.doesNotThrow(() => known.handOut(look('seal 2'), NOW))
  assert.throws(() => known.handOut(use('seal 0', meter(2)), NOW), { name: 'Older' })
})

const ORGANIZATION = '0198c5a0-7d3c-7000-8000-000000000001'
const OTHER = '0198c5a0-7d3c-7000-8000-000000000002'

function charter(version: number): CharterRow {
  return { organizationId: ORGANIZATION, version, body: '{}', seal: `seal ${version}` }
}

/** A unit that amends the charter of this version. */
function amend(version: number): Unit {
  return {
    ...emptyUnit,
    guards: [{ organizationId: ORGANIZATION, version }],
    charters: [charter(version + 1)],
  }
}

function record(overrides: Partial<ActivityRow> = {}): ActivityRow {
  return {
    organizationId: ORGANIZATION,
    activityId: 'activity',
    fingerprint: `sha256:${'ab'.repeat(32)}`,
    timestampMs: NOW,
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    status: 'ACTIVITY_STATUS_COMPLETED',
    awaited: 0,
    revision: 1,
    createdAt: NOW,
    updatedAt: NOW,
    intent: '{}',
    result: null,
    failure: null,
    votes: '[]',
    evaluations: '[]',
    voters: '[]',
    seal: `seal of ${overrides.revision ?? 1}`,
    ...overrides,
  }
}

function write(row: ActivityRow, replaces: number | null = null): Unit {
  return { ...emptyUnit, activity: { row, replaces, audience: [] } }
}

/** Hands it out, and tells that it was committed. */
function commit(known: Memory, unit: Unit): void {
  known.settle({ ...settled, committed: [known.handOut(unit, NOW)] }, NOW)
}

test('a charter that was amended is not amended again from before, nor is anything decided on it', () => {
  const known = memory()
  commit(known, amend(1))
  assert.throws(() => known.handOut(amend(1), NOW), { name: 'Older' })
  const guards = [{ organizationId: ORGANIZATION, version: 1 }]
  assert.throws(() => known.handOut({ ...emptyUnit, guards }, NOW), { name: 'Older' })
  assert.throws(() => known.charters.check(ORGANIZATION, { revision: 1, seal: 'seal 1' }, NOW), {
    name: 'Older',
  })
  assert.doesNotThrow(() => known.handOut(amend(2), NOW))
})

test('a charter is amended by one unit at a time, and one that was dropped leaves nothing behind', () => {
  const known = memory()
  const ticket = known.handOut(amend(1), NOW)
  assert.throws(() => known.handOut(amend(1), NOW), { name: 'UnderWay', ticket })
  known.settle({ ...settled, dropped: [ticket] }, NOW)
  assert.equal(known.charters.knows(ORGANIZATION, NOW), false)
  assert.doesNotThrow(() => known.handOut(amend(1), NOW))
})

test('the same request is written once in an organization, whatever became of its record', () => {
  const known = memory()
  const ticket = known.handOut(write(record()), NOW)
  assert.throws(() => known.handOut(write(record({ activityId: 'other' })), NOW), { name: 'UnderWay' })
  known.settle({ ...settled, committed: [ticket] }, NOW)
  assert.throws(() => known.handOut(write(record({ activityId: 'other' })), NOW), {
    name: 'Older',
    message: /its record is hidden$/,
  })
  assert.doesNotThrow(() => known.handOut(write(record({ organizationId: OTHER })), NOW))
  const other = record({ fingerprint: `sha256:${'cd'.repeat(32)}` })
  assert.doesNotThrow(() => known.handOut(write(other), NOW))
})

test('a request whose unit was dropped, or that may not have been written, may come again', () => {
  for (const became of ['dropped', 'unknown'] as const) {
    const known = memory()
    known.settle({ ...settled, [became]: [known.handOut(write(record()), NOW)] }, NOW)
    assert.doesNotThrow(() => known.handOut(write(record()), NOW))
  }
})

test('a record that was seen is known: its request is not written again, whether it ever waited or not', () => {
  for (const awaited of [0, 1] as const) {
    const known = memory()
    known.seeRecord(record({ awaited, revision: 2 }), NOW, () => false)
    assert.equal(known.records.knows('activity', NOW), awaited === 1)
    assert.throws(() => known.handOut(write(record({ activityId: 'other' })), NOW), { name: 'Older' })
  }
})

test('a record that waited is settled once: no vote replaces a revision that is older than the known one', () => {
  const known = memory()
  commit(known, write(record({ awaited: 1 })))
  commit(known, write(record({ awaited: 1, revision: 2 }), 1))
  assert.throws(() => known.handOut(write(record({ awaited: 1, revision: 2, seal: 'again' }), 1), NOW), {
    name: 'Older',
  })
  assert.throws(() => known.seeRecord(record({ awaited: 1 }), NOW, () => true), { name: 'Older' })
  assert.doesNotThrow(() => known.handOut(write(record({ awaited: 1, revision: 3 }), 2), NOW))
})

test('a row that guards itself is known as it was committed, and nothing rests on an older one', () => {
  const GRANT = { organizationId: ORGANIZATION, kind: 'grant', objectId: 'g' }
  const row = { ...meter(1), ...GRANT }
  const known = memory()
  commit(known, {
    ...emptyUnit,
    objectGuards: [{ ...GRANT, seal: null }],
    objects: { put: [row], remove: [] },
  })
  assert.throws(() => known.handOut({ ...emptyUnit, objectGuards: [{ ...GRANT, seal: null }] }, NOW), {
    name: 'Older',
  })
  assert.doesNotThrow(() =>
    known.handOut({ ...emptyUnit, objectGuards: [{ ...GRANT, seal: row.seal }] }, NOW),
  )
  // A row that does not guard itself is not noted.
  const other = { ...row, objectId: 'h' }
  const guarded = { ...emptyUnit, objectGuards: [{ ...GRANT, seal: row.seal }] }
  commit(known, { ...guarded, objects: { put: [other], remove: [] } })
  assert.equal(known.rows.knows(selfGuardedKey(other), NOW), false)
})

const PARENT = '0198c5a0-7d3c-7000-8000-000000000003'
const never = (): boolean => false

/** Known of each kind: a charter in version 2, a row and a waiting record in revision 2. */
function know(known: Memory, organizationId: string): void {
  known.seeCharter({ organizationId, parentId: null, version: 2 }, 'seal 2', NOW, never)
  known.seeRow({ ...METER, organizationId }, { revision: 2, seal: 'seal 2', until: NOW + 1000 }, NOW, never)
  known.seeRecord(record({ organizationId, awaited: 1, revision: 2 }), NOW, never)
}

/** Those of which an older state would be taken. */
function forgotten(known: Memory, organizationId: string): readonly string[] {
  const older = { revision: 1, seal: 'seal 1' }
  const guards = {
    charters: organizationId,
    rows: selfGuardedKey({ ...METER, organizationId }),
    records: 'activity',
  }
  return Object.entries(guards).flatMap(([kind, key]) => {
    try {
      known[kind as keyof typeof guards].check(key, older, NOW)
      return [kind]
    } catch {
      return []
    }
  })
}

test('what many sub-organizations have takes no room of another tenant, and their charters none of the parent', () => {
  const known = memory(6)
  know(known, ORGANIZATION)
  known.seeCharter({ organizationId: PARENT, parentId: null, version: 1 }, 'seal', NOW, never)
  for (let n = 0; n < 20; n++) {
    const sub = `sub-organization ${n}`
    commit(known, {
      ...emptyUnit,
      guards: [{ organizationId: sub, version: 0 }],
      charters: [{ organizationId: sub, version: 1, body: '{}', seal: 'seal' }],
      activity: {
        row: record({ organizationId: PARENT, activityId: `making ${n}`, fingerprint: fingerprintOf(n) }),
        replaces: null,
        audience: [],
      },
    })
    assert.equal(known.tenantOf(sub), PARENT)
    commit(known, useIn(sub))
    const waiting = { organizationId: sub, activityId: `waiting ${n}`, awaited: 1 } as const
    commit(known, write(record({ ...waiting, fingerprint: fingerprintOf(100 + n) })))
  }
  assert.deepEqual(forgotten(known, ORGANIZATION), [])
  assert.equal(known.charters.knows(PARENT, NOW), true)
})

test('organizations whose charter is not known have the room of one tenant together', () => {
  const known = memory(6)
  know(known, ORGANIZATION)
  for (let n = 0; n < 20; n++) {
    const organizationId = `unknown ${n}`
    known.seeRecord(record({ organizationId, activityId: organizationId, awaited: 1 }), NOW, never)
    known.seeRow({ ...METER, organizationId }, { revision: 1, seal: 'seal', until: NOW + 1000 }, NOW, never)
  }
  assert.deepEqual(forgotten(known, ORGANIZATION), [])
})

test('a founded organization is a tenant of its own, and a sub-organization is of its parent by its charter', () => {
  const known = memory()
  commit(known, {
    ...emptyUnit,
    guards: [{ organizationId: ORGANIZATION, version: 0 }],
    charters: [charter(1)],
  })
  known.seeCharter({ organizationId: OTHER, parentId: PARENT, version: 1 }, 'seal', NOW, never)
  assert.deepEqual(
    [ORGANIZATION, OTHER, PARENT].map((id) => known.tenantOf(id)),
    [ORGANIZATION, PARENT, undefined],
  )
})

function fingerprintOf(n: number): string {
  return `sha256:${hash('sha256', String(n))}`
}

/** A unit that counts in the organization. */
function useIn(organizationId: string): Unit {
  const unit = use(null, { ...meter(1), organizationId })
  return { ...unit, objectGuards: [{ ...METER, organizationId, seal: null }] }
}
