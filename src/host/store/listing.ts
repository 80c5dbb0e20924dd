import { assert } from '../../trusted/base/assert.ts'
import type { ActivityStatus } from '../../trusted/catalogue/unit.ts'
import type { ActivityFilter, Page } from './store.ts'

/** Every status that a record can have. */
const STATUSES = Object.keys({
  ACTIVITY_STATUS_COMPLETED: true,
  ACTIVITY_STATUS_FAILED: true,
  ACTIVITY_STATUS_CONSENSUS_NEEDED: true,
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: true,
  ACTIVITY_STATUS_REJECTED: true,
} satisfies Record<ActivityStatus, true>)

/**
 * The plan of a listing of activities. Without a filter it reads along the primary key. Otherwise it reads the index by
 * type and status, once for each wanted pair. No read visits a row that it does not return, so the cost of a listing
 * does not depend on the length of the history or on the rarity of the wanted rows.
 */
type Listing =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'apart'
      readonly statuses: readonly string[]
      /** Undefined: all types that the organization has. */
      readonly types: readonly string[] | undefined
    }

export function planListing({ statuses = [], types = [] }: ActivityFilter): Listing {
  if (statuses.length === 0 && types.length === 0) return { kind: 'all' }
  return {
    kind: 'apart',
    statuses: statuses.length === 0 ? STATUSES : [...new Set(statuses)],
    types: types.length === 0 ? undefined : [...new Set(types)],
  }
}

export function fits(
  row: { readonly status: string; readonly type: string },
  { statuses = [], types = [] }: ActivityFilter,
): boolean {
  return (
    (statuses.length === 0 || (statuses as readonly string[]).includes(row.status)) &&
    (types.length === 0 || types.includes(row.type))
  )
}

export type IdRange = {
  readonly above: string
  readonly below: string
  readonly newestFirst: boolean
}

/**
 * The request of a cursor: the range of ids, exclusive, and the end from which it is counted. Ids are lower-case UUIDs.
 */
export function idRange({ limit, before, after }: Page): IdRange {
  assert(Number.isSafeInteger(limit) && limit > 0, 'a page has a limit')
  return {
    above: before ?? '',
    below: after ?? ABOVE_ALL_IDS,
    newestFirst: before === undefined || after !== undefined,
  }
}

/** The rest of a range after it was read up to this id. */
export function beyond(range: IdRange, id: string): IdRange {
  return range.newestFirst ? { ...range, below: id } : { ...range, above: id }
}

/** Sorts after every hexadecimal digit. */
export const ABOVE_ALL_IDS = '~'
