import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../base/assert.ts'
import { Secret } from '../../base/secret.ts'
import { emptyUnit, type ObjectRow, type Unit } from '../../catalogue/unit.ts'
import { testWorld } from '../../../../test/support/service.ts'
import { noChanges } from '../decision/changes.ts'
import { UnderWay } from '../memory/units-under-way.ts'
import { costs } from '../../base/costs.ts'
import { finished } from '../../base/work.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Memory } from '../memory/memory.ts'
import { Older } from '../memory/rollback-guard.ts'
import { resealedObject, sealObject } from '../seals/seals.ts'
import type { CountedUse } from './usage.ts'
import { metersAhead, type OpenedMeters, standingMeters } from './usage-meters.ts'

const world = testWorld()
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
const use: CountedUse = {
  id: 'meter',
  organizationId: '019aa1b0-0000-7000-8000-000000000001',
  key: 'sent by one',
  meter: {
    key: 'sent',
    text: 'count()',
    windowMs: 60 * 60 * 1000,
    use: () => assert.fail('it was asked before'),
  },
  amounts: new Map([[0, 1n]]),
  total: 1n,
}
const ids = [{ organizationId: use.organizationId, objectId: use.id }]

type Rows = readonly ObjectRow[]

function opened(memory: Memory, rows: Rows, uses: readonly CountedUse[] = [use]): OpenedMeters {
  const meters = finished(
    standingMeters({ keyring, memory }, uses, { ids, rows, asTheyStand: true }, world.now()),
  )
  assert.ok(meters !== undefined)
  return meters
}

function ahead(memory: Memory): OpenedMeters | undefined {
  return finished(metersAhead({ keyring, memory }, [use], world.now()))
}

/** The unit that counts one use more. */
function countedOn(meters: OpenedMeters | undefined): Unit {
  return { ...emptyUnit, ...finished(present(meters, 'meters').counted(noChanges([]), { keyring, world })) }
}

function settle(
  memory: Memory,
  how: 'committed' | 'dropped' | 'unknown',
  ...tickets: readonly number[]
): void {
  memory.settle({ committed: [], dropped: [], unknown: [], [how]: tickets }, world.now())
}

test('a meter that this vault was shown, and another has counted on, is not taken as it was before', () => {
  const once = countedOn(opened(new Memory(world), [])).objects.put
  const twice = countedOn(opened(new Memory(world), once)).objects.put
  const memory = new Memory(world)
  assert.equal(opened(memory, once).before(use), 1n)
  assert.equal(opened(memory, twice).before(use), 2n)
  assert.equal(opened(memory, twice).before(use), 2n)
  for (const older of [once, []]) assert.throws(() => opened(memory, older), Older)
})

test('a meter is counted on as units under way will leave it, and no other unit under way may write it', () => {
  const memory = new Memory(world)
  assert.equal(ahead(memory), undefined)
  const first = countedOn(opened(memory, []))
  const tickets = [memory.handOut(first, world.now())]
  const second = countedOn(ahead(memory))
  tickets.push(memory.handOut(second, world.now()))
  assert.equal(ahead(memory)?.before(use), 2n)
  // On the row of before, or on the one that another follows already, nothing more is handed out.
  for (const unit of [countedOn(opened(memory, [])), second])
    assert.throws(() => memory.handOut(unit, world.now()), UnderWay)
  assert.equal(opened(memory, []).before(use), 0n)
  settle(memory, 'committed', ...tickets)
  for (const rows of [[], first.objects.put, second.objects.put])
    assert.equal(opened(memory, rows).before(use), 2n)
  assert.equal(ahead(memory)?.before(use), 2n)
})

test('a meter of a unit that was not written is not believed, and does not keep out the one that stands', () => {
  for (const how of ['dropped', 'unknown'] as const) {
    const memory = new Memory(world)
    const ticket = memory.handOut(countedOn(opened(memory, [])), world.now())
    const second = countedOn(ahead(memory))
    settle(memory, how, ticket)
    assert.equal(ahead(memory), undefined)
    assert.equal(opened(memory, []).before(use), 0n)
    // What was decided on it has nothing to follow, and the store finds another row than it is guarded by.
    memory.handOut(second, world.now())
    settle(memory, how, ticket + 1)
    assert.equal(ahead(memory), undefined)
  }
})

test('a meter that this vault has written is missed when it is put back, once its own row was not found', () => {
  const memory = new Memory(world)
  const first = countedOn(opened(memory, []))
  settle(memory, 'committed', memory.handOut(first, world.now()))
  const second = countedOn(ahead(memory))
  settle(memory, 'committed', memory.handOut(second, world.now()))
  settle(memory, 'dropped', memory.handOut(countedOn(ahead(memory)), world.now()))
  for (const older of [first.objects.put, []]) assert.throws(() => opened(memory, older), Older)
  assert.equal(opened(memory, second.objects.put).before(use), 2n)
})

test('a meter that everything has left is not remembered', () => {
  const memory = new Memory(world)
  const unit = countedOn(opened(memory, []))
  settle(memory, 'committed', memory.handOut(unit, world.now()))
  const { keptUntil } = JSON.parse(present(unit.objects.put[0], 'the meter').body) as { keptUntil: number }
  world.advance(keptUntil - world.now() - 1)
  assert.notEqual(ahead(memory), undefined)
  world.advance(1)
  assert.equal(ahead(memory), undefined)
  assert.equal(opened(memory, []).before(use), 0n)
})

