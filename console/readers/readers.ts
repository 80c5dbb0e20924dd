import { type CheckedActivity, checkActivity } from '../../src/host/approval/checked-activity.ts'

/** The readers of requests. They are loaded when a request is to be shown, in a file of their own. */
export async function checked(
  activity: unknown,
  organizationId: string,
): Promise<CheckedActivity | undefined> {
  return await checkActivity(activity, organizationId)
}
