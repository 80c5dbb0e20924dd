import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { timestamp } from '../../charter/view.ts'
import { rightsOf } from './activity-view.ts'

const NOW = 1_700_000_000_123
const DAY_MS = 24 * 60 * 60 * 1000

/** Whether ada may approve and reject an activity for which votes were cast so many days ago. */
function rightsAfter(
  votes: readonly (readonly [userId: string, days: number])[],
  voters: readonly string[],
): string {
  const cast = votes.map(([userId, days]) => ({ userId, createdAt: timestamp(NOW - days * DAY_MS) }))
  // What its rights depend on.
  const row = {
    status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    votes: JSON.stringify(cast),
    voters: JSON.stringify(voters),
  } as ActivityRow
  const { canApprove, canReject } = rightsOf(row, 'ada', NOW)
  return [...(canApprove ? ['approve'] : []), ...(canReject ? ['reject'] : [])].join(', ')
}

test('a user whose vote has lapsed may approve again, and one with a newer vote may not', () => {
  assert.equal(rightsAfter([['ada', 0.5]], ['ben']), 'reject')
  assert.equal(rightsAfter([['ada', 2]], ['ben']), 'approve, reject')
  assert.equal(
    rightsAfter(
      [
        ['ada', 2],
        ['ada', 0.5],
      ],
      ['ben'],
    ),
    'reject',
  )
})

test('a user who is awaited may do both, and one who is not and has not voted may do neither', () => {
  assert.equal(rightsAfter([['ben', 0.5]], ['ada']), 'approve, reject')
  assert.equal(rightsAfter([['ben', 0.5]], ['eve']), '')
  assert.equal(rightsAfter([['ben', 31]], ['ada']), 'reject')
})
