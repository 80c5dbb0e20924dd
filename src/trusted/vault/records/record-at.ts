import { assert, present } from '../../base/assert.ts'
import type { ActivityRow, ActivityStatus } from '../../catalogue/unit.ts'
import { votedAt, votesOf } from './votes.ts'

/**
 * An earlier state of a record. Before its last revision an activity was waiting, and its votes and their evaluations
 * are stored in order.
 */
export function recordAt(row: ActivityRow, revision: number): ActivityRow {
  assert(revision >= 1 && revision <= row.revision, 'a revision that this record has had')
  if (revision === row.revision) return row
  // The vault wrote these lists, an entry for each revision.
  const votes = votesOf(row.votes).slice(0, revision)
  const judged = (JSON.parse(row.evaluations) as readonly { readonly status?: ActivityStatus }[]).slice(
    0,
    revision,
  )
  return {
    ...row,
    status: judged.at(-1)?.status ?? 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    revision,
    updatedAt: votedAt(present(votes.at(-1), 'the vote that made this revision')),
    result: null,
    failure: null,
    votes: JSON.stringify(votes),
    evaluations: JSON.stringify(judged),
    voters: '[]',
  }
}
