import type { Vault } from '../../protocol/vault.ts'
import { recordValues } from '../../trusted/catalogue/record-values.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import type { Store } from '../store/store.ts'
import { checkRows } from './check-rows.ts'
import { CopyError } from './copy-error.ts'
import type { OpenedCopy } from './opened-copy.ts'

type Means = {
  readonly store: Pick<Store, 'activity' | 'removeActivities'>
  readonly vault: Pick<Vault, 'verify'>
  readonly paused: (step: 'removed', rows: number) => Promise<void>
}

type Removed = {
  /** The number of rows. */
  readonly removed: number
  /** The ids of the activities that stay in the store, since they were erased after the file was written. */
  readonly stay: ReadonlySet<string>
}

/** Removes the rows of a verified archive from the store, page by page, as far as they are still there. */
export async function removeArchived(means: Means, copy: OpenedCopy): Promise<Removed> {
  let removed = 0
  const stay = new Set<string>()
  for await (const page of copy.pages()) {
    if (page.table !== 'activities') continue
    let gone = await means.store.removeActivities(page.rows)
    if (gone < page.rows.length)
      for (const row of page.rows) {
        const outcome = await removeChanged(means, row)
        if (outcome === 'removed') gone += 1
        if (outcome === 'stays') stay.add(row.activityId)
      }
    removed += gone
    await means.paused('removed', gone)
  }
  return { removed, stay }
}

/** A resealed row has the content of the file. A row that was erased since then is nowhere else, and stays. */
async function removeChanged(
  { store, vault }: Pick<Means, 'store' | 'vault'>,
  archived: ActivityRow,
): Promise<'absent' | 'removed' | 'stays'> {
  const { organizationId, activityId } = archived
  const standing = await store.activity(organizationId, activityId)
  if (standing === undefined) return 'absent'
  if (saysOther(standing, archived)) throw anotherRow(archived)
  if (standing.revision > archived.revision) {
    await checkRows(vault, [standing])
    return 'stays'
  }
  if ((await store.removeActivities([standing])) === 0)
    throw new CopyError(
      `${nameOf(archived)} cannot be removed from the store: is there a trigger on its table?`,
    )
  return 'removed'
}

/**
 * Whether the store has another content of an activity, apart from an erasure since the file was written: that keeps
 * the outcome and its time. After a restore, another outcome may have taken more votes.
 */
export function saysOther(standing: ActivityRow, archived: ActivityRow): boolean {
  if (standing.revision > archived.revision)
    return standing.status !== archived.status || standing.updatedAt !== archived.updatedAt
  return JSON.stringify(recordValues(standing)) !== JSON.stringify(recordValues(archived))
}

export function anotherRow(row: ActivityRow): CopyError {
  return new CopyError(
    `${nameOf(row)} is another one in the store than in the archive: claviger verify says which is wrong`,
  )
}

function nameOf({ organizationId, activityId }: ActivityRow): string {
  return `activity ${activityId} of organization ${organizationId}`
}
