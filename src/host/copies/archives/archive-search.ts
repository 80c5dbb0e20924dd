import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { fits, type IdRange } from '../../store/listing.ts'
import type { ActivityFilter } from '../../store/store.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import type { ArchiveReader } from './archive-reader.ts'

export type ArchiveWanted = {
  readonly organizationId: string
  readonly filter: ActivityFilter
  readonly range: IdRange
  readonly limit: number
  /** What the store has of it: the first of the range, in its order, and all where these are fewer than `limit`. */
  readonly standing: readonly ActivityRow[]
}

/** An archive that may be searched: the least and the greatest id of its activities, and how it is opened. */
export type SearchableArchive = {
  readonly leastId: string
  readonly greatestId: string
  /** @returns undefined where nothing opens it here */
  readonly open: () => Promise<SearchedArchive | undefined>
}

/** An archive that is searched. What it reads may come from a cache, waits for its turn, and is charged to who asks. */
export type SearchedArchive = Pick<ArchiveReader, 'entries' | 'rows'> & {
  readonly end: Pick<ArchiveReader['end'], 'root' | 'kinds'>
}

/**
 * The first rows of an organization in a range of ids, out of the store and several archives, in the order of the
 * range. Of all archives and blocks that may have the next row, the one is opened that may have the very next; so that
 * nothing is opened that a page can do without. Beside the blocks of its rows a page costs, of each archive, those at
 * the edges of the organization and of the range.
 */
export async function searchArchives(
  archives: readonly SearchableArchive[],
  wanted: ArchiveWanted,
): Promise<readonly ActivityRow[]> {
  const { range, limit, standing } = wanted
  const found = archives
    .filter((archive) => mayHave(archive, range))
    .map((archive) => ({ kind: 'archive' as const, id: firstOf(archive, range), archive }))
  const runs: Found[][] = [standing.map(foundRow).toReversed(), sorted(found, range)]
  const rows: ActivityRow[] = []
  for (let next = takeNext(runs, range); next !== undefined; next = takeNext(runs, range)) {
    if (next.kind !== 'row') {
      const inside = await (next.kind === 'archive' ? rootOf(next, wanted) : opened(next, wanted))
      runs.push(sorted(inside, range))
      continue
    }
    // What stands in the store too, or in two archives, is one row: the first run has it before the others.
    if (next.row.activityId !== rows.at(-1)?.activityId) rows.push(next.row)
    if (rows.length >= limit) break
  }
  return rows
}

/** What was found, and the first id of the range that may come of it. */
type Found = { readonly id: string } & (
  | { readonly kind: 'row'; readonly row: ActivityRow }
  | { readonly kind: 'archive'; readonly archive: SearchableArchive }
  | { readonly kind: 'block'; readonly entry: ArchiveEntry; readonly of: OpenArchive }
)

type OpenArchive = {
  readonly archive: SearchedArchive
  /** Places of the types and statuses that are wanted. */
  readonly kinds: ReadonlySet<number>
}

async function rootOf(
  { archive: closed }: Extract<Found, { readonly kind: 'archive' }>,
  wanted: ArchiveWanted,
): Promise<readonly Found[]> {
  const archive = await closed.open()
  if (archive === undefined) return []
  const { root, kinds: all } = archive.end
  const kinds = new Set(all.flatMap((kind, place) => (fits(kind, wanted.filter) ? [place] : [])))
  return blockOf(root, { archive, kinds }, wanted)
}

function blockOf(
  entry: ArchiveEntry,
  of: OpenArchive,
  { organizationId, range }: ArchiveWanted,
): readonly Found[] {
  const isWanted =
    entry.firstOrganizationId <= organizationId &&
    organizationId <= entry.lastOrganizationId &&
    mayHave(entry, range) &&
    entry.kinds.some((kind) => of.kinds.has(kind))
  return isWanted ? [{ kind: 'block', id: firstOf(entry, range), entry, of }] : []
}

type Ids = { readonly leastId: string; readonly greatestId: string }

function mayHave({ leastId, greatestId }: Ids, { above, below }: IdRange): boolean {
  return greatestId > above && leastId < below
}

function firstOf({ leastId, greatestId }: Ids, { newestFirst }: IdRange): string {
  return newestFirst ? greatestId : leastId
}

async function opened(
  { entry, of }: Extract<Found, { readonly kind: 'block' }>,
  wanted: ArchiveWanted,
): Promise<readonly Found[]> {
  if (entry.level > 0) return (await of.archive.entries(entry)).flatMap((below) => blockOf(below, of, wanted))
  const { organizationId, range, filter } = wanted
  return (await of.archive.rows(entry)).flatMap((row) =>
    row.organizationId === organizationId &&
    row.activityId > range.above &&
    row.activityId < range.below &&
    fits(row, filter)
      ? [foundRow(row)]
      : [],
  )
}

function foundRow(row: ActivityRow): Found {
  return { kind: 'row', id: row.activityId, row }
}

/** With the next one at the end. */
function sorted(found: readonly Found[], range: IdRange): Found[] {
  return found.toSorted((a, b) => (a.id === b.id ? 0 : isBefore(a, b, range) ? 1 : -1))
}

/** Takes what comes next out of the run that has it, and a run that is empty out of the runs. */
function takeNext(runs: Found[][], range: IdRange): Found | undefined {
  let nearest: number | undefined
  let next: Found | undefined
  for (const [at, run] of runs.entries()) {
    const last = run.at(-1)
    if (last === undefined || (next !== undefined && !isBefore(last, next, range))) continue
    nearest = at
    next = last
  }
  if (nearest === undefined) return undefined
  runs[nearest]?.pop()
  if (runs[nearest]?.length === 0) runs.splice(nearest, 1)
  return next
}

function isBefore(a: Found, b: Found, { newestFirst }: IdRange): boolean {
  return newestFirst ? a.id > b.id : a.id < b.id
}
