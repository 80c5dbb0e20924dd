import type pg from 'pg'
import type { ActivityRow, CharterRow, DirectoryEntry, ObjectRow } from '../../../trusted/catalogue/unit.ts'
import { CHARTERS_CHARACTERS_MAX } from '../charters-at-once.ts'
import { activityColumns, charterColumns, fieldList, objectColumns } from '../columns.ts'
import type { Connections } from './connection.ts'
import { checkFields } from './columns.ts'
import { listActivities, ofActivity } from './listing.ts'
import { expandRecords } from './record-texts.ts'
import { ABOVE_ALL_IDS } from '../listing.ts'
import { NOTE } from './note.ts'
import type { Pool, Statement } from './pool.ts'
import { isCompact } from '../record-form.ts'
import { prefixRange } from '../prefix-range.ts'
import { isStorable } from './storable.ts'
import type { ActivityRevision, FoundEntry, Store } from '../store.ts'

type Reads = Pick<
  Store,
  | 'charter'
  | 'charters'
  | 'activity'
  | 'activityOfRequest'
  | 'awaitedActivity'
  | 'activities'
  | 'newestRevisions'
  | 'revisionsOf'
  | 'objects'
  | 'objectsOfKind'
  | 'newestOfKind'
  | 'claimed'
  | 'find'
  | 'findPrefix'
  | 'note'
  | 'noteOnce'
  | 'isEmpty'
  | 'probe'
>

/** Each statement has a name, under which every connection prepares it once. */
export function postgresReads(
  { units, lists, vital, texts }: Pick<Connections, 'units' | 'lists' | 'vital' | 'texts'>,
  asStoreError: (error: unknown) => Promise<unknown>,
): Reads {
  const rowsOf =
    (pool: Pool) =>
    async <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) => {
      try {
        const answer = await pool.read<Row>({ ...statement, values: [...values] })
        checkFields(answer.fields)
        return answer.rows
      } catch (error) {
        throw await asStoreError(error)
      }
    }
  const rows = rowsOf(units)
  const listed = rowsOf(lists)
  const told = rowsOf(vital)
  const put = async (statement: Statement, values: readonly unknown[]): Promise<void> => {
    try {
      await vital.write({ ...statement, values: [...values] })
    } catch (error) {
      throw await asStoreError(error)
    }
  }
  const records = async (pool: Pool, statement: Statement, values: readonly unknown[]) => {
    const readBy = async (query: Pool['read']): Promise<readonly ActivityRow[]> => {
      const answer = await query<ActivityRow>({ ...statement, values: [...values] })
      checkFields(answer.fields)
      return await expandRecords(texts, answer.rows, query)
    }
    try {
      const found = await readBy(pool.read)
      // A text was committed before its record, by the server that shows the record. After a failover another server
      // may have been the one that reported it.
      if (!found.some(isCompact)) return found
      return await pool.lend((client) => readBy((query) => client.query(query)))
    } catch (error) {
      throw await asStoreError(error)
    }
  }
  const record = async (statement: Statement, values: readonly unknown[]) =>
    (await records(units, statement, values))[0]
  const note = async (name: string) => (await told<{ value: string }>(NOTE, [name]))[0]?.value

  return {
    charter: async (organizationId) => (await rows<CharterRow>(CHARTER, [organizationId]))[0],
    charters: async (organizationIds) => {
      if (organizationIds.length === 0) return []
      return await listed<CharterRow>(CHARTERS, [organizationIds, CHARTERS_CHARACTERS_MAX])
    },
    activity: (organizationId, activityId) => record(ACTIVITY, [organizationId, activityId]),
    activityOfRequest: ({ organizationId, timestampMs, fingerprint }) =>
      record(ACTIVITY_OF_REQUEST, [organizationId, timestampMs, fingerprint]),
    awaitedActivity: async (organizationId, fingerprint) =>
      isStorable(fingerprint) ? await record(AWAITED_ACTIVITY, [organizationId, fingerprint]) : undefined,
    activities: async (organizationId, filter, wanted) => {
      const { types = [] } = filter
      const storable = types.filter(isStorable)
      // None of these types is all that were asked for, and not no filter.
      if (storable.length < types.length && storable.length === 0) return []
      const narrowed = { ...filter, types: storable }
      const { statement, values, newestFirst } = listActivities(organizationId, narrowed, wanted)
      const page = await records(lists, statement, values)
      return newestFirst ? page : page.toReversed()
    },
    newestRevisions: (organizationId, limit) =>
      listed<ActivityRevision>(NEWEST_REVISIONS, [organizationId, limit]),
    revisionsOf: async (organizationId, activityIds) =>
      activityIds.length === 0
        ? []
        : await listed<ActivityRevision>(REVISIONS_OF, [organizationId, activityIds]),
    objects: async (organizationId, kind, objectIds) => {
      const storable = objectIds.filter(isStorable)
      if (storable.length === 0) return []
      const found = await rows<ObjectRow>(OBJECTS, [organizationId, kind, storable])
      const byId = new Map(found.map((object) => [object.objectId, object]))
      return objectIds.map((objectId) => byId.get(objectId)).filter((object) => object !== undefined)
    },
    objectsOfKind: (organizationId, kind, { limit, after = '' }) =>
      listed<ObjectRow>(OBJECTS_OF_KIND, [organizationId, kind, after, limit]),
    newestOfKind: (organizationId, kind, { limit, before = ABOVE_ALL_IDS }) =>
      listed<ObjectRow>(NEWEST_OF_KIND, [organizationId, kind, before, limit]),
    claimed: async (names) => {
      const storable = names.filter(({ value }) => isStorable(value))
      if (storable.length === 0) return []
      const columns = [
        storable.map(({ scope }) => scope),
        storable.map(({ kind }) => kind),
        storable.map(({ value }) => value),
      ]
      return await rows<DirectoryEntry>(CLAIMED, columns)
    },
    find: async ({ scope, kind, value }, { limit, after, before }) => {
      if (!isStorable(value)) return []
      const targets = (list: readonly { target: string }[]) => list.map((row) => row.target)
      if (before !== undefined && after === undefined)
        return targets(await rows(FIND_DOWN, [scope, kind, value, before, limit])).reverse()
      if (before === undefined) return targets(await rows(FIND_UP, [scope, kind, value, after ?? '', limit]))
      return targets(await rows(FIND_BETWEEN, [scope, kind, value, after, before, limit]))
    },
    findPrefix: async ({ scope, kind, prefix }, { limit, after }) => {
      const { from, below } = prefixRange(prefix, after)
      if (!isStorable(prefix) || !isStorable(from.value)) return []
      return await listed<FoundEntry>(FIND_PREFIX, [scope, kind, from.value, from.target, below, limit])
    },
    isEmpty: async () => (await rows(ANY_CHARTER, [])).length === 0,
    probe: async () => {
      await put(PROBE, [])
    },
    note,
    noteOnce: async (name, value) => {
      await put(PUT_NOTE, [name, value])
      return (await note(name)) ?? value
    },
  }
}

