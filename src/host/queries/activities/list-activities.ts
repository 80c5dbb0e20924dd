import { costs } from '../../../trusted/base/costs.ts'
import type { Steps } from '../../../trusted/base/work.ts'
import { JsonText } from '../../../trusted/catalogue/json-text.ts'
import { defineQuery, type Reader } from '../../../trusted/catalogue/query.ts'
import { list, object, oneOf, optional, organizationIdText, text } from '../../../trusted/catalogue/shape.ts'
import { ACTIVITY_STATUSES, type ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { pageOf, paginationShape } from '../page.ts'
import { activityShape } from './activity-shape.ts'
import { pageOfActivities, type Taken } from './page-of-activities.ts'

/** The interface has two more statuses, which this service never uses. */
const statuses = [...ACTIVITY_STATUSES, 'ACTIVITY_STATUS_CREATED', 'ACTIVITY_STATUS_PENDING'] as const

const FILTERS_MAX = 200

export const listActivities = defineQuery({
  operation: 'list_activities',
  summary: 'List activities, newest first',
  request: object({
    organizationId: organizationIdText,
    filterByStatus: optional(list(oneOf(statuses), { max: statuses.length })),
    filterByType: optional(list(text({ min: 1, max: 128 }), { max: FILTERS_MAX })),
    paginationOptions: optional(paginationShape),
  }),
  response: object({ activities: list(activityShape, { max: 100 }) }),
  example: { filterByStatus: ['ACTIVITY_STATUS_COMPLETED'], paginationOptions: { limit: '10' } },
  long: 'answer',
  answer: async ({ filterByStatus = [], filterByType: types = [], paginationOptions }, reader) => {
    const wanted = ACTIVITY_STATUSES.filter((status) => filterByStatus.includes(status))
    // A filter with only unused statuses matches nothing; an empty filter matches everything.
    if (filterByStatus.length > 0 && wanted.length === 0) return { activities: [] }
    const of = { filter: { statuses: wanted, types }, page: pageOf(paginationOptions) }
    const texts = await pageOfActivities(reader, of, (row) => textOf(row, reader))
    return new JsonText(`{"activities":[${texts.join(',')}]}`)
  },
})

function* textOf(row: ActivityRow, { view }: Pick<Reader, 'view'>): Steps<Taken<string>> {
  yield (row.intent.length + row.votes.length) * costs.rowCharacter
  const taken = view(row)
  return { taken, characters: taken.length }
}
