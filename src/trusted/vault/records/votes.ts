import type { Ms } from '../../base/world.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { type Timestamp, timestamp } from '../../charter/view.ts'
import type { Identity } from '../authentication/identify.ts'

type VoteSelection = 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED'

/** A vote in a record. It can be verified by itself: it has the stamp, and `message` is the stamped text. */
export type Vote = {
  readonly id: string
  readonly userId: string
  readonly user: unknown
  readonly activityId: string
  readonly selection: VoteSelection
  readonly message: string
  readonly publicKey: string
  /** Hex, or for a passkey the JSON of its assertion. */
  readonly signature: string
  readonly scheme: string
  readonly createdAt: Timestamp
}

/** Votes count for 24 hours; a vote is renewed by a fresh `approve_activity`, never by sending old bytes again. */
export const VOTE_LIFETIME_MS = 24 * 60 * 60 * 1000

/**
 * After this time without a vote an activity can no longer be approved. Activities of the published interface do not
 * expire, and each vote restarts the time; but a settled record that is rolled back must not wait without limit
 * (docs/decisions/memory.md).
 */
const WAITS_MAX_MS: Ms = 30 * 24 * 60 * 60 * 1000

/** @param votes  the votes of an activity, in the order in which they were cast */
export function hasWaitedTooLong(votes: readonly Vote[], now: Ms): boolean {
  const newest = votes.at(-1)
  return newest !== undefined && now - msOf(newest.createdAt) >= WAITS_MAX_MS
}

/** The JSON of a vote. The user's snapshot is already a text, which saves serializing it on a hot path. */
export function voteText(vote: {
  readonly id: string
  readonly activityId: string
  readonly selection: VoteSelection
  readonly body: string
  readonly identity: Identity
  readonly now: Ms
}): string {
  const { identity } = vote
  return (
    `{"id":"${vote.id}","userId":"${identity.user.userId}","user":${identity.snapshot()},"activityId":"${vote.activityId}",` +
    `"selection":"${vote.selection}","message":${JSON.stringify(vote.body)},"publicKey":${JSON.stringify(identity.proof.publicKey)},` +
    `"signature":${JSON.stringify(identity.proof.signature)},"scheme":"${identity.proof.scheme}","createdAt":${JSON.stringify(timestamp(vote.now))}}`
  )
}

/** Adds a vote to the JSON list of votes. */
export function appendVote(votes: string, vote: string): string {
  return votes === '[]' ? `[${vote}]` : `${votes.slice(0, -1)},${vote}]`
}

export function votesOf(text: string): readonly Vote[] {
  // Only a text whose seal was verified comes here, and `voteText` wrote it.
  return JSON.parse(text) as readonly Vote[]
}

/** Ids of the users whose vote could count when somebody last voted. */
export function votersOf({ voters }: Pick<ActivityRow, 'voters'>): readonly string[] {
  // The vault wrote this list.
  return JSON.parse(voters) as readonly string[]
}

/** Ids of the users who have voted, the sender first, and of those who could vote: all of one organization. */
export function peopleOf(row: Pick<ActivityRow, 'voters'>, votes: readonly Vote[]): readonly string[] {
  return [...votes.map(({ userId }) => userId), ...votersOf(row)]
}

/** Whether a vote still counts by its age alone. */
export function isFresh(vote: Vote, now: Ms): boolean {
  return now - msOf(vote.createdAt) < VOTE_LIFETIME_MS
}

export function votedAt(vote: Vote): Ms {
  return msOf(vote.createdAt)
}

function msOf(time: Timestamp): Ms {
  return Number(time.seconds) * 1000 + Number(time.nanos) / 1_000_000
}
