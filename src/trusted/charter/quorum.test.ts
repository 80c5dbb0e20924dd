import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import type { Charter } from './charter.ts'
import { withRootQuorum } from './quorum.ts'
import { rootAddresses } from './root-addresses.ts'

const [ada] = filledCharter.users
const charter: Charter = {
  ...filledCharter,
  users: ['ada', 'ben', 'cyd'].map((userId) => ({ ...ada, userId, userEmail: `${userId}@example.com` })),
}

test('a root quorum is of users of the organization, each once, and of no more of them than there are', () => {
  for (const threshold of [1, 2]) {
    const rootQuorum = { threshold, userIds: ['ada', 'cyd'] }
    assert.deepEqual(withRootQuorum(charter, rootQuorum), { ...charter, rootQuorum })
  }
  for (const [threshold, userIds, message] of [
    [0, ['ada'], 'quorum threshold must be non-zero integer, and not negative: 0'],
    [3, ['ada', 'cyd'], 'quorum threshold must be at most the number of root users: 3 of 2'],
    [1, [], 'quorum users missing: the root quorum cannot be empty'],
    [1, ['ada', 'dan', 'eve'], 'quorum users missing: dan, eve'],
    [1, ['ada', 'ben', 'ada'], 'quorum users must be distinct: ada is named twice'],
  ] as const)
    assert.throws(() => withRootQuorum(charter, { threshold, userIds }), { message })
})

test('what goes to all root users goes to each of their addresses once, and to nobody else', () => {
  const [first, second, third] = charter.users
  const users = [first, second, third].map((user) => user ?? ada)
  const rootQuorum = { threshold: 1, userIds: ['ada', 'ben', 'dan'] }
  const dan = { ...ada, userId: 'dan', userEmail: 'ada@example.com' }
  const { userEmail: _, ...unreached } = { ...ada, userId: 'ben' }
  assert.deepEqual(rootAddresses({ ...charter, rootQuorum, users: [...users, dan] }), [
    'ada@example.com',
    'ben@example.com',
  ])
  assert.deepEqual(rootAddresses({ ...charter, rootQuorum, users: [unreached, ...users.slice(2)] }), [])
})
