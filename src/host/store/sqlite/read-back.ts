import type { DatabaseSync } from 'node:sqlite'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import { altered } from '../store-error.ts'

/**
 * Checks, before the commit, that the rows of a unit are stored as written. Seals are compared instead of whole rows.
 *
 * @throws StoreError `altered`
 */
export function sqliteReadBack(db: DatabaseSync): (unit: Unit) => void {
  const charter = db.prepare('SELECT seal FROM charters WHERE organization_id = ?')
  const record = db.prepare('SELECT seal FROM activities WHERE organization_id = ? AND activity_id = ?')
  const object = db.prepare(
    'SELECT seal FROM objects WHERE organization_id = ? AND kind = ? AND object_id = ?',
  )

  return ({ charters, activity, objects }) => {
    const stand = (seal: string | undefined, row: { readonly [name: string]: unknown } | undefined): void => {
      if (row?.['seal'] !== seal) throw altered()
    }
    for (const { organizationId, seal } of charters) stand(seal, charter.get(organizationId))
    if (activity !== undefined)
      stand(activity.row.seal, record.get(activity.row.organizationId, activity.row.activityId))
    const put = new Map(
      objects.put.map(({ organizationId, kind, objectId, seal }) => [
        [organizationId, kind, objectId].join('\0'),
        seal,
      ]),
    )
    for (const { organizationId, kind, objectId } of [...objects.remove, ...objects.put])
      stand(put.get([organizationId, kind, objectId].join('\0')), object.get(organizationId, kind, objectId))
  }
}
