import type pg from 'pg'
import type { Found } from '../found.ts'
import type { ChargedUnit } from '../quotas/quota.ts'
import type { Conflict } from '../store.ts'
import { isStorable } from './storable.ts'

/** A conflict if a lookup finds more by now; the unit has its organization alone, and has not written any row yet. */
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
