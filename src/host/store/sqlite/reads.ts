import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CharterRow, DirectoryEntry, ObjectRow } from '../../../trusted/catalogue/unit.ts'
import { CHARTERS_CHARACTERS_MAX } from '../charters-at-once.ts'
import { charterColumns, fieldList, objectColumns } from '../columns.ts'
import { ABOVE_ALL_IDS } from '../listing.ts'
import { prefixRange } from '../prefix-range.ts'
import { ID_WEIGHT, type ReadingTurns, rowsWeight, rowWeight } from '../reading-turns.ts'
import type { EntryKey, Store } from '../store.ts'

type Reads = Pick<
  Store,
  | 'charter'
  | 'charters'
  | 'objects'
  | 'objectsOfKind'
  | 'newestOfKind'
  | 'claimed'
  | 'find'
  | 'findPrefix'
  | 'note'
  | 'noteOnce'
  | 'isEmpty'
>

// `async`, although some do not wait, so that an exception of SQLite becomes a rejection as on the other engine. A
// single row is read at once, since signing waits for it; reads of several rows take turns. Rows are cast to their
// types: the tables are STRICT, and the columns carry the names of the fields.
export function sqliteReads(db: DatabaseSync, turns: ReadingTurns): Reads {
  const charter = db.prepare(`SELECT ${fieldList(charterColumns)} FROM charters WHERE organization_id = ?`)
  const object = db.prepare(
    `SELECT ${fieldList(objectColumns)} FROM objects WHERE organization_id = ? AND kind = ? AND object_id = ?`,
  )
  const objectsOfKind = db.prepare(
    `SELECT ${fieldList(objectColumns)} FROM objects WHERE organization_id = ? AND kind = ? AND object_id > ? ORDER BY object_id LIMIT ?`,
  )
  const newestOfKind = db.prepare(
    `SELECT ${fieldList(objectColumns)} FROM objects WHERE organization_id = ? AND kind = ? AND object_id < ? ORDER BY object_id DESC LIMIT ?`,
  )
  const claimed = db.prepare('SELECT target FROM claims WHERE scope = ? AND kind = ? AND value = ?')
  const note = db.prepare('SELECT value FROM notes WHERE name = ?')
  const putNote = db.prepare('INSERT OR IGNORE INTO notes (name, value) VALUES (?, ?)')
  const anyCharter = db.prepare("SELECT 1 FROM charters WHERE organization_id > '' LIMIT 1")

  const readCharter = (organizationId: string): CharterRow | undefined =>
    plain(charter.get(organizationId)) as CharterRow | undefined
  const readClaim = (name: EntryKey): DirectoryEntry | undefined => {
    const target = optionalText(claimed.get(name.scope, name.kind, name.value)?.['target'])
    return target === undefined ? undefined : { ...name, target }
  }
  const readSlices = async (
    read: StatementSync,
    { organizationId, kind, start, limit }: KindPage,
  ): Promise<readonly ObjectRow[]> =>
    await inSlices(limit, { start, rows: SLICE_ROWS }, async (last, count) => {
      const rows = await turns(organizationId, () => read.all(organizationId, kind, last, count), rowsWeight)
      return rows.map((row) => ({ item: plain(row) as ObjectRow, at: String(row['objectId']) }))
    })
  const readNote = (name: string): string | undefined => optionalText(note.get(name)?.['value'])

  return {
    charter: async (organizationId) => readCharter(organizationId),
    charters: async (organizationIds) => {
      const rows: CharterRow[] = []
      let characters = 0
      for await (const row of oneByOne(organizationIds, readCharter, { turns, flowOf: (id) => id })) {
        rows.push(row)
        characters += row.body.length
        if (characters >= CHARTERS_CHARACTERS_MAX) break
      }
      return rows
    },
    objects: async (organizationId, kind, objectIds) =>
      await listOf(
        oneByOne(
          objectIds,
          (objectId) => plain(object.get(organizationId, kind, objectId)) as ObjectRow | undefined,
          { turns, flowOf: () => organizationId },
        ),
      ),
    objectsOfKind: async (organizationId, kind, { limit, after: start = '' }) =>
      await readSlices(objectsOfKind, { organizationId, kind, start, limit }),
    newestOfKind: async (organizationId, kind, { limit, before: start = ABOVE_ALL_IDS }) =>
      await readSlices(newestOfKind, { organizationId, kind, start, limit }),
    claimed: async (names) =>
      await listOf(oneByOne(names, readClaim, { turns, flowOf: ({ scope }) => scope })),
    find: finder(db, turns),
    findPrefix: prefixFinder(db, turns),
    isEmpty: async () => anyCharter.get() === undefined,
    note: async (name) => readNote(name),
    noteOnce: async (name, value) => {
      putNote.run(name, value)
      return readNote(name) ?? value
    },
  }
}