const CHARTER = {
  name: 'charter',
  text: `SELECT ${fieldList(charterColumns)} FROM charters WHERE organization_id = $1`,
}
const CHARTERS = {
  name: 'charters',
  // The length of a long text is known without reading it; of UTF-8 it is at least the number of characters.
  text: `SELECT ${Object.keys(charterColumns)
    .map((field) => `"${field}"`)
    .join(', ')} FROM (
    SELECT found.*, place, sum(octet_length(body)) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS before
    FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, place) CROSS JOIN LATERAL (
      SELECT ${fieldList(charterColumns)} FROM charters WHERE organization_id = wanted.id OFFSET 0
    ) AS found
  ) AS summed WHERE coalesce(before, 0) < $2::bigint ORDER BY place`,
}

const selectActivity = `SELECT ${fieldList(activityColumns)} FROM activities`
const ACTIVITY = {
  name: 'activity',
  text: `${selectActivity} ${ofActivity('$1', '$2')}`,
}
const ACTIVITY_OF_REQUEST = {
  name: 'activity of request',
  text: `${selectActivity} WHERE organization_id = $1 AND timestamp_ms = $2 AND fingerprint = $3`,
}
const AWAITED_ACTIVITY = {
  name: 'awaited activity',
  text: `SELECT * FROM (
    ${selectActivity} WHERE organization_id = $1 AND fingerprint >= $2 AND fingerprint <= $2 AND awaited = 1
    ORDER BY fingerprint OFFSET 0
  ) AS same ORDER BY same."activityId" DESC LIMIT 1`,
}

const NEWEST_REVISIONS = {
  name: 'newest revisions',
  text: `SELECT activity_id AS "activityId", revision FROM activities
    WHERE organization_id = $1 ORDER BY activity_id DESC LIMIT $2`,
}
const REVISIONS_OF = {
  name: 'revisions',
  text: `SELECT found.activity_id AS "activityId", found.revision FROM unnest($2::text[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT activity_id, revision FROM activities ${ofActivity('$1', 'wanted.id')}
  ) AS found`,
}

const selectObject = `SELECT ${fieldList(objectColumns)} FROM objects WHERE organization_id = $1 AND kind = $2`
// One by one, and as a range with an order: without statistics the planner turns = ANY into a filter.
const OBJECTS = {
  name: 'objects',
  text: `SELECT found.* FROM unnest($3::text[]) AS wanted (id) CROSS JOIN LATERAL (
    ${selectObject} AND object_id >= wanted.id AND object_id <= wanted.id ORDER BY object_id LIMIT 1
  ) AS found`,
}
const OBJECTS_OF_KIND = {
  name: 'objects of kind',
  text: `${selectObject} AND object_id > $3 ORDER BY object_id LIMIT $4`,
}
const NEWEST_OF_KIND = {
  name: 'newest of kind',
  text: `${selectObject} AND object_id < $3 ORDER BY object_id DESC LIMIT $4`,
}

const CLAIMED = {
  name: 'claimed',
  text: `SELECT claims.* FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (scope, kind, value, place) JOIN claims USING (scope, kind, value) ORDER BY place`,
}
const selectTarget = 'SELECT target FROM directory WHERE scope = $1 AND kind = $2 AND value = $3'
const FIND_UP = {
  name: 'find up',
  text: `${selectTarget} AND target > $4 ORDER BY target LIMIT $5`,
}
/**
 * Separate statements, because an optional bound cannot be part of an index search: all rows beyond it would be read
 * too.
 */
const FIND_BETWEEN = {
  name: 'find between',
  text: `${selectTarget} AND target > $4 AND target < $5 ORDER BY target LIMIT $6`,
}
const FIND_DOWN = {
  name: 'find down',
  text: `${selectTarget} AND target < $4 ORDER BY target DESC LIMIT $5`,
}
const FIND_PREFIX = {
  name: 'find prefix',
  text: `SELECT value, target FROM directory
    WHERE scope = $1 AND kind = $2 AND (value, target) > ($3, $4) AND value < $5 ORDER BY value, target LIMIT $6`,
}

const PUT_NOTE = {
  name: 'put note',
  text: 'INSERT INTO notes (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
}

const ANY_CHARTER = { name: 'any charter', text: 'SELECT organization_id FROM charters LIMIT 1' }
const PROBE = {
  name: 'probe',
  text: "INSERT INTO notes (name, value) VALUES ('probe', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value",
}
