import type pg from 'pg'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import type { Found } from '../found.ts'
import type { ChargedUnit } from '../quotas/quota.ts'
import type { Conflict } from '../store.ts'
import { isStorable } from './storable.ts'

/**
 * Keeps units that add rows apart from units whose lookups have found all rows. Otherwise the added row of an open
 * transaction would be in neither: the lookup does not see it, and its unit does not see the amended charter yet. Units
 * that add rows do not wait for each other. A lock of a charter's row would be written to disk, and new holders would go
 * before an amendment that waits; this lock is served in the order in which it was asked for.
 */
export async function takePlace(client: pg.ClientBase, unit: ChargedUnit): Promise<void> {
  const { found = [] } = unit
  const place = found.length > 0 ? ALONE : BESIDE
  const of = found.length > 0 ? found.map(({ organizationId }) => organizationId) : growing(unit)
  for (const organizationId of [...new Set(of)].toSorted())
    await client.query({ ...place, values: [`rows of ${organizationId}`] })
}

/**
 * The organizations to which a unit adds rows under a charter that it leaves as it is. An amended charter guards the
 * unit by itself, and a row that guards itself is looked for by its id alone.
 */
function growing({ objects, objectGuards, charters }: Unit): readonly string[] {
  return objects.put
    .filter(
      ({ organizationId, kind, objectId }) =>
        !charters.some((charter) => charter.organizationId === organizationId) &&
        !objectGuards.some((guard) => guard.objectId === objectId && guard.kind === kind),
    )
    .map(({ organizationId }) => organizationId)
}

const ALONE = {
  name: 'alone',
  text: 'SELECT FROM pg_advisory_xact_lock(hashtextextended($1, 0))',
}
const BESIDE = {
  name: 'beside',
  text: 'SELECT FROM pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
}

/** A conflict if a lookup finds more by now; its unit has its place, and has not written any row yet. */
export async function checkFound(
  client: pg.ClientBase,
  { found = [] }: ChargedUnit,
): Promise<Conflict | undefined> {
  const kinds = found.filter((item) => item.of === 'kind')
  const entries = found.filter((item) => item.of === 'entry').filter(({ value }) => isStorable(value))
  if (kinds.length + entries.length === 0) return undefined
  const columns = (items: readonly Found[]) => [
    items.map(({ organizationId }) => organizationId),
    items.map(({ kind }) => kind),
    items.map(({ count }) => count),
  ]
  const { rows } = await client.query<{ more: boolean }>({
    ...FINDS_MORE,
    values: [...columns(kinds), ...columns(entries), entries.map(({ value }) => value)],
  })
  return rows[0]?.more === false ? undefined : 'guard'
}

const isMore = (table: string, where: string) =>
  `(SELECT count(*) FROM (SELECT FROM ${table} WHERE ${where} LIMIT known.count + 1) AS found) > known.count`

const FINDS_MORE = {
  name: 'finds more',
  text: `SELECT
  EXISTS (SELECT FROM unnest($1::text[], $2::text[], $3::bigint[]) AS known (organization_id, kind, count)
    WHERE ${isMore('objects', 'objects.organization_id = known.organization_id AND objects.kind = known.kind')})
  OR EXISTS (SELECT FROM unnest($4::text[], $5::text[], $6::bigint[], $7::text[]) AS known (scope, kind, count, value)
    WHERE ${isMore('directory', 'directory.scope = known.scope AND directory.kind = known.kind AND directory.value = known.value')})
  AS more`,
}
