import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timestamp } from '../../charter/view.ts'
import { appendVote, hasWaitedTooLong, isFresh, type Vote, votedAt, votesOf } from './votes.ts'

const NOW = 1_700_000_000_123
const DAY_MS = 24 * 60 * 60 * 1000

function castAt(at: number): Vote {
  return {
    id: 'v',
    userId: 'U',
    user: {},
    activityId: 'a',
    selection: 'VOTE_SELECTION_APPROVED',
    message: '',
    publicKey: '',
    signature: '',
    scheme: '',
    createdAt: timestamp(at),
  }
}

test('a vote counts for less than 24 hours, to the millisecond', () => {
  assert.equal(votedAt(castAt(NOW)), NOW)
  assert.equal(isFresh(castAt(NOW - DAY_MS + 1), NOW), true)
  assert.equal(isFresh(castAt(NOW - DAY_MS), NOW), false)
})

test('an activity has waited too long 30 days after its newest vote, and never without one', () => {
  const old = castAt(NOW - 31 * DAY_MS)
  assert.equal(hasWaitedTooLong([old], NOW), true)
  assert.equal(hasWaitedTooLong([castAt(NOW - 30 * DAY_MS)], NOW), true)
  assert.equal(hasWaitedTooLong([castAt(NOW - 30 * DAY_MS + 1)], NOW), false)
  assert.equal(hasWaitedTooLong([old, castAt(NOW)], NOW), false)
  assert.equal(hasWaitedTooLong([], NOW), false)
})

test('votes are added to the list in their order', () => {
  const [first, second] = [JSON.stringify(castAt(NOW)), JSON.stringify(castAt(NOW + 1))]
  assert.deepEqual(votesOf(appendVote(appendVote('[]', first), second)), [castAt(NOW), castAt(NOW + 1)])
})
