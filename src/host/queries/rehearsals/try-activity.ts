import { present } from '../../../trusted/base/assert.ts'
import { failureOf } from '../../../trusted/base/failure.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { anyObject } from '../../../trusted/catalogue/submission.ts'
import {
  boolean,
  list,
  object,
  optional,
  organizationIdText,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { draftOf, draftShape, judgementShape, judgementView } from './shapes.ts'

const APPROVERS_MAX = 100

export const tried = object({ judgement: judgementShape, drafted: optional(judgementShape) })

/** The decision and the deciding policies. The request is not carried out or recorded. */
export const tryActivity = defineQuery({
  operation: 'try_activity',
  ours: true,
  summary: 'Get the decision that a request would get, without carrying it out',
  request: object({
    organizationId: organizationIdText,
    type: text({ min: 1, max: 128 }),
    parameters: anyObject,
    userId: optional(uuid),
    approverUserIds: optional(list(uuid, { max: APPROVERS_MAX })),
    draft: optional(draftShape),
    explain: optional(boolean),
  }),
  response: tried,
  example: {
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    parameters: { userTagName: 'Auditors', userIds: [] },
    explain: true,
  },
  answer: async (asked, { now, signer, charter, rehearse }) => {
    const { type, parameters, userId = signer.userId, approverUserIds = [], draft, explain = false } = asked
    const { organizationId } = charter
    const body = JSON.stringify({ type, timestampMs: String(now), organizationId, parameters })
    const approvers = [userId, ...approverUserIds].map((id) => ({ userId: id }))
    const {
      cases: [first],
    } = await rehearse({
      cases: [{ body, approvers }],
      usage: 'metered',
      explain,
      ...(draft === undefined ? {} : { draft: draftOf(draft, now) }),
    })
    const item = present(first, 'the judgement of one request')
    if (item.kind === 'unclear') throw failureOf(item.error)
    const { judgement, drafted } = item
    return {
      judgement: judgementView(judgement),
      ...(drafted === undefined ? {} : { drafted: judgementView(drafted) }),
    }
  },
})
