import { activities as allActivities } from '../../trusted/activities/list.ts'
import { firstIdAt } from '../../trusted/base/ids.ts'
import { activitiesByType } from '../../trusted/catalogue/submission.ts'
import { type ActivityRow, type CharterRow, emptyUnit, type Unit } from '../../trusted/catalogue/unit.ts'
import { readCharter } from '../../trusted/charter/charter-document.ts'
import type { Erased, EraseRequest, Vault } from '../../protocol/vault.ts'
import type { ScanKey } from '../store/scan.ts'
import type { Store } from '../store/store.ts'
import { activityPages } from '../store/activity-pages.ts'
import { CopyError } from './copy-error.ts'
import { rowsOf } from './rows-of.ts'

type Means = {
  readonly store: Pick<Store, 'charter' | 'activities' | 'scan' | 'commit' | 'eraseRest' | 'finishJob'>
  readonly vault: Pick<Vault, 'erase'>
  /** Called after each page, with the number of its erased rows. */
  readonly paused: (rows: number) => Promise<void>
}

type OfErased = Extract<Erased, { readonly kind: 'erased' }>

/** The rows that this run has erased; an earlier run may have begun. */
export type ErasedRows = {
  readonly activities: number
  /** Whether the request that created it was erased from the record of its parent. */
  readonly founding: boolean
  /** Objects, names, lookups, dead letters and texts of records. */
  readonly rest: number
}

/**
 * Erases personal data and names in a deleted organization, and destroys its remaining data. Its charter and its
 * records stay without these, sealed by the vault, which does this only for deleted organizations. The charter comes
 * last, so the next run can continue after a kill.
 *
 * @throws CopyError if the organization does not exist, is not deleted, was deleted just now, or still has waiting
 *         deliveries
 */
export async function eraseOrganization(means: Means, organizationId: string): Promise<ErasedRows> {
  const { store } = means
  const charter = await store.charter(organizationId)
  if (charter === undefined) throw new CopyError(`there is no organization ${organizationId}`)
  await asked(means, charter, { activities: [] })
  const givenUp = await givenUpDeliveries(store, organizationId)
  const activities = await eraseActivities(means, charter)
  const founding = await eraseFounding(means, charter)
  for (const sequence of givenUp) await store.finishJob(sequence)
  let rest = givenUp.length
  for (let more = 1; more > 0; rest += more) {
    more = await store.eraseRest(organizationId, REST_AT_ONCE)
    await means.paused(more)
  }
  const { charter: erased } = await asked(means, charter, { activities: [] })
  if (erased !== null) await committed(store, charter, { charters: [erased] })
  return { activities, founding, rest }
}

const REST_AT_ONCE = 500

async function asked(
  { vault }: Pick<Means, 'vault'>,
  charter: CharterRow,
  rows: Omit<EraseRequest, 'charter'>,
): Promise<OfErased> {
  const { organizationId } = charter
  const answer = await vault.erase({ charter, ...rows })
  if (answer.kind === 'living')
    throw new CopyError(`organization ${organizationId} is not deleted: only what was deleted can be erased`)
  if (answer.kind === 'live')
    throw new CopyError(
      `organization ${organizationId} was deleted just now, and the request for it may still be repeated: wait until ${new Date(answer.until).toISOString()}`,
    )
  return answer
}

/**
 * A message contains names, and a webhook shows the activity as it is at that time: so waiting deliveries have to end
 * first.
 *
 * @returns the dead letters
 * @throws CopyError if any wait
 */
async function givenUpDeliveries(
  store: Pick<Store, 'scan'>,
  organizationId: string,
): Promise<readonly number[]> {
  const found: { readonly sequence: number; readonly dead: number }[] = []
  for await (const rows of rowsOf(store, 'jobs'))
    found.push(...rows.filter((row) => row.organizationId === organizationId))
  const waiting = found.filter(({ dead }) => dead === 0).length
  if (waiting > 0)
    throw new CopyError(
      `${waiting} deliveries about organization ${organizationId} wait: let them go out, or end, and then erase it`,
    )
  return found.map(({ sequence }) => sequence)
}

async function eraseActivities(means: Means, charter: CharterRow): Promise<number> {
  const { organizationId } = charter
  let count = 0
  for (let after: ScanKey = [organizationId, '']; ; ) {
    const page = await means.store.scan('activities', { limit: ROWS_OF_A_PAGE, after })
    const own = page.rows.filter((row) => row.organizationId === organizationId)
    const { activities } = await asked(means, charter, { activities: own })
    const changed = activities.flatMap((row, at) => (row === null ? [] : [replacing(row, own[at])]))
    await Promise.all(changed.map((activity) => committed(means.store, charter, { activity })))
    count += changed.length
    await means.paused(changed.length)
    if (own.length < page.rows.length || page.last === undefined) return count
    after = page.last
  }
}

const ROWS_OF_A_PAGE = 500

/** The record of the parent contains the same names again. It is as old as the organization, or waited until then. */
async function eraseFounding(means: Means, charter: CharterRow): Promise<boolean> {
  const { parentId, createdAt } = readCharter(charter.body)
  if (parentId === null) return false
  const filter = { types: FOUNDING_TYPES, statuses: ['ACTIVITY_STATUS_COMPLETED'] } as const
  const before = { after: firstIdAt(createdAt + 1) }
  for await (const page of activityPages(means.store, parentId, filter, before)) {
    const row = page.find(({ result }) => result?.includes(charter.organizationId) === true)
    if (row === undefined) continue
    const { founding } = await asked(means, charter, { activities: [], founding: row })
    if (founding !== null) await committed(means.store, charter, { activity: replacing(founding, row) })
    return founding !== null
  }
  return false
}

const FOUNDING_TYPES = [...activitiesByType(allActivities)]
  .filter(([, { activity }]) => activity.operation === 'create_sub_organization')
  .map(([type]) => type)

function replacing(row: ActivityRow, before: ActivityRow | undefined): NonNullable<Unit['activity']> {
  return { row, replaces: before?.revision ?? row.revision - 1, audience: [] }
}

/** Only another run of this command writes to a deleted organization. */
async function committed(
  store: Pick<Store, 'commit'>,
  { organizationId, version }: CharterRow,
  changes: Partial<Unit>,
): Promise<void> {
  const result = await store.commit({ ...emptyUnit, guards: [{ organizationId, version }], ...changes })
  if (result.kind === 'conflict')
    throw new CopyError(
      `organization ${organizationId} was changed in the meantime by another run of this command: repeat the command`,
    )
}
