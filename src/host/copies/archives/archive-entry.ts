import { list, type PlainOf, record, text, whole } from '../../../trusted/base/plain.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'

/** The maximum number of entries in a block. */
export const ENTRIES_OF_A_BLOCK = 128

/** Some hundred types, each with three statuses. */
const KINDS_MAX = 10_000

/**
 * Names a block of an archive and describes its content, so that a reader knows whether to open it. At level 0 the
 * block holds rows, otherwise entries of the level below.
 */
export const archiveEntry = record({
  level: whole(),
  at: whole(),
  bytes: whole(1),
  rows: whole(1),
  /** The first and the last row, in the order of organization and id. */
  firstOrganizationId: text(100),
  lastOrganizationId: text(100),
  /** The smallest and the largest id: those of the first and the last row, if all rows belong to one organization. */
  leastId: text(100),
  greatestId: text(100),
  /** The types and statuses of the rows, by their positions in the list at the end of the file, in ascending order. */
  kinds: list(whole(), KINDS_MAX),
})

export const archiveEntries = list(archiveEntry, ENTRIES_OF_A_BLOCK)

/** The types and statuses of the rows of a file. */
export const archiveKinds = list(record({ type: text(200), status: text(100) }), KINDS_MAX)

export type ArchiveEntry = PlainOf<typeof archiveEntry>
type ArchiveKind = PlainOf<typeof archiveKinds>[number]

/** An entry without the position of its block. */
export type ArchiveContent = Omit<ArchiveEntry, 'level' | 'at' | 'bytes'>

/** Assigns each type and status a position in one list. */
export class ArchiveKinds {
  readonly #places = new Map<string, number>()
  readonly kinds: ArchiveKind[] = []

  /** @param known  the positions assigned so far */
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

/** The entry over several entries, in their order; undefined for none. */
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
