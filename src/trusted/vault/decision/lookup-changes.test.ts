import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finished, SLICE } from '../../base/work.ts'
import { type ApiKey, type Charter, noCredentials, nothingYet, type User } from '../../charter/charter.ts'
import { entriesOf } from '../authentication/directory-entries.ts'
import { lookupChanges } from './directory-changes.ts'

const times = { createdAt: 1, updatedAt: 1 }

function aUser(userId: string, more: Partial<User> = {}): User {
  return { userId, userName: userId, ...noCredentials, ...more, ...times }
}

function aKey(publicKey: string): ApiKey {
  const type = 'CREDENTIAL_TYPE_API_KEY_P256'
  return { apiKeyId: publicKey, apiKeyName: publicKey, publicKey, type, proven: true, ...times }
}

function aCharter(users: readonly User[], more: Partial<Charter> = {}): Charter {
  return {
    organizationId: 'sub',
    organizationName: 'Sub',
    parentId: 'parent',
    version: 2,
    deleted: false,
    rootQuorum: { threshold: 1, userIds: [] },
    ...nothingYet,
    users,
    ...more,
    ...times,
  }
}

const ada = aUser('ada', { userEmail: 'we@example.com', apiKeys: [aKey('a')] })
const bob = aUser('bob', { userEmail: 'we@example.com', apiKeys: [aKey('b')] })
const before = aCharter([ada, bob])
const endpoint = {
  endpointId: 'hook',
  url: 'https://example.com',
  name: 'Hook',
  isActive: true,
  subscriptions: [{ eventType: 'ACTIVITY_UPDATES', isActive: true, filtersJson: '' }],
  ...times,
}

const AMENDED: Readonly<Record<string, Charter>> = {
  'one of two users with an address gets another': aCharter([{ ...ada, userEmail: 'ada@example.com' }, bob]),
  'one of them goes': aCharter([bob]),
  'one more comes with the address': aCharter([ada, bob, aUser('eve', { userEmail: 'WE@example.com' })]),
  'a key goes from one to the other': aCharter([ada, { ...bob, apiKeys: [aKey('a')] }]),
  'the name is that of a user': aCharter([ada, bob], { organizationName: 'ada' }),
  'an endpoint comes': aCharter([ada, bob], { webhookEndpoints: [endpoint] } as Partial<Charter>),
  'it is deleted': aCharter([ada, bob], { deleted: true }),
  'nothing changes': aCharter([ada, bob]),
}

for (const [what, after] of Object.entries(AMENDED)) {
  test(`the directory gets what is new and loses what is gone: ${what}`, () => {
    const only = (of: Charter, other: Charter) => {
      const others = new Set(entriesOf(other).map((entry) => JSON.stringify(entry)))
      return entriesOf(of).filter((entry) => !others.has(JSON.stringify(entry)))
    }
    const { put, remove } = finished(lookupChanges(before, after))
    assert.deepEqual(new Set(put), new Set(only(after, before)))
    assert.deepEqual(new Set(remove), new Set(only(before, after)))
  })
}

test('users who stay as they are are looked at in steps, and charged', () => {
  const many = Array.from({ length: 100 }, (_, user) =>
    aUser(`user ${user}`, { apiKeys: Array.from({ length: 20 }, (__, key) => aKey(`${user}-${key}`)) }),
  )
  const amended = aCharter(many.with(0, { ...(many[0] ?? ada), userName: 'Another' }))
  const steps = [...lookupChanges(aCharter(many), amended)]
  assert.ok(steps.length >= many.length, `${steps.length} steps`)
  assert.ok(Math.max(...steps) < SLICE)
  assert.ok(steps.reduce((sum, cost) => sum + cost, 0) > many.length * 20)
})
