import { type CheckedActivity, checkActivity } from '../../src/host/approval/checked-activity.ts'

/** What somebody has asked for, and whether it is what they stamped: the readers, and what verifies stamps. */
export async function checked(
  activity: unknown,
  organizationId: string,
): Promise<CheckedActivity | undefined> {
  return await checkActivity(activity, organizationId)
}
