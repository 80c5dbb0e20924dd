import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idAt } from '../../trusted/base/ids.ts'
import { seededWorld } from './seeded-world.ts'

const place = { organizationId: 'o', userId: 'u', kind: 'create_wallet' }
const none = { committed: [], dropped: [], unknown: [] }

function aWorld() {
  const world = seededWorld({ seed: '7', now: () => 0 })
  const drawing = () => {
    const begun = world.drawing?.()
    assert.ok(begun !== undefined)
    return begun
  }
  return { world, drawing }
}

test('a decision that is dropped, refused or tried again draws the same, and one beside it something else', () => {
  const { world, drawing } = aWorld()
  const first = drawing()
  const drawn = first.at(place)(32)
  const beside = drawing().at(place)(32)
  assert.notDeepEqual(beside, drawn)
  first.end(1)
  world.settled({ ...none, dropped: [1] })
  const again = drawing()
  assert.deepEqual(again.at(place)(32), drawn)
  again.end(undefined)
  const committed = drawing()
  assert.deepEqual(committed.at(place)(32), drawn)
  committed.end(2)
  world.settled({ ...none, committed: [2] })
  assert.notDeepEqual(drawing().at(place)(32), drawn)
})

test('a unit of which nobody knows whether it was written keeps its numbers', () => {
  const { world, drawing } = aWorld()
  const first = drawing()
  const drawn = first.at(place)(32)
  first.end(1)
  world.settled({ ...none, unknown: [1] })
  assert.notDeepEqual(drawing().at(place)(32), drawn)
})

test('organization, user and kind each draw for themselves, and no text of one passes for another', () => {
  const { drawing } = aWorld()
  const places = [
    place,
    { ...place, organizationId: 'p' },
    { ...place, userId: 'v' },
    { ...place, kind: 'create_wallet record' },
    { organizationId: 'u', userId: 'o', kind: 'create_wallet' },
    { organizationId: 'o', userId: '', kind: 'create_wallet u' },
  ]
  const drawn = places.map((of) => Buffer.from(drawing().at(of)(32)).toString('hex'))
  assert.equal(new Set(drawn).size, places.length)
})

test('things of one kind that are made at one instant have ids in the order of their making', () => {
  const { drawing } = aWorld()
  const ids = Array.from({ length: 300 }, () => idAt(0, drawing().at(place)))
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, 300)
})
