import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import type { Session } from '../../session/session.ts'

const STATUSES = ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED']
export const LISTED_MAX = 50

/** The newest activities that wait, each read from its own bytes; one that shows no request is left out. */
export async function waitingActivities(session: Session): Promise<readonly CheckedActivity[]> {
  const answer = await session.query('list_activities', {
    filterByStatus: STATUSES,
    paginationOptions: { limit: String(LISTED_MAX) },
  })
  const listed = answer.list('activities')
  const { checked } = await import('../../readers/checked.ts')
  const shown = await Promise.all(listed.map(({ value }) => checked(value, session.organizationId)))
  return shown.filter((one) => one !== undefined)
}

/** One that is shown, with the text of its request. */
export type ShownActivity = { readonly checked: CheckedActivity; readonly request: string }

/** Undefined where the host shows no request. */
export async function oneActivity(session: Session, activityId: string): Promise<ShownActivity | undefined> {
  const record = (await session.query('get_activity', { activityId })).object('activity')
  const { checked } = await import('../../readers/checked.ts')
  const found = await checked(record.value, session.organizationId)
  return found && { checked: found, request: record.list('votes')[0]?.text('message') ?? '' }
}

export function isWaiting(status: string): boolean {
  return STATUSES.includes(status)
}
