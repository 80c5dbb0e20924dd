import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { activitySummaryView, summaryOf } from './activity-summary.ts'

const vote = {
  id: 'vote',
  userId: 'ada',
  user: { userName: 'Ada' },
  selection: 'VOTE_SELECTION_APPROVED',
  message: '{}',
  createdAt: timestamp(1_000),
}
const waiting: ActivityRow = {
  organizationId: 'organization',
  activityId: 'activity',
  fingerprint: 'sha256:00',
  timestampMs: 1_000,
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  awaited: 1,
  revision: 1,
  createdAt: 1_000,
  updatedAt: 1_000,
  intent: '{"userTagName":"Auditors","userIds":[]}',
  result: null,
  failure: null,
  votes: JSON.stringify([vote]),
  evaluations: JSON.stringify([{ voteId: 'vote', createdAt: 1_000, policyEvaluations: [] }]),
  voters: '["bob"]',
  seal: '',
}

test('a record is read once for all who are told of it, and each is told of their own rights', () => {
  let reads = 0
  const counted = (of: 'votes' | 'intent' | 'evaluations' | 'voters') => ({
    get: () => {
      reads++
      return waiting[of]
    },
  })
  const row = Object.defineProperties(
    { ...waiting },
    {
      votes: counted('votes'),
      intent: counted('intent'),
      evaluations: counted('evaluations'),
      voters: counted('voters'),
    },
  )

  const summary = summaryOf(row)
  const readOnce = reads
  const told = ['ada', 'bob', 'eve'].map((userId) => summary({ userId, now: 2_000 }))

  assert.equal(reads, readOnce)
  assert.deepEqual(
    told.map(({ canApprove, canReject }) => [canApprove, canReject]),
    [
      [false, true],
      [true, true],
      [false, false],
    ],
  )
  assert.deepEqual(told[1], activitySummaryView(waiting, { userId: 'bob', now: 2_000 }))
})
