import { kindOf } from '../../../trusted/catalogue/form.ts'
import {
  boolean,
  label,
  list,
  named,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { ACTIVITY_STATUSES, type ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { rightsIn } from '../../../trusted/vault/records/activity-view.ts'
import { type Vote, votesOf } from '../../../trusted/vault/records/votes.ts'
import { timestampShape } from '../shapes.ts'
import { evaluationsOf } from './evaluations-of.ts'
import { namesInRequest } from './names-in-request.ts'

const NAMES_SHOWN_MAX = 10

/** The summary of an activity: its kind, its requester and the names in it. */
export const activitySummaryShape = named(
  'ActivitySummary',
  object({
    activityId: uuid,
    type: text({ max: 128 }),
    kind: text({ max: 128 }),
    status: oneOf(ACTIVITY_STATUSES),
    fingerprint: text({ max: 128 }),
    userId: optional(uuid),
    userName: optional(label),
    names: list(text({ max: 65_536 }), { max: NAMES_SHOWN_MAX }),
    /**
     * The policies that allowed or denied at the last vote; empty where the root quorum or the user's own right
     * decided.
     */
    decidedBy: list(object({ policyId: uuid, outcome: text({ max: 64 }) }), { max: limits.policies }),
    canApprove: boolean,
    canReject: boolean,
    createdAt: timestampShape,
    updatedAt: timestampShape,
  }),
)

/** The user to whom `canApprove` and `canReject` refer. */
type Asking = { readonly userId: string; readonly now: number }

export function activitySummaryView(row: ActivityRow, asking: Asking) {
  return summaryOf(row)(asking)
}

/** The same for several users, of a record that is read once: it may have megabytes. */
export function summaryOf(row: ActivityRow) {
  const { activityId, type, status, fingerprint, createdAt, updatedAt } = row
  const votes = votesOf(row.votes)
  const [first] = votes
  const rights = rightsIn(row, votes)
  const said = {
    activityId,
    type,
    kind: kindOf(type),
    status,
    fingerprint,
    ...(first === undefined ? {} : { userId: first.userId, userName: nameOf(first) }),
    names: namesInRequest(row.intent).slice(0, NAMES_SHOWN_MAX),
    decidedBy: decisiveIn(row),
  }
  const times = { createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
  return ({ userId, now }: Asking) => ({ ...said, ...rights(userId, now), ...times })
}

/** The user's name at that time. */
export function nameOf({ user }: Vote): string {
  // The vault wrote it, as `userView` shows a user.
  return (user as { readonly userName: string }).userName
}

function decisiveIn(row: ActivityRow) {
  return (evaluationsOf(row).at(-1)?.policyEvaluations ?? []).filter(({ outcome }) =>
    DECISIVE.some((one) => one === outcome),
  )
}

const DECISIVE = ['OUTCOME_ALLOW', 'OUTCOME_DENY_EXPLICIT', 'OUTCOME_ERROR'] as const
