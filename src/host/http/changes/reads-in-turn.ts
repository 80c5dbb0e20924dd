import { FairTurns } from '../../../trusted/base/fair-turns.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { checkedRecords } from '../../pipeline/checked-read.ts'
import type { Host } from '../../pipeline/host.ts'
import { nextTurn } from '../../pipeline/next-turn.ts'
import { summaryOf } from '../../queries/activities/activity-summary.ts'
import type { Store } from '../../store/store.ts'

/** What a stream needs of a record, which may itself have several megabytes. */
export type Told = Pick<ActivityRow, 'activityId' | 'status' | 'type'> & {
  readonly summary: ReturnType<typeof summaryOf>
}

/** The reads of watched organizations. */
export type WatchedReads = Pick<Store, 'newestRevisions' | 'revisionsOf' | 'activities'> & {
  /** The activities of these ids, after the vault has verified their seals. */
  readonly told: (organizationId: string, activityIds: readonly string[]) => Promise<readonly Told[]>
}

/** Each can have several megabytes. */
const ROWS_AT_ONCE = 20
/** Of the request and the votes of a record. */
const LARGE_CHARACTERS = 16_384

/** Organizations take turns in reading records: these can be long, and a tenant may open 64 streams at once. */
export function readsInTurn({ store, vault }: Pick<Host, 'store' | 'vault'>): WatchedReads {
  const turns = new FairTurns(1)
  const portion = async (organizationId: string, ids: readonly string[]): Promise<readonly Told[]> => {
    const rows = await checkedRecords({ store, vault }, async () =>
      (await Promise.all(ids.map((id) => store.activity(organizationId, id)))).filter(
        (row) => row !== undefined,
      ),
    )
    const told: Told[] = []
    for (const row of rows) {
      // Each large record is parsed once, in a turn of its own.
      if (row.intent.length + row.votes.length > LARGE_CHARACTERS) await nextTurn()
      const { activityId, status, type } = row
      told.push({ activityId, status, type, summary: summaryOf(row) })
    }
    return told
  }
  return {
    newestRevisions: (organizationId, limit) => store.newestRevisions(organizationId, limit),
    revisionsOf: (organizationId, ids) => store.revisionsOf(organizationId, ids),
    activities: async (organizationId, filter, page) =>
      await turns.run({ flow: organizationId, cost: page.limit }, () =>
        store.activities(organizationId, filter, page),
      ),
    told: async (organizationId, ids) => {
      const told: Told[] = []
      for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
        const some = ids.slice(start, start + ROWS_AT_ONCE)
        const turn = { flow: organizationId, cost: some.length }
        told.push(...(await turns.run(turn, () => portion(organizationId, some))))
      }
      return told
    },
  }
}
