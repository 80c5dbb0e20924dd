import { assert, present } from '../../base/assert.ts'
import type { ActivityRow, ActivityStatus } from '../../catalogue/unit.ts'
import { votedAt, votesOf } from './votes.ts'

/**
 * How many states an activity has gone through: one for each vote. An erasure is a later revision of the last state,
 * and of an erased organization only that one is left.
 */
export function statesOf({ votes }: Pick<ActivityRow, 'votes'>): number {
  return Math.max(1, votesOf(votes).length)
}

/** The id of the event that a revision is, the same for every attempt, for every target, and for a redelivery. */
export function eventIdOf(event: { readonly activityId: string; readonly revision: number }): string {
  return `${event.activityId}-${event.revision}`
}

/**
 * The state of a record at a revision. Before its last state an activity was waiting, and its votes and their
 * evaluations are stored in order.
 */
export function recordAt(row: ActivityRow, revision: number): ActivityRow {
  assert(revision >= 1 && revision <= row.revision, 'a revision that this record has had')
  if (revision >= statesOf(row)) return row
  // The vault wrote these lists, an entry for each state.
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
