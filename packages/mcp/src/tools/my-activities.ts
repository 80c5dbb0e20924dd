import * as z from 'zod'
import { type Activity, activityShape, isOf, outcomeOf } from '../activity.ts'
import { told } from '../result.ts'
import { defineTool } from '../tool.ts'

const LISTED_MAX = 50
const PAGE = 20
const PAGES_MAX = 10

export const myActivities = defineTool({
  name: 'my_activities',
  title: 'My activities',
  description:
    'Lists what this agent has asked for, newest first: what is signed, what waits, what was refused. Use it after ' +
    'an error, to see whether something was signed after all. wait_for_approval shows one of them in full.',
  arguments: z.strictObject({
    status: z.enum(['any', 'completed', 'waiting', 'failed', 'rejected']).default('any'),
    limit: z.number().int().min(1).max(LISTED_MAX).default(PAGE),
    after: z.guid().optional().describe('continues with what is older than this activity'),
  }),
  signs: false,
  run: async ({ status, limit, after: first }, { service, agent }, { signal }) => {
    const me = await agent()
    const { organizationId } = me
    const mine: Activity[] = []
    let after = first
    let isEnd = false
    for (let page = 0; page < PAGES_MAX && mine.length < limit && !isEnd; page += 1) {
      const { activities } = await service.query(
        'list_activities',
        {
          organizationId,
          filterByStatus: STATUSES[status],
          paginationOptions: { limit: String(PAGE), ...(after === undefined ? {} : { after }) },
        },
        listed,
        signal,
      )
      isEnd = activities.length < PAGE
      for (const activity of activities) {
        if (mine.length === limit) {
          isEnd = false
          break
        }
        after = activity.id
        if (isOf(activity, me)) mine.push(activity)
      }
    }
    const more = isEnd || after === undefined ? {} : { continueAfter: after }
    return told(`${mine.length} activities of this agent${isEnd ? '' : ', and there may be older ones'}.`, {
      activities: mine.map(shown),
      ...more,
    })
  },
})

const listed = z.object({ activities: z.array(activityShape) })

const STATUSES = {
  any: [],
  completed: ['ACTIVITY_STATUS_COMPLETED'],
  waiting: ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'],
  failed: ['ACTIVITY_STATUS_FAILED'],
  rejected: ['ACTIVITY_STATUS_REJECTED'],
} as const

function shown(activity: Activity): object {
  const { type, timestampMs } = activity
  const { activityId, status, failure } = outcomeOf(activity)
  const at = Number(timestampMs)
  return {
    activityId,
    type,
    status,
    ...(Number.isSafeInteger(at) ? { askedAt: new Date(at).toISOString() } : {}),
    ...(failure === undefined ? {} : { failure }),
  }
}
