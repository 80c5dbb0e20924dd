import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../base/secret.ts'
import type { ObjectRow } from '../catalogue/unit.ts'
import { testWorld } from '../../../test/support/service.ts'
import { noChanges } from './carry-out.ts'
import { openKeyring } from './keyring.ts'
import { Memory } from './memory.ts'
import { Older } from './newest.ts'
import type { CountedUse } from './usage.ts'
import { openMeters, OpenedMeters } from './usage-meters.ts'

test('a meter that this vault was shown, and another has counted on, is not taken as it was before', () => {
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
  const opened = (memory: Memory, rows: readonly ObjectRow[]): OpenedMeters => {
    const ids = [{ organizationId: use.organizationId, objectId: use.id }]
    const meters = openMeters({ keyring, memory }, [use], { ids, rows }, world.now())
    assert.ok(meters instanceof OpenedMeters)
    return meters
  }
  const countedOn = (rows: readonly ObjectRow[]): readonly ObjectRow[] =>
    opened(new Memory(world), rows).counted(noChanges([]), { keyring, world }).objects.put
  const once = countedOn([])
  const twice = countedOn(once)
  const memory = new Memory(world)
  assert.equal(opened(memory, once).before(use), 1n)
  assert.equal(opened(memory, twice).before(use), 2n)
  assert.equal(opened(memory, twice).before(use), 2n)
  for (const older of [once, []]) assert.throws(() => opened(memory, older), Older)
})
