import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, optional, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import type { AuthenticationMethod, MfaPolicy } from '../../../trusted/charter/charter.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { knownActivity } from '../activities/known-activity.ts'
import { mfaStatusShape } from './mfa-shapes.ts'

/** The state at the last vote of each voter; a policy that has changed since applies at the next vote. */
export const getMfaStatus = defineQuery({
  operation: 'get_mfa_status',
  summary: 'List the further proofs (MFA) that the voters on an activity had to give, and have given',
  request: object({ organizationId: organizationIdText, activityId: uuid, userId: optional(uuid) }),
  response: object({ mfaStatuses: list(mfaStatusShape, { max: limits.users }) }),
  example: { activityId: '0198c5a0-7d3c-7000-8000-000000000009' },
  long: 'record',
  // A published client asks with the token of its login which proofs the login waits for.
  attestable: true,
  answer: async ({ activityId, userId }, reader) => {
    const statuses = statusesOf(await knownActivity(reader, activityId))
    if (userId === undefined) return { mfaStatuses: statuses }
    const asked = statuses.filter((status) => status.userId === userId)
    // The requester may be a user of the parent, who is not in this charter.
    if (asked.length === 0) knownUser(reader.charter, userId)
    return { mfaStatuses: asked }
  },
})

function statusesOf(row: ActivityRow) {
  // The vault wrote these lists, and its seal over the record has been checked.
  const votes = JSON.parse(row.votes) as readonly { readonly id: string; readonly userId: string }[]
  const judged = JSON.parse(row.evaluations) as readonly KeptJudgement[]
  const voters = new Map(votes.map(({ id, userId }) => [id, userId]))
  const lastByUser = new Map(judged.map(({ voteId, mfa }) => [voters.get(voteId), mfa]))
  return [...lastByUser.values()].flatMap((note) =>
    note === undefined
      ? []
      : [
          {
            mfaPolicyId: note.mfaPolicyId,
            userId: note.userId,
            satisfied: note.satisfied,
            satisfiedMethods: note.shown,
            requiredMethods: note.required,
          },
        ],
  )
}

type KeptJudgement = {
  readonly voteId: string
  readonly mfa?: {
    readonly userId: string
    readonly mfaPolicyId: string
    readonly satisfied: boolean
    readonly shown: readonly AuthenticationMethod[]
    readonly required: MfaPolicy['required']
  }
}
