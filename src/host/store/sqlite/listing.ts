import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { beyond, fits, type IdRange, idRange, planListing } from '../listing.ts'
import { ID_WEIGHT, type ReadingTurns, rowWeight } from '../reading-turns.ts'
import type { ActivityFilter, Store } from '../store.ts'

/** @param rowOf  reads one activity */
export function sqliteListing(
  db: DatabaseSync,
  turns: ReadingTurns,
  rowOf: (organizationId: string, activityId: string) => ActivityRow | undefined,
): Store['activities'] {
  const readIds = idReader(db)

  // The ids of a page are read in one turn, in the state of one instant. Its rows are read in several turns: a row that
  // changed in between may no longer match, and the following row replaces it.
  return async (organizationId, filter, page) => {
    const rows: ActivityRow[] = []
    for (let range = idRange(page); ; ) {
      const limit = page.limit - rows.length
      const { ids } = await turns(
        organizationId,
        () => readIds({ organizationId, filter, range, limit }),
        ({ weight }) => weight,
      )
      for (const id of ids) {
        const row = await turns(organizationId, () => rowOf(organizationId, id), rowWeight)
        if (row !== undefined && fits(row, filter)) rows.push(row)
      }
      const last = ids.at(-1)
      if (last === undefined || ids.length < limit || rows.length === page.limit)
        return range.newestFirst ? rows : rows.reverse()
      range = beyond(range, last)
    }
  }
}

type IdRequest = {
  readonly organizationId: string
  readonly filter: ActivityFilter
  readonly range: IdRange
  readonly limit: number
}

/** @returns the first ids of the range that match the filter, in its direction */
function idReader(
  db: DatabaseSync,
): (request: IdRequest) => { readonly ids: readonly string[]; readonly weight: number } {
  const all = rangeReader(db, 'activities WHERE organization_id = ?')
  const apart = rangeReader(
    db,
    'activities INDEXED BY activities_listed WHERE organization_id = ? AND type = ? AND status = ?',
  )
  const groupsOf = groupReader(db)

  return ({ organizationId, filter, range, limit }) => {
    const listing = planListing(filter)
    if (listing.kind === 'all') {
      const ids = all([organizationId], range, limit)
      return { ids, weight: 1 + ids.length * ID_WEIGHT }
    }
    const { groups, lookups } = groupsOf({ organizationId, ...listing })
    const runs = groups.map((group) =>
      aRun((from, count) => apart([organizationId, ...group], from, count), range),
    )
    const ids = merged(runs, range, limit)
    return { ids, weight: 1 + lookups + groups.length + ids.length * ID_WEIGHT }
  }
}

/** Ids of one type and status, read a few at a time. */
type Run = { readonly first: () => string | undefined; readonly drop: () => void }

function aRun(read: (range: IdRange, count: number) => readonly string[], whole: IdRange): Run {
  let [range, count, at] = [whole, 1, 0]
  let ids = read(range, count)
  return {
    first: () => ids[at],
    drop: () => {
      const dropped = ids[at]
      at += 1
      if (dropped === undefined || at < ids.length || ids.length < count) return
      range = beyond(range, dropped)
      ;[count, at] = [RUN_IDS_MAX, 0]
      ids = read(range, count)
    },
  }
}

/** A run reads fewer superfluous ids than this. */
const RUN_IDS_MAX = 8

function merged(runs: readonly Run[], { newestFirst }: IdRange, limit: number): readonly string[] {
  const ids: string[] = []
  while (ids.length < limit) {
    let next: Run | undefined
    let first: string | undefined
    for (const run of runs) {
      const own = run.first()
      if (own === undefined || (first !== undefined && own > first !== newestFirst)) continue
      ;[next, first] = [run, own]
    }
    if (next === undefined || first === undefined) break
    ids.push(first)
    next.drop()
  }
  return ids
}

type Group = readonly [type: string, status: string]

type GroupRequest = {
  readonly organizationId: string
  readonly types: readonly string[] | undefined
  readonly statuses: readonly string[]
}

/**
 * The pairs of type and status of an organization's activities, among the wanted ones: each is found from the previous
 * one, by a lookup. Types are those of the whole service.
 */
function groupReader(
  db: DatabaseSync,
): (request: GroupRequest) => { readonly groups: readonly Group[]; readonly lookups: number } {
  const from = 'FROM activities INDEXED BY activities_listed WHERE'
  const nextType = db.prepare(`SELECT type AS next ${from} type > ? ORDER BY type LIMIT 1`)
  const nextStatus = db.prepare(
    `SELECT status AS next ${from} organization_id = ? AND type = ? AND status > ? ORDER BY status LIMIT 1`,
  )
  return ({ organizationId, types, statuses }) => {
    let lookups = 0
    const allFrom = (statement: StatementSync, ...key: readonly string[]): readonly string[] => {
      const found: string[] = []
      for (;;) {
        lookups += 1
        const row = statement.get(...key, found.at(-1) ?? '')
        if (row === undefined) return found
        found.push(String(row['next']))
      }
    }
    const groups = (types ?? allFrom(nextType)).flatMap((type) =>
      allFrom(nextStatus, organizationId, type)
        .filter((status) => statuses.includes(status))
        .map((status): Group => [type, status]),
    )
    return { groups, lookups }
  }
}

function rangeReader(
  db: DatabaseSync,
  source: string,
): (key: readonly string[], range: IdRange, limit: number) => readonly string[] {
  const text = `SELECT activity_id AS id FROM ${source} AND activity_id > ? AND activity_id < ? ORDER BY activity_id`
  const down = db.prepare(`${text} DESC LIMIT ?`)
  const up = db.prepare(`${text} ASC LIMIT ?`)
  return (key, { newestFirst, above, below }, limit) =>
    (newestFirst ? down : up).all(...key, above, below, limit).map((row) => String(row['id']))
}
