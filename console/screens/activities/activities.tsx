import type { Screen, ScreenProps } from '../screen.ts'
import { ActivityList } from './activity-list.tsx'
import { OneActivity } from './one-activity.tsx'
import { say } from './words.ts'

/** What was asked for, the newest first, and what came of it. */
export const activities: Screen = { path: 'activities', title: () => say('title'), View: Activities }

function Activities({ session, rest: [activityId] }: ScreenProps) {
  return activityId === undefined ? (
    <ActivityList session={session} />
  ) : (
    <OneActivity session={session} activityId={activityId} />
  )
}
