import { defineQuery } from '../../../trusted/catalogue/query.ts'
import type {
  Judgement,
  RehearsalCase,
  RehearsedCase,
  ReplayedUsage,
} from '../../../trusted/catalogue/rehearsal.ts'
import { list, object, optional, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { pageOf, paginationShape } from '../page.ts'
import { isRequestErased, pastCase, requestErased } from './past-case.ts'
import { draftOf, draftShape, judgementShape, judgementView, replayedUsage } from './shapes.ts'

const PAGE_MAX = 100

const NOTHING_USED: ReplayedUsage = { now: [], draft: [] }

const difference = object({
  activityId: uuid,
  type: text({ max: 128 }),
  status: text({ max: 64 }),
  before: judgementShape,
  after: judgementShape,
})

export const replayed = object({
  differences: list(difference, { max: PAGE_MAX }),
  replayed: list(uuid, { max: PAGE_MAX }),
  unclear: list(object({ activityId: uuid, reason: text({ max: 65_536 }) }), { max: PAGE_MAX }),
  used: replayedUsage,
})

/**
 * A page of the recorded activities, decided by the current policies and by a draft. Usage is counted again, from the
 * oldest activity of the page on. A replay of several pages goes from old to new (`before` the newest id of the page)
 * and passes the counted usage on.
 */
export const replayPolicies = defineQuery({
  operation: 'replay_policies',
  ours: true,
  summary: 'List the recorded activities that a draft of policies would decide differently',
  request: object({
    organizationId: organizationIdText,
    draft: draftShape,
    paginationOptions: optional(paginationShape),
    used: optional(replayedUsage),
  }),
  response: replayed,
  example: {
    draft: {
      policies: [
        { policyName: 'No exports', effect: 'EFFECT_DENY', condition: "activity.action == 'EXPORT'" },
      ],
    },
    paginationOptions: { limit: '10' },
  },
  answer: async ({ draft, paginationOptions, used = NOTHING_USED }, { now, activities, rehearse }) => {
    const rows = (await activities({}, pageOf(paginationOptions))).filter(({ votes }) => votes !== '[]')
    // Usage is counted in chronological order.
    const oldestFirst = rows
      .filter((row) => !isRequestErased(row))
      .toSorted((a, b) => a.updatedAt - b.updatedAt)
    const outcome = await rehearse({
      cases: pastCases(oldestFirst),
      draft: draftOf(draft, now),
      explain: false,
      usage: used,
    })
    const judged = oldestFirst.map((row, at) => ({ row, rehearsed: outcome.cases[at] }))
    return {
      differences: judged.flatMap(({ row, rehearsed }) => differenceOf(row, rehearsed)),
      replayed: rows.map(({ activityId }) => activityId),
      unclear: [
        ...rows.filter(isRequestErased).map(({ activityId }) => ({
          activityId,
          reason: requestErased({ activityId }).message,
        })),
        ...judged.flatMap(({ row: { activityId }, rehearsed }) =>
          rehearsed?.kind === 'unclear' ? [{ activityId, reason: rehearsed.error.message }] : [],
        ),
      ],
      used: outcome.used ?? NOTHING_USED,
    }
  },
})

function* pastCases(rows: readonly ActivityRow[]): Iterable<RehearsalCase> {
  for (const row of rows) yield pastCase(row)
}

function differenceOf({ activityId, type, status }: ActivityRow, rehearsed: RehearsedCase | undefined) {
  if (rehearsed?.kind !== 'judged' || rehearsed.drafted === undefined) return []
  const { judgement: before, drafted: after } = rehearsed
  if (isSame(before, after)) return []
  return [{ activityId, type, status, before: judgementView(before), after: judgementView(after) }]
}

/** Compares the decisions only: a change of the deciding policy alone does not count as a difference. */
function isSame(before: Judgement, after: Judgement): boolean {
  return before.decision === after.decision
}
