import { list, type PlainOf, record, text, whole } from '../../../trusted/base/plain.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'

/** The most entries that a block has. */
export const ENTRIES_OF_A_BLOCK = 128

/** Some hundred types, each in three states. */
const KINDS_MAX = 10_000

/**
 * Names a block of an archive and says what can be found through it, so that a reader knows without opening it whether
 * to. At level 0 these are rows, else entries of the level below.
 */
export const archiveEntry = record({
  level: whole(),
  at: whole(),
  bytes: whole(1),
  rows: whole(1),
  /** The first and the last: rows stand in the order of organization and id. */
  firstOrganizationId: text(100),
  lastOrganizationId: text(100),
  /** The least and the greatest: the first and the last where all rows are of one organization. */
  leastId: text(100),
  greatestId: text(100),
  /** Which types and statuses the rows have, by their places in the list at the end of the file; rising. */
  kinds: list(whole(), KINDS_MAX),
})

export const archiveEntries = list(archiveEntry, ENTRIES_OF_A_BLOCK)

/** The types and statuses that the rows of a file have. */
export const archiveKinds = list(record({ type: text(200), status: text(100) }), KINDS_MAX)

export type ArchiveEntry = PlainOf<typeof archiveEntry>
type ArchiveKind = PlainOf<typeof archiveKinds>[number]

/** What an entry says of its block, without where that is. */
export type ArchiveContent = Omit<ArchiveEntry, 'level' | 'at' | 'bytes'>

/** Gives each type and status a place in one list. */
export class ArchiveKinds {
  readonly #places = new Map<string, number>()
  readonly kinds: ArchiveKind[] = []

  /** @param known  the places that are given already */
  constructor(known: readonly ArchiveKind[] = []) {
    for (const kind of known) this.placeOf(kind)
  }

  placeOf({ type, status }: ArchiveKind): number {
    const name = `${status} ${type}`
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.kinds.length)
    return this.kinds.push({ type, status }) - 1
  }
}

export function contentOfRow(row: ActivityRow, kinds: ArchiveKinds): ArchiveContent {
  const { organizationId, activityId } = row
  return {
    rows: 1,
    firstOrganizationId: organizationId,
    lastOrganizationId: organizationId,
    leastId: activityId,
    greatestId: activityId,
    kinds: [kinds.placeOf(row)],
  }
}

/** What is found through several, in their order; undefined of none. */
export function joinedContent(parts: readonly ArchiveContent[]): ArchiveContent | undefined {
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) return undefined
  let { leastId, greatestId } = first
  const kinds = new Set<number>()
  for (const part of parts) {
    if (part.leastId < leastId) leastId = part.leastId
    if (part.greatestId > greatestId) greatestId = part.greatestId
    for (const kind of part.kinds) kinds.add(kind)
  }
  return {
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    firstOrganizationId: first.firstOrganizationId,
    lastOrganizationId: last.lastOrganizationId,
    leastId,
    greatestId,
    kinds: [...kinds].toSorted((a, b) => a - b),
  }
}
