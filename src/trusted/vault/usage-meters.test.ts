import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../base/secret.ts'
import type { ObjectRow, Unit } from '../catalogue/unit.ts'
import { testWorld } from '../../../test/support/service.ts'
import { NO_CHANGES, noChanges } from './carry-out.ts'
import { UnderWay } from './units-under-way.ts'
import { openKeyring } from './keyring.ts'
import { Memory } from './memory.ts'
import { Older } from './rollback-guard.ts'
import type { CountedUse } from './usage.ts'
import { openMeters, OpenedMeters } from './usage-meters.ts'

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

function brought(memory: Memory, rows: Rows, underWay: Rows = []) {
  return openMeters({ keyring, memory }, [use], { ids, rows, underWay }, world.now())
}

function opened(memory: Memory, rows: Rows, underWay: Rows = []): OpenedMeters {
  const meters = brought(memory, rows, underWay)
  assert.ok(meters instanceof OpenedMeters)
  return meters
}

/** The unit that counts one use more. */
function countedOn(memory: Memory, rows: Rows, underWay: Rows = []): Unit {
  return {
    ...NO_CHANGES,
    ...opened(memory, rows, underWay).counted(noChanges([]), { keyring, world }),
  }
}

test('a meter that this vault was shown, and another has counted on, is not taken as it was before', () => {
  const once = countedOn(new Memory(world), []).objects.put
  const twice = countedOn(new Memory(world), once).objects.put
  const memory = new Memory(world)
  assert.equal(opened(memory, once).before(use), 1n)
  assert.equal(opened(memory, twice).before(use), 2n)
  assert.equal(opened(memory, twice).before(use), 2n)
  for (const older of [once, []]) assert.throws(() => opened(memory, older), Older)
})

test('a meter is counted on as a unit under way will leave it, and no other unit under way may write it', () => {
  const memory = new Memory(world)
  const first = countedOn(memory, [])
  const tickets = [memory.handOut(first, world.now())]
  const second = countedOn(memory, [], first.objects.put)
  tickets.push(memory.handOut(second, world.now()))
  assert.equal(opened(memory, [], second.objects.put).before(use), 2n)
  // On the row of before, or on the one that another follows already, nothing more is handed out.
  for (const unit of [countedOn(memory, []), second])
    assert.throws(() => memory.handOut(unit, world.now()), UnderWay)
  memory.settle({ committed: tickets, dropped: [], unknown: [] }, world.now())
  assert.equal(opened(memory, second.objects.put).before(use), 2n)
  assert.throws(() => opened(memory, first.objects.put), Older)
  // Nor is it taken for what a unit under way will leave.
  assert.deepEqual(brought(memory, second.objects.put, first.objects.put), { kind: 'meters', ids })
})

test('a meter of a unit that was not written is not believed, and does not keep out the one that stands', () => {
  for (const how of ['dropped', 'unknown'] as const) {
    const memory = new Memory(world)
    const first = countedOn(memory, [])
    const ticket = memory.handOut(first, world.now())
    const second = countedOn(memory, [], first.objects.put)
    memory.settle({ committed: [], dropped: [], unknown: [], [how]: [ticket] }, world.now())
    assert.deepEqual(brought(memory, [], first.objects.put), { kind: 'meters', ids })
    assert.deepEqual(brought(memory, [], second.objects.put), { kind: 'meters', ids })
    assert.equal(opened(memory, []).before(use), 0n)
  }
})
