import { type Units, Work } from '../../trusted/base/work.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { idRange } from '../store/listing.ts'
import type { ActivityFilter, Page } from '../store/store.ts'
import { checkedRecords } from './checked-read.ts'
import type { Host } from './host.ts'

/** The reads of activities of one organization, for a query. */
type ActivitiesRead = {
  readonly activity: (activityId: string) => Promise<ActivityRow | undefined>
  readonly activities: (filter: ActivityFilter, page: Page) => Promise<readonly ActivityRow[]>
}

/**
 * Reads activities from the store, and then from the archives, if the host has any; the vault checks all of them. The
 * store is asked first: an activity is noted as archived before it is removed from the store, so it is found in one of
 * the two.
 *
 * @param spend  called with the cost of work on this side; the vault counts its own
 */
export function readActivities(
  { store, vault, archives, pace }: Pick<Host, 'store' | 'vault' | 'archives' | 'pace'>,
  organizationId: string,
  spend: (units: Units) => void,
): ActivitiesRead {
  // The bound on the cost of one request, for all its reads together.
  const work = new Work(pace, organizationId)
  const charged = async <T>(read: () => Promise<T>): Promise<T> => {
    const before = work.spent
    try {
      return await read()
    } finally {
      spend(work.spent - before)
    }
  }
  const rereadable = (read: () => Promise<readonly ActivityRow[]>) => {
    let isAgain = false
    return (): Promise<readonly ActivityRow[]> => {
      if (isAgain) archives?.forget()
      isAgain = true
      return read()
    }
  }
  return {
    activity: async (activityId) => {
      const [row] = await checkedRecords(
        { store, vault },
        rereadable(async () => {
          const standing = await store.activity(organizationId, activityId)
          if (standing !== undefined) return [standing]
          const archived = await charged(
            async () => await archives?.activity(organizationId, activityId, work),
          )
          return archived === undefined ? [] : [archived]
        }),
      )
      return row
    },
    activities: async (filter, page) =>
      await checkedRecords(
        { store, vault },
        rereadable(async () => {
          const standing = await store.activities(organizationId, filter, page)
          if (archives === undefined) return standing
          const range = idRange(page)
          const inOrder = (rows: readonly ActivityRow[]) => (range.newestFirst ? rows : rows.toReversed())
          const wanted = { filter, range, limit: page.limit, standing: inOrder(standing) }
          return inOrder(await charged(() => archives.activities(organizationId, wanted, work)))
        }),
      ),
  }
}
