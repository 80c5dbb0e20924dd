import { recordValues } from '../../trusted/catalogue/record-values.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import type { Store } from '../store/store.ts'
import { CopyError } from './copy-error.ts'
import type { OpenedCopy } from './opened-copy.ts'

type Means = {
  readonly store: Pick<Store, 'activity' | 'removeActivities'>
  readonly paused: (step: 'removed', rows: number) => Promise<void>
}

/**
 * Removes the rows of a verified archive from the store, page by page, as far as they are still there.
 *
 * @returns the number of removed rows
 */
export async function removeArchived(means: Means, copy: OpenedCopy): Promise<number> {
  let removed = 0
  for await (const page of copy.pages()) {
    if (page.table !== 'activities') continue
    let gone = await means.store.removeActivities(page.rows)
    if (gone < page.rows.length) for (const row of page.rows) gone += await removeResealed(means.store, row)
    removed += gone
    await means.paused('removed', gone)
  }
  return removed
}

/** A row that was resealed since then has the content of the file. */
async function removeResealed(store: Means['store'], archived: ActivityRow): Promise<number> {
  const { organizationId, activityId } = archived
  const standing = await store.activity(organizationId, activityId)
  if (standing === undefined) return 0
  const what = `activity ${activityId} of organization ${organizationId}`
  if (JSON.stringify(recordValues(standing)) !== JSON.stringify(recordValues(archived)))
    throw new CopyError(
      `${what} is another one in the store than in the archive: claviger verify says which is wrong`,
    )
  if ((await store.removeActivities([standing])) === 0)
    throw new CopyError(`${what} cannot be removed from the store: is there a trigger on its table?`)
  return 1
}
