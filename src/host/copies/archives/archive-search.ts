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
  /**
   * The result of the store: the first rows of the range in its order, and all of them if they are fewer than `limit`.
   */
  readonly standing: readonly ActivityRow[]
}

/** An archive for searching: the smallest and the largest id of its activities, and a function that opens it. */
export type SearchableArchive = {
  readonly leastId: string
  readonly greatestId: string
  /** @returns undefined if it cannot be opened here */
  readonly open: () => Promise<SearchedArchive | undefined>
}

/**
 * An archive under search. Its blocks may come from a cache; other reads wait for a turn, and are charged to the
 * requester.
 */
export type SearchedArchive = Pick<ArchiveReader, 'entries' | 'rows'> & {
  readonly end: Pick<ArchiveReader['end'], 'root' | 'kinds'>
}

/**
 * The first rows of an organization in a range of ids, from the store and several archives, in the order of the range.
 * Of all archives and blocks that may have the next row, the one whose range begins first is opened, so no unnecessary
 * block is opened. Besides the blocks of its rows a page reads, in each archive, the blocks at the edges of the
 * organization and of the range.
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
    // A row that is in the store too, or in two archives, is returned once, from the first run.
    if (next.row.activityId !== rows.at(-1)?.activityId) rows.push(next.row)
    if (rows.length >= limit) break
  }
  return rows
}

/** The rows found so far, and the first id of the range that may come from this run. */
type Found = { readonly id: string } & (
  | { readonly kind: 'row'; readonly row: ActivityRow }
  | { readonly kind: 'archive'; readonly archive: SearchableArchive }
  | { readonly kind: 'block'; readonly entry: ArchiveEntry; readonly of: OpenArchive }
)

type OpenArchive = {
  readonly archive: SearchedArchive
  /** The positions of the wanted types and statuses. */
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

/** In reverse order: the next one is at the end. */
function sorted(found: readonly Found[], range: IdRange): Found[] {
  return found.toSorted((a, b) => (a.id === b.id ? 0 : isBefore(a, b, range) ? 1 : -1))
}

/** Takes the next row from its run, and removes a run that is empty. */
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
