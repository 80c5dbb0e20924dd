import type pg from 'pg'
import type { ObjectKey, ObjectRow, Unit } from '../../../trusted/catalogue/unit.ts'
import { columnList, objectColumns } from '../columns.ts'
import type { Conflict } from '../store.ts'

/**
 * Holds the guards of a unit until it commits. A row that must exist is locked, and its seal compared. A row that must
 * not exist is inserted at once: with the unit's own content or, if the unit does not put it, for as long as the
 * transaction lasts. Other transactions that insert the same row wait, so one of two hosts finds it taken.
 */
export async function lockGuardedObjects(
  client: pg.ClientBase,
  { objectGuards, objects }: Unit,
): Promise<Conflict | undefined> {
  return (
    (await lockPresent(
      client,
      objectGuards.filter((guard) => guard.seal !== null),
    )) ?? (await takeAbsent(client, absentIn(objectGuards), objects.put))
  )
}

async function lockPresent(
  client: pg.ClientBase,
  guards: Unit['objectGuards'],
): Promise<Conflict | undefined> {
  if (guards.length === 0) return undefined
  const { rows } = await client.query<ObjectKey & Pick<ObjectRow, 'seal'>>({
    ...LOCK_OBJECTS,
    values: keysOf(guards),
  })
  const seals = new Map(rows.map((row) => [keyOf(row), row.seal]))
  return guards.every((guard) => seals.get(keyOf(guard)) === guard.seal) ? undefined : 'object'
}

async function takeAbsent(
  client: pg.ClientBase,
  absent: readonly ObjectKey[],
  put: Unit['objects']['put'],
): Promise<Conflict | undefined> {
  if (absent.length === 0) return undefined
  const puts = new Map(put.map((object) => [keyOf(object), object]))
  const rows = absent.map((key) => puts.get(keyOf(key)) ?? { ...NOTHING, ...key })
  const added = await client.query({ ...ADD_OBJECTS, values: objectValues(rows) })
  if (added.rowCount !== absent.length) return 'object'
  const passing = absent.filter((key) => !puts.has(keyOf(key)))
  if (passing.length > 0) await client.query({ ...REMOVE_OBJECTS, values: keysOf(passing) })
  return undefined
}

const NOTHING = { body: '', seal: '', expiresAt: null }

/** Puts and removes the objects that the guards have not handled already. */
export async function writeObjects(
  client: pg.ClientBase,
  { objects, objectGuards }: Unit,
): Promise<undefined> {
  const done = new Set(absentIn(objectGuards).map(keyOf))
  const rest = <Key extends ObjectKey>(list: readonly Key[]): readonly Key[] =>
    list.filter((key) => !done.has(keyOf(key)))
  const [remove, put] = [rest(objects.remove), rest(objects.put)]
  if (remove.length > 0) await client.query({ ...REMOVE_OBJECTS, values: keysOf(remove) })
  if (put.length > 0) await client.query({ ...PUT_OBJECTS, values: objectValues(put) })
}

function absentIn(guards: Unit['objectGuards']): readonly ObjectKey[] {
  return guards
    .filter((guard) => guard.seal === null)
    .map(({ organizationId, kind, objectId }) => ({ organizationId, kind, objectId }))
}

function keyOf({ organizationId, kind, objectId }: ObjectKey): string {
  return [organizationId, kind, objectId].join('\0')
}

function keysOf(objects: readonly ObjectKey[]): string[][] {
  return [
    objects.map((object) => object.organizationId),
    objects.map((object) => object.kind),
    objects.map((object) => object.objectId),
  ]
}

function objectValues(objects: readonly ObjectRow[]): (string | number | null)[][] {
  return [
    ...keysOf(objects),
    objects.map((object) => object.body),
    objects.map((object) => object.seal),
    objects.map((object) => object.expiresAt),
  ]
}

const KEYS = 'unnest($1::text[], $2::text[], $3::text[]) AS named (organization_id, kind, object_id)'
const SAME =
  'objects.organization_id = named.organization_id AND objects.kind = named.kind AND objects.object_id = named.object_id'

const LOCK_OBJECTS = {
  name: 'lock objects',
  text: `SELECT objects.organization_id AS "organizationId", objects.kind, objects.object_id AS "objectId", objects.seal
    FROM ${KEYS} JOIN objects ON ${SAME} ORDER BY 1, 2, 3 FOR NO KEY UPDATE OF objects`,
}
const REMOVE_OBJECTS = { name: 'remove objects', text: `DELETE FROM objects USING ${KEYS} WHERE ${SAME}` }
const insertObjects = `INSERT INTO objects (${columnList(objectColumns)})
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]) ORDER BY 1, 2, 3
    ON CONFLICT (organization_id, kind, object_id)`
const ADD_OBJECTS = { name: 'add objects', text: `${insertObjects} DO NOTHING` }
const PUT_OBJECTS = {
  name: 'put objects',
  text: `${insertObjects} DO UPDATE SET body = excluded.body, seal = excluded.seal, expires_at = excluded.expires_at`,
}
