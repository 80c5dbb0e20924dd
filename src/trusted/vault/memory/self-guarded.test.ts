import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Placed } from '../../catalogue/objects.ts'
import { selfGuarded, selfGuardedRevision, selfGuardedStateIn } from './self-guarded.ts'

const NOW = 1_700_000_000_000
const HOUR_MS = 60 * 60 * 1000
// Nothing else of what an activity placed is looked at.
const placed = { kind: 'thing', objectId: 'o', body: '{"a":1}', expiresAt: NOW } as Placed

test('each row that guards itself counts up, and is kept an hour longer than anybody depends on it', () => {
  const first = { ...selfGuarded('O', placed, undefined), seal: 's1' }
  assert.deepEqual(first, {
    organizationId: 'O',
    kind: 'thing',
    objectId: 'o',
    body: JSON.stringify({ a: 1, revision: 1, keptUntil: NOW }),
    expiresAt: NOW + HOUR_MS,
    seal: 's1',
  })
  const second = { ...selfGuarded('O', placed, selfGuardedStateIn(first)), seal: 's2' }
  assert.deepEqual(selfGuardedStateIn(second), { revision: 2, seal: 's2', until: NOW })
  assert.equal(selfGuardedRevision(second), 2)
  assert.equal(selfGuardedRevision({ ...second, body: '{}' }), 0)
})

test('a row is never missed for a shorter time than the one before it', () => {
  const earlier = { revision: 7, seal: 's', until: NOW + 5 }
  const row = selfGuarded('O', placed, earlier)
  assert.deepEqual(JSON.parse(row.body), { a: 1, revision: 8, keptUntil: NOW + 5 })
  assert.equal(row.expiresAt, NOW + 5 + HOUR_MS)
  assert.throws(() => selfGuarded('O', { ...placed, expiresAt: null }, earlier))
})
