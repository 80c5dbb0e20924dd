import type { ActivityRow, ActivityStatus } from '../../trusted/catalogue/unit.ts'
import type { Store } from '../store/store.ts'
import { rowsOf } from './rows-of.ts'

/** The activities of a store that may be archived: how many in each month, oldest month first. */
export type Archivable = {
  readonly months: ReadonlyMap<string, number>
  /** Whether an activity may be archived, and with which month. */
  readonly monthOf: (row: ActivityRow) => string | undefined
}

/** Longer than a request is live (an hour), and than an activity can be approved after its last vote (30 days). */
export const ARCHIVED_AFTER_DAYS_MIN = 31

/**
 * Looks through a store for months that ended longer ago than this. An activity belongs to the month in which it was
 * settled. It does not change after that, so a month is complete when it is over. A waiting activity stays, and so does
 * an activity that a job still names.
 *
 * @param now            the clock's time. A clock that is ahead must not archive live requests, so the time of the
 *             newest activity counts if it is earlier
 * @param olderThanDays  at least `ARCHIVED_AFTER_DAYS_MIN`
 */
export async function archivable(
  store: Pick<Store, 'scan'>,
  {
    now,
    olderThanDays,
    paused,
  }: { readonly now: number; readonly olderThanDays: number; readonly paused: (rows: number) => void },
): Promise<Archivable> {
  const told = await toldOf(store)
  const counts = new Map<string, number>()
  let newest = 0
  for await (const rows of rowsOf(store, 'activities')) {
    for (const row of rows) {
      newest = Math.max(newest, row.updatedAt)
      if (!isSettled(row.status) || told.has(nameOf(row))) continue
      const month = monthAt(row.updatedAt)
      counts.set(month, (counts.get(month) ?? 0) + 1)
    }
    paused(rows.length)
  }
  const before = monthAt(Math.min(now, newest) - olderThanDays * DAY_MS)
  const isOver = (month: string): boolean => month < before
  return {
    months: new Map([...counts].filter(([month]) => isOver(month)).toSorted()),
    monthOf: (row) => {
      const month = monthAt(row.updatedAt)
      return isSettled(row.status) && isOver(month) && !told.has(nameOf(row)) ? month : undefined
    },
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Whether an activity in this status never changes again. */
export function isSettled(status: ActivityStatus): boolean {
  return SETTLED.has(status)
}

/** A status that a later version adds is not in the list. */
const SETTLED: ReadonlySet<ActivityStatus> = new Set([
  'ACTIVITY_STATUS_COMPLETED',
  'ACTIVITY_STATUS_FAILED',
  'ACTIVITY_STATUS_REJECTED',
])

/** The activities of waiting deliveries, and of dead letters, which may be sent again. */
async function toldOf(store: Pick<Store, 'scan'>): Promise<ReadonlySet<string>> {
  const told = new Set<string>()
  for await (const rows of rowsOf(store, 'jobs'))
    for (const { organizationId, activityId } of rows)
      if (activityId !== null) told.add(nameOf({ organizationId, activityId }))
  return told
}

function nameOf({ organizationId, activityId }: Pick<ActivityRow, 'organizationId' | 'activityId'>): string {
  return `${organizationId} ${activityId}`
}

/** A month such as 2026-03, in UTC. */
function monthAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}
