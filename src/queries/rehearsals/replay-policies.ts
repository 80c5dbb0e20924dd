import { defineQuery } from '../../catalogue/query.ts'
import type { Judgement, RehearsedCase } from '../../catalogue/rehearsal.ts'
import { list, object, optional, text, uuid } from '../../catalogue/shape.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { pageOf, paginationShape } from '../page.ts'
import { pastCase } from './past-case.ts'
import { draftOf, draftShape, judgementShape, judgementView } from './shapes.ts'

const PAGE_MAX = 100

const difference = object({
  activityId: uuid,
  type: text({ max: 128 }),
  status: text({ max: 64 }),
  before: judgementShape,
  after: judgementShape,
})

/** A page of the recorded activities, judged by the policies of now and by a draft. The last id says where to go on. */
export const replayPolicies = defineQuery({
  operation: 'replay_policies',
  summary: 'Tell which recorded activities a draft of policies would judge otherwise',
  request: object({
    organizationId: text({ max: 64 }),
    draft: draftShape,
    paginationOptions: optional(paginationShape),
  }),
  response: object({
    differences: list(difference, { max: PAGE_MAX }),
    replayed: list(uuid, { max: PAGE_MAX }),
    unclear: list(object({ activityId: uuid, reason: text({ max: 65_536 }) }), { max: PAGE_MAX }),
  }),
  answer: async ({ draft, paginationOptions }, { now, activities, rehearse }) => {
    const rows = (await activities({}, pageOf(paginationOptions))).filter(({ votes }) => votes !== '[]')
    // What was used is counted in the order in which it happened.
    const oldestFirst = rows.toSorted((a, b) => a.updatedAt - b.updatedAt)
    const cases = await rehearse({
      cases: oldestFirst.map(pastCase),
      draft: draftOf(draft, now),
      explain: false,
    })
    const replayed = oldestFirst.map((row, at) => ({ row, rehearsed: cases[at] }))
    return {
      differences: replayed.flatMap(({ row, rehearsed }) => differenceOf(row, rehearsed)),
      replayed: rows.map(({ activityId }) => activityId),
      unclear: replayed.flatMap(({ row: { activityId }, rehearsed }) =>
        rehearsed?.kind === 'unclear' ? [{ activityId, reason: rehearsed.error.message }] : [],
      ),
    }
  },
})

function differenceOf({ activityId, type, status }: ActivityRow, rehearsed: RehearsedCase | undefined) {
  if (rehearsed?.kind !== 'judged' || rehearsed.drafted === undefined) return []
  const { judgement: before, drafted: after } = rehearsed
  if (isSame(before, after)) return []
  return [{ activityId, type, status, before: judgementView(before), after: judgementView(after) }]
}

/** Who may now do what: a change of nothing but which policy says so is none. */
function isSame(before: Judgement, after: Judgement): boolean {
  return before.decision === after.decision
}
