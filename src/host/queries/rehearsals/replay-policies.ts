import { costs } from '../../../trusted/base/costs.ts'
import { Failure } from '../../../trusted/base/failure.ts'
import type { Steps } from '../../../trusted/base/work.ts'
import { REPLAY_PAGE_MAX } from '../../../trusted/catalogue/largest-page.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import type {
  Judgement,
  RehearsalCase,
  RehearsedCase,
  ReplayedUsage,
} from '../../../trusted/catalogue/rehearsal.ts'
import { list, object, optional, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { pageOfActivities, type Taken } from '../activities/page-of-activities.ts'
import { pageOf, paginationShape } from '../page.ts'
import { pastCase, requestMissing } from './past-case.ts'
import { draftOf, draftShape, judgementShape, judgementView, replayedUsage } from './shapes.ts'

const NOTHING_USED: ReplayedUsage = { now: [], draft: [] }

const difference = object({
  activityId: uuid,
  type: text({ max: 128 }),
  status: text({ max: 64 }),
  before: judgementShape,
  after: judgementShape,
})

export const replayed = object({
  differences: list(difference, { max: REPLAY_PAGE_MAX }),
  replayed: list(uuid, { max: REPLAY_PAGE_MAX }),
  unclear: list(object({ activityId: uuid, reason: text({ max: 65_536 }) }), { max: REPLAY_PAGE_MAX }),
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
  long: 'answer',
  answer: async ({ draft, paginationOptions, used = NOTHING_USED }, reader) => {
    const page = { filter: {}, page: pageOf(paginationOptions) }
    const past = (await pageOfActivities(reader, page, pastOf)).filter((one) => one !== undefined)
    // Usage is counted in chronological order.
    const oldestFirst = past
      .filter(({ rehearsalCase }) => !(rehearsalCase instanceof Failure))
      .toSorted((a, b) => a.updatedAt - b.updatedAt)
    const outcome = await reader.rehearse({
      cases: oldestFirst.flatMap(({ rehearsalCase }) =>
        rehearsalCase instanceof Failure ? [] : [rehearsalCase],
      ),
      draft: draftOf(draft, reader.now),
      explain: false,
      usage: used,
    })
    const judged = oldestFirst.map((one, at) => ({ one, rehearsed: outcome.cases[at] }))
    return {
      differences: judged.flatMap(({ one, rehearsed }) => differenceOf(one, rehearsed)),
      replayed: past.map(({ activityId }) => activityId),
      unclear: [
        ...past.flatMap(({ activityId, rehearsalCase }) =>
          rehearsalCase instanceof Failure ? [{ activityId, reason: rehearsalCase.message }] : [],
        ),
        ...judged.flatMap(({ one: { activityId }, rehearsed }) =>
          rehearsed?.kind === 'unclear' ? [{ activityId, reason: rehearsed.error.message }] : [],
        ),
      ],
      used: outcome.used ?? NOTHING_USED,
    }
  },
})

/** What a replay needs of a record. */
type Past = Pick<ActivityRow, 'activityId' | 'type' | 'status' | 'updatedAt'> & {
  /** Or why there is none. */
  readonly rehearsalCase: RehearsalCase | Failure
}

/** Undefined: nobody asked for it. */
function* pastOf(row: ActivityRow): Steps<Taken<Past | undefined>> {
  if (row.votes === '[]') return { taken: undefined, characters: 0 }
  yield row.votes.length * costs.voteCharacter
  const { activityId, type, status, updatedAt } = row
  const rehearsalCase = requestMissing(row) ?? pastCase(row)
  return {
    taken: { activityId, type, status, updatedAt, rehearsalCase },
    characters: rehearsalCase instanceof Failure ? 0 : rehearsalCase.body.length,
  }
}

function differenceOf({ activityId, type, status }: Past, rehearsed: RehearsedCase | undefined) {
  if (rehearsed?.kind !== 'judged' || rehearsed.drafted === undefined) return []
  const { judgement: before, drafted: after } = rehearsed
  if (isSame(before, after)) return []
  return [{ activityId, type, status, before: judgementView(before), after: judgementView(after) }]
}

/** Compares the decisions only: a change of the deciding policy alone does not count as a difference. */
function isSame(before: Judgement, after: Judgement): boolean {
  return before.decision === after.decision
}
