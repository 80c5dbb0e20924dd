import type { ScreenProps } from '../screen.ts'
import { ActivityList } from './activity-list.tsx'
import { OneActivity } from './one-activity.tsx'

/** What was asked for, the newest first, and what came of it. */
export function Activities({ session, rest: [activityId] }: ScreenProps) {
  return activityId === undefined ? (
    <ActivityList session={session} />
  ) : (
    <OneActivity session={session} activityId={activityId} />
  )
}