test('the row of another meter is not counted on, although the vault has sealed it', () => {
  const others: readonly CountedUse[] = [
    { ...use, key: 'sent by other' },
    { ...use, organizationId: '019aa1b0-0000-7000-8000-000000000002' },
  ]
  const rows = others.map((other) =>
    present(countedOn(opened(new Memory(world), [], [other])).objects.put[0], 'a row'),
  )
  const { seal: _, ...row } = present(countedOn(opened(new Memory(world), [])).objects.put[0], 'a row')
  rows.push(
    sealObject(keyring, { ...row, kind: 'otp_contact' }, new Secret(new Uint8Array()), world.randomBytes),
  )
  for (const brought of rows)
    assert.throws(() => opened(new Memory(world), [brought]), {
      message: /the row of another meter was brought/,
    })
})

test('a use of nothing writes no meter, and depends on the one that was read', () => {
  const nothing = { ...use, total: 0n, amounts: new Map([[0, 0n]]) }
  const none = countedOn(opened(new Memory(world), [], [nothing]))
  assert.deepEqual([none.objectGuards, none.objects.put], [[], []])
  const { put } = countedOn(opened(new Memory(world), [])).objects
  const one = countedOn(opened(new Memory(world), put, [nothing]))
  assert.deepEqual(
    [one.objectGuards.map(({ seal }) => seal), one.objects.put],
    [put.map(({ seal }) => seal), []],
  )
})

test('an answer depends on each of its meters, and not on one of them', () => {
  const memory = new Memory(world)
  const other = { ...use, id: 'other', key: 'sent by other' }
  const both = [use, other]
  const brought = {
    ids: both.map(({ id, organizationId }) => ({ organizationId, objectId: id })),
    rows: [],
    asTheyStand: true,
  }
  const meters = finished(standingMeters({ keyring, memory }, both, brought, world.now()))
  memory.handOut(countedOn(meters), world.now())
  const ahead = present(finished(metersAhead({ keyring, memory }, both, world.now())), 'both meters')
  const unit = countedOn(ahead)
  assert.equal(ahead.areGuardsOf(unit), true)
  for (const guard of unit.objectGuards)
    assert.equal(ahead.areGuardsOf({ ...unit, objectGuards: [guard] }), false)
})

test('a meter that was sealed anew is depended on under its newest seal', () => {
  const memory = new Memory(world)
  const first = countedOn(opened(memory, []))
  settle(memory, 'committed', memory.handOut(first, world.now()))
  const renewed = openKeyring(
    [1, 2].map((version) => ({ version, secret: new Secret(new Uint8Array(32).fill(6 + version)) })),
  )
  const rows = first.objects.put.map((row) => ({
    ...row,
    seal: resealedObject(renewed, row, world.randomBytes),
  }))
  const meters = present(
    finished(
      standingMeters({ keyring: renewed, memory }, [use], { ids, rows, asTheyStand: true }, world.now()),
    ),
    'the meter',
  )
  const { objectGuards } = finished(meters.counted(noChanges([]), { keyring: renewed, world }))
  assert.deepEqual(
    objectGuards.map(({ seal }) => seal),
    rows.map(({ seal }) => seal),
  )
})

test('the instants at which usage leaves the windows of several meters are told the earliest first', () => {
  const longer = {
    ...use,
    id: 'longer',
    key: 'sent for longer',
    meter: { ...use.meter, windowMs: 2 * use.meter.windowMs },
  }
  const both = [longer, use]
  const all = both.map(({ id, organizationId }) => ({ organizationId, objectId: id }))
  const brought = (rows: Rows) =>
    finished(
      standingMeters(
        { keyring, memory: new Memory(world) },
        both,
        { ids: all, rows, asTheyStand: true },
        world.now(),
      ),
    )
  const instants = present(brought(countedOn(brought([])).objects.put), 'both meters').departures()
  assert.equal(instants.length, 2)
  assert.deepEqual(
    instants,
    instants.toSorted((a, b) => a - b),
  )
})

test('many meters are opened and sealed in steps, and each row is charged', () => {
  const memory = new Memory(world)
  const uses = Array.from({ length: 100 }, (_, at) => ({ ...use, id: `meter ${at}`, key: `sent by ${at}` }))
  const brought = {
    ids: uses.map(({ id, organizationId }) => ({ organizationId, objectId: id })),
    rows: [] as Rows,
    asTheyStand: true,
  }
  const none = present(finished(standingMeters({ keyring, memory }, uses, brought, world.now())), 'none yet')
  const sealing = [...none.counted(noChanges([]), { keyring, world })]
  const { objects } = finished(none.counted(noChanges([]), { keyring, world }))
  const opening = [
    ...standingMeters(
      { keyring, memory: new Memory(world) },
      uses,
      { ...brought, rows: objects.put },
      world.now(),
    ),
  ]
  memory.handOut(countedOn(none), world.now())
  const further = [...metersAhead({ keyring, memory }, uses, world.now())]
  for (const steps of [sealing, opening, further]) {
    assert.equal(steps.length, uses.length)
    for (const cost of steps) assert.ok(cost > costs.row, `${cost}`)
  }
})