function finder(db: DatabaseSync, turns: ReadingTurns): Store['find'] {
  const found = 'SELECT target FROM directory WHERE scope = ? AND kind = ? AND value = ?'
  const findUp = db.prepare(`${found} AND target > ? ORDER BY target LIMIT ?`)
  // Separate statements, because an optional bound cannot be part of an index search: all rows beyond it would be read
  // too.
  const findBetween = db.prepare(`${found} AND target > ? AND target < ? ORDER BY target LIMIT ?`)
  const findDown = db.prepare(`${found} AND target < ? ORDER BY target DESC LIMIT ?`)

  return async ({ scope, kind, value }, { limit, after, before }) => {
    const isBackwards = before !== undefined && after === undefined
    const read = (last: string, count: number) => {
      if (isBackwards) return findDown.all(scope, kind, value, last, count)
      if (before === undefined) return findUp.all(scope, kind, value, last, count)
      return findBetween.all(scope, kind, value, last, before, count)
    }
    const found = await inSlices(
      limit,
      { start: (isBackwards ? before : after) ?? '', rows: SLICE_TARGETS },
      async (last, count) => {
        const rows = await turns(
          scope,
          () => read(last, count),
          ({ length }) => 1 + length * ID_WEIGHT,
        )
        return rows.map(({ target }) => ({ item: String(target), at: String(target) }))
      },
    )
    return isBackwards ? found.reverse() : found
  }
}

function prefixFinder(db: DatabaseSync, turns: ReadingTurns): Store['findPrefix'] {
  const found = db.prepare(`SELECT value, target FROM directory
    WHERE scope = ? AND kind = ? AND (value, target) > (?, ?) AND value < ? ORDER BY value, target LIMIT ?`)
  return async ({ scope, kind, prefix }, { limit, after }) => {
    const { from, below } = prefixRange(prefix, after)
    const rows = await turns(
      scope,
      () => found.all(scope, kind, from.value, from.target, below, limit),
      ({ length }) => 1 + length * ID_WEIGHT,
    )
    return rows.map(({ value, target }) => ({ value: String(value), target: String(target) }))
  }
}

type KindPage = {
  readonly organizationId: string
  readonly kind: string
  readonly start: string
  readonly limit: number
}

/** The existing ones, in the requested order. */
async function* oneByOne<Key, Row extends object>(
  ids: readonly Key[],
  read: (id: Key) => Row | undefined,
  { turns, flowOf }: { readonly turns: ReadingTurns; readonly flowOf: (id: Key) => string },
): AsyncGenerator<Row, void> {
  for (const id of ids) {
    const row = await turns(flowOf(id), () => read(id), rowWeight)
    if (row !== undefined) yield row
  }
}

async function listOf<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const list: Row[] = []
  for await (const row of rows) list.push(row)
  return list
}

/** This many items, each slice from the end of the previous one. */
async function inSlices<Item>(
  limit: number,
  { start, rows }: { readonly start: string; readonly rows: number },
  read: (last: string, count: number) => Promise<readonly { readonly item: Item; readonly at: string }[]>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let last = start; items.length < limit; ) {
    const count = Math.min(rows, limit - items.length)
    const slice = await read(last, count)
    items.push(...slice.map(({ item }) => item))
    last = slice.at(-1)?.at ?? last
    if (slice.length < count) break
  }
  return items
}

/** Rows may be long, so only a few are read before their size is checked. */
const SLICE_ROWS = 16
const SLICE_TARGETS = 200

/** SQLite's rows have no prototype; those of the catalogue are plain objects. */
function plain(row: object | undefined): object | undefined {
  return row === undefined ? undefined : { ...row }
}

function optionalText(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value)
}
