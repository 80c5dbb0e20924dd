import type { Ms } from '../../base/world.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { timestamp } from '../../charter/view.ts'
import { wasErased } from '../erasure/erased-record.ts'
import { isWaiting } from '../decision/record.ts'
import { shownIntentKey, shownResult } from './shown-features.ts'
import { shownRequest } from './shown-request.ts'
import { hasWaitedTooLong, isFresh, type Vote, votersOf, votesOf } from './votes.ts'

/**
 * The record of an activity as the interface answers it, in both published shapes at once: the clients read the outer
 * object (times as seconds and nanos, the result under its key); the specification reads `result.activity` (times as
 * RFC 3339 text). The parts are JSON texts already and are joined, not parsed.
 *
 * @param userId  the caller, to whom `canApprove` and `canReject` refer
 */
export function activityView(row: ActivityRow, userId: string, now: Ms): string {
  const { canApprove, canReject } = rightsOf(row, userId, now)
  const head = `"id":"${row.activityId}","organizationId":"${row.organizationId}","status":"${row.status}","type":"${row.type}"`
  const intent = shownIntent(row)
  const tail =
    `"votes":${shownRequest(row.votes)},"fingerprint":"${row.fingerprint}","canApprove":${canApprove},"canReject":${canReject}` +
    (row.failure === null ? '' : `,"failure":${row.failure}`)
  const result = shownResult(row)
  const inner =
    `{${head},"intent":${intent},"result":${result},${tail},` +
    `"createdAt":"${rfc3339(row.createdAt)}","updatedAt":"${rfc3339(row.updatedAt)}"}`
  const outerResult = `${result === '{}' ? '{' : `${result.slice(0, -1)},`}"activity":${inner}}`
  return (
    `{${head},"timestampMs":"${row.timestampMs}","intent":${intent},"result":${outerResult},${tail},"appProofs":[],` +
    `"createdAt":${JSON.stringify(timestamp(row.createdAt))},"updatedAt":${JSON.stringify(timestamp(row.updatedAt))}}`
  )
}

/**
 * The intent of a large refused request, or of an erased one, is not stored. Its key is left out, because clients
 * expect the required fields under it.
 */
function shownIntent(row: ActivityRow): string {
  const isNotKept = row.intent === '{}' && row.status === 'ACTIVITY_STATUS_FAILED' && row.awaited === 0
  return isNotKept || (row.intent === '{}' && wasErased(row))
    ? '{}'
    : `{"${shownIntentKey(row)}":${shownRequest(row.intent)}}`
}

type Rights = { readonly canApprove: boolean; readonly canReject: boolean }

/** The rights of the caller. A settled activity can be neither approved nor rejected. */
export function rightsOf(row: ActivityRow, userId: string, now: Ms): Rights {
  return isWaiting(row.status) ? rightsIn(row, votesOf(row.votes))(userId, now) : NO_RIGHTS
}

const NO_RIGHTS: Rights = { canApprove: false, canReject: false }

/** The same for several users, of a record that is read once. */
export function rightsIn(row: ActivityRow, votes: readonly Vote[]): (userId: string, now: Ms) => Rights {
  if (!isWaiting(row.status)) return () => NO_RIGHTS
  const voters = votersOf(row)
  return (userId, now) => {
    const cast = votes.filter((vote) => vote.userId === userId)
    // A voter who still needs MFA proofs is among the users whose vote could count.
    const isAwaited = voters.includes(userId)
    const hasLapsed = cast.length > 0 && !cast.some((vote) => isFresh(vote, now))
    const mayApprove = (isAwaited || hasLapsed) && !hasWaitedTooLong(votes, now)
    return { canApprove: mayApprove, canReject: isAwaited || cast.length > 0 }
  }
}

function rfc3339(ms: Ms): string {
  return new Date(ms).toISOString()
}
