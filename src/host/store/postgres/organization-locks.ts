import type pg from 'pg'
import type { Unit } from '../../../trusted/catalogue/unit.ts'

/**
 * Locks the organizations of a unit until it has ended. A unit that amends a charter has its organization alone; a unit
 * that adds rows under a charter, or amends another one, has it together with others of its kind. Otherwise two units,
 * each guarded by the charter that the other one amends, could both pass, and an added row of an open transaction would
 * be missed by a lookup that has found everything.
 *
 * A lock of the charter's row would be written to disk, and new holders would go before an amendment that waits for the
 * earlier ones to end. These locks are served in the order in which they are asked for.
 */
export async function lockOrganizations(client: pg.ClientBase, unit: Unit): Promise<void> {
  const alone = new Set(unit.charters.map(({ organizationId }) => organizationId))
  const ids = [...new Set([...alone, ...keptBy(unit)])].toSorted()
  if (ids.length === 0) return
  await client.query({ ...LOCK_ORGANIZATIONS, values: [ids, ids.map((id) => alone.has(id))] })
}

/**
 * The organizations whose charters must stay as they are until the unit has ended. A row that guards itself is looked
 * for by its id alone, and a record by nobody.
 */
function keptBy({ guards, charters, objects, objectGuards }: Unit): readonly string[] {
  if (charters.length > 0) return guards.map(({ organizationId }) => organizationId)
  return objects.put
    .filter(
      ({ kind, objectId }) =>
        !objectGuards.some((guard) => guard.objectId === objectId && guard.kind === kind),
    )
    .map(({ organizationId }) => organizationId)
}

const KEY = "hashtextextended('organization ' || id, 0)"

/** In the given order, which is the same for all units. */
const LOCK_ORGANIZATIONS = {
  name: 'lock organizations',
  text: `SELECT CASE WHEN alone THEN pg_advisory_xact_lock(${KEY}) ELSE pg_advisory_xact_lock_shared(${KEY}) END
    FROM unnest($1::text[], $2::boolean[]) AS wanted (id, alone)`,
}
