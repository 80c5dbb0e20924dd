import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../../../test/support/service.ts'
import type { ResealRequest } from '../../../protocol/vault.ts'
import { Secret } from '../../base/secret.ts'
import { workAlone } from '../../base/testing/work-alone.ts'
import type { World } from '../../base/world.ts'
import type { Charter } from '../../charter/charter.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Memory } from '../memory/memory.ts'
import { reseal } from './reseal.ts'
import { sealCharter, sealObject } from './seals.ts'

const world = testWorld()
const root = (version: number) => ({ version, secret: new Secret(new Uint8Array(32).fill(version)) })
const before = openKeyring([root(1)])
const keyring = openKeyring([root(1), root(2)])
const object = sealObject(
  before,
  { organizationId: 'org', kind: 'k', objectId: 'o', body: '{}', expiresAt: null },
  new Secret(Buffer.from('secret')),
  world.randomBytes,
)
// Nothing else of a charter is looked at.
const charter = sealCharter(before, {
  organizationId: 'org',
  version: 9,
  oauth2Credentials: [],
} as Partial<Charter> as Charter)

async function resealed(page: Partial<ResealRequest>, randomBytes: World['randomBytes'] = world.randomBytes) {
  const work = workAlone()
  const means = { keyring, memory: new Memory(world), world: { ...world, randomBytes } }
  const request = {
    pass: 'one',
    place: 'x',
    unread: 0,
    seals: [],
    withSecrets: [],
    charters: [],
    activities: [],
    objects: [],
    jobs: [],
    ...page,
  }
  const answer = await reseal(means, request, work)
  assert.ok(answer.kind === 'resealed')
  return { ...answer, cost: work.spent }
}

test('what is left under each other version is counted, in the order of the versions, and so is what cannot be read', async () => {
  const { count } = await resealed({ seals: ['2.4.AA', '2.2.AA', '2.3.AA', '2.1.AA', 'none'], unread: 2 })
  assert.deepEqual(
    [count.rows, count.unsealed, count.found],
    [7, 2, [1, 3, 4].map((version) => ({ version, rows: 1 }))],
  )
})

test('a page that fails for another reason than its rows is not counted, and no row is said to be at fault', async () => {
  const noChance = (): never => {
    throw new Error('there is no chance')
  }
  await assert.rejects(resealed({ objects: [object] }, noChance), { message: 'there is no chance' })
  const { troubles } = await resealed({ objects: [{ ...object, objectId: 'other' }] }, noChance)
  assert.match(troubles.join(), /does not carry the vault's seal/)
})

test('other work waits for each row of a page, and longer for a long one', async () => {
  const long = 'x'.repeat(100_000)
  const costs = [
    await resealed({}),
    await resealed({ objects: [object] }),
    await resealed({ objects: [{ ...object, body: long }] }),
    await resealed({ objects: [object, { ...object, body: long }] }),
  ].map(({ cost }) => cost)
  assert.deepEqual(
    costs,
    [...new Set(costs)].toSorted((a, b) => a - b),
  )
  // A charter whose client secrets are looked at is opened whole.
  const opened = await resealed({ withSecrets: [charter] })
  const longer = await resealed({ withSecrets: [{ ...charter, body: long }] })
  assert.ok(0 < opened.cost && opened.cost < longer.cost)
})
