import { activities as declared } from '../../../trusted/activities/list.ts'
import { firstIdAt, LAST_ID } from '../../../trusted/base/ids.ts'
import { costs } from '../../../trusted/base/costs.ts'
import { lowerAscii } from '../../../trusted/base/lower-ascii.ts'
import type { Steps } from '../../../trusted/base/work.ts'
import { defineQuery, type Reader } from '../../../trusted/catalogue/query.ts'
import { kindOf } from '../../../trusted/catalogue/form.ts'
import {
  int64,
  list,
  object,
  oneOf,
  optional,
  organizationIdText,
  refined,
  text,
  type TypeOf,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { ACTIVITY_STATUSES, type ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { votesOf } from '../../../trusted/vault/records/votes.ts'
import { limitOf, limitText } from '../page.ts'
import { activitySummaryShape, activitySummaryView, nameOf } from './activity-summary.ts'
import { namesInRequest } from './names-in-request.ts'

const instant = refined(int64, {
  problem: (value) => (value >= 0 && value < 2 ** 48 ? undefined : 'must be milliseconds since 1970'),
  schema: { minimum: 0 },
})
const words = list(text({ min: 1, max: 128 }), { max: 200 })

const request = object({
  organizationId: organizationIdText,
  filterByStatus: optional(list(oneOf(ACTIVITY_STATUSES), { max: ACTIVITY_STATUSES.length })),
  filterByResource: optional(words),
  filterByKind: optional(words),
  userId: optional(uuid),
  name: optional(text({ max: 255 })),
  createdFrom: optional(instant),
  createdBefore: optional(instant),
  limit: optional(limitText),
  after: optional(uuid),
})

type Asked = TypeOf<typeof request>

/**
 * Statuses, resources, kinds and times are looked up. Users and names have no index, because each signature would have
 * to write it. Records are read for them, a bounded number for each answer, and the next page continues from there
 * (docs/decisions/console-queries.md).
 */
export const listActivitySummaries = defineQuery({
  operation: 'list_activity_summaries',
  ours: true,
  summary:
    'List summaries of activities, newest first, filtered by user, resource, kind, time or the names in them',
  request,
  response: object({ activities: list(activitySummaryShape, { max: 100 }), next: optional(uuid) }),
  example: { filterByResource: ['POLICY'], name: 'treasury', limit: '10' },
  long: 'answer',
  answer: async (asked, reader) => {
    const types = typesOf(asked)
    if (types?.length === 0) return { activities: [] }
    const limit = limitOf(asked.limit)
    return await scanned(reader, asked, { types: types ?? [], limit })
  },
})

/** Undefined: all of them. */
function typesOf({ filterByResource = [], filterByKind = [] }: Asked): readonly string[] | undefined {
  if (filterByResource.length === 0 && filterByKind.length === 0) return undefined
  return declared
    .filter(({ resource }) => filterByResource.length === 0 || filterByResource.includes(resource))
    .flatMap(({ forms }) => forms.map(({ type }) => type))
    .filter((type) => filterByKind.length === 0 || filterByKind.includes(kindOf(type)))
}

const ROWS_READ_MAX = 500
const ROWS_AT_ONCE_MAX = 20

/** @returns `next`: where to go on, where there may be more */
async function scanned(
  reader: Reader,
  asked: Asked,
  { types, limit }: { readonly types: readonly string[]; readonly limit: number },
): Promise<{ readonly activities: readonly Summary[]; readonly next?: string }> {
  const { filterByStatus: statuses = [], createdFrom, createdBefore } = asked
  const passes = testFor(asked)
  const activities: Summary[] = []
  let after = earlierOf(asked.after, createdBefore === undefined ? LAST_ID : firstIdAt(createdBefore))
  for (let read = 0; read < ROWS_READ_MAX; ) {
    const wanted = Math.min(ROWS_AT_ONCE_MAX, passes === undefined ? limit : ROWS_READ_MAX - read)
    const page = await reader.activities(
      { statuses, types },
      { limit: wanted, after, ...(createdFrom === undefined ? {} : { before: firstIdAt(createdFrom) }) },
    )
    read += page.length
    for (const row of page) {
      after = row.activityId
      if (passes === undefined || (await reader.through(passes(row))))
        activities.push(await reader.through(summaryOf(row, reader)))
      if (activities.length === limit) return { activities, next: after }
    }
    if (page.length < wanted) return { activities }
  }
  return { activities, next: after }
}

type Summary = ReturnType<typeof activitySummaryView>

function* summaryOf(row: ActivityRow, { signer, now }: Pick<Reader, 'signer' | 'now'>): Steps<Summary> {
  yield row.votes.length * costs.voteCharacter + row.intent.length * costs.bodyCharacter
  return activitySummaryView(row, { userId: signer.userId, now })
}

/** The test for filters without an index, which needs the content of the record. */
function testFor({ userId, name }: Asked): ((row: ActivityRow) => Steps<boolean>) | undefined {
  if (userId === undefined && name === undefined) return undefined
  const part = name === undefined ? undefined : lowerAscii(name)
  return function* (row) {
    yield row.votes.length * costs.voteCharacter
    const votes = votesOf(row.votes)
    if (userId !== undefined && !votes.some((vote) => vote.userId === userId)) return false
    if (part === undefined) return true
    yield row.intent.length * costs.bodyCharacter
    return [...votes.map(nameOf), ...namesInRequest(row.intent)].some((text) =>
      lowerAscii(text).includes(part),
    )
  }
}

function earlierOf(after: string | undefined, bound: string): string {
  return after !== undefined && after < bound ? after : bound
}
