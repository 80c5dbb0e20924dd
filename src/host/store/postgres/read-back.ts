import type pg from 'pg'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import { ofActivity } from './listing.ts'
import { hasListeners } from './queue.ts'
import { areQuotasOf } from '../quotas/postgres-quotas.ts'
import { altered } from '../store-error.ts'

/**
 * Reads the rows that a unit has written, before it commits: a trigger or a rule of the database may have changed or
 * discarded them. Seals are compared instead of whole rows; every reader refuses a row that does not fit its seal.
 *
 * @param quotas  the version of the settings by which the unit is counted
 * @returns whether any webhook receives the activity, and whether the quotas are unchanged, which is read in the same
 *          statement
 * @throws StoreError `altered`
 */
export async function readBack(
  client: pg.ClientBase,
  unit: Unit,
  quotas: number,
): Promise<Pick<WrittenRows, 'hasListeners' | 'areQuotas'>> {
  const { charters, activity, objects } = unit
  const put = new Map(objects.put.map((object) => [keyOf(object), object]))
  const gone = objects.remove.filter((key) => !put.has(keyOf(key)))
  const { rows } = await client.query<WrittenRows>({
    ...READ_BACK,
    values: [
      charters.map(({ organizationId }) => organizationId),
      charters.map(({ version }) => version),
      charters.map(({ seal }) => seal),
      activity?.row.organizationId,
      activity?.row.activityId,
      activity?.row.revision,
      activity?.row.seal,
      ...keysOf(objects.put),
      objects.put.map(({ seal }) => seal),
      ...keysOf(gone),
      activity?.audience ?? [],
      String(quotas),
    ],
  })
  const [written] = rows
  const stands =
    written?.charters === charters.length &&
    written.activities === (activity === undefined ? 0 : 1) &&
    written.objects === objects.put.length &&
    written.gone === 0
  if (!stands) throw altered()
  return written
}

type WrittenRows = {
  readonly charters: number
  readonly activities: number
  readonly objects: number
  /** Of the rows that should be gone, the number of those that still exist. */
  readonly gone: number
  readonly hasListeners: boolean
  readonly areQuotas: boolean
}

type Key = Unit['objects']['remove'][number]

function keyOf({ organizationId, kind, objectId }: Key): string {
  return [organizationId, kind, objectId].join('\0')
}

function keysOf(keys: readonly Key[]): readonly (readonly string[])[] {
  return [
    keys.map(({ organizationId }) => organizationId),
    keys.map(({ kind }) => kind),
    keys.map(({ objectId }) => objectId),
  ]
}

const ONE_OBJECT =
  'objects.organization_id = due.organization_id AND objects.kind = due.kind AND objects.object_id = due.object_id'

// OFFSET 0 makes PostgreSQL use the index for each row, whatever the planner assumes about the sizes.
const READ_BACK = {
  name: 'read back',
  text: `SELECT
  (SELECT count(*) FROM unnest($1::text[], $2::bigint[], $3::text[]) AS due (organization_id, version, seal)
    CROSS JOIN LATERAL (SELECT FROM charters WHERE charters.organization_id = due.organization_id
      AND charters.version = due.version AND charters.seal = due.seal OFFSET 0) AS found) AS charters,
  (SELECT count(*) FROM (SELECT revision, seal FROM activities ${ofActivity('$4', '$5')}) AS found
    WHERE revision = $6 AND seal = $7) AS activities,
  (SELECT count(*) FROM unnest($8::text[], $9::text[], $10::text[], $11::text[]) AS due (organization_id, kind, object_id, seal)
    CROSS JOIN LATERAL (SELECT FROM objects WHERE ${ONE_OBJECT} AND objects.seal = due.seal OFFSET 0) AS found) AS objects,
  (SELECT count(*) FROM unnest($12::text[], $13::text[], $14::text[]) AS due (organization_id, kind, object_id)
    CROSS JOIN LATERAL (SELECT FROM objects WHERE ${ONE_OBJECT} OFFSET 0) AS found) AS gone,
  ${hasListeners('$15')} AS "hasListeners",
  ${areQuotasOf('$16')} AS "areQuotas"`,
}
