import { assert } from '../base/assert.ts'
import type { ActivityRow, ActivityStatus } from '../catalogue/unit.ts'
import type { ActivityFilter, Page } from './store.ts'

/**
 * How a listing of activities is read. Nearly all activities of a busy organization are completed signatures, so a
 * filter that wants something else must not walk through them: it reads one of two partial indexes, once per status or
 * type, each read ending at the limit. The two indexes cost signing nothing, since no signature is in them.
 */
export type Listing =
  | { readonly kind: 'all' }
  | { readonly kind: 'byStatus'; readonly statuses: readonly ActivityStatus[] }
  | { readonly kind: 'byType'; readonly types: readonly string[] }

const USUAL_STATUS = 'ACTIVITY_STATUS_COMPLETED'
const USUAL_TYPE_PREFIX = 'ACTIVITY_TYPE_SIGN_'

/** The conditions of the two partial indexes. A query must repeat them word for word for an engine to see that it may use the index. */
export const UNUSUAL_STATUS = `status <> '${USUAL_STATUS}'`
export const UNUSUAL_TYPE = `substr(type, 1, ${USUAL_TYPE_PREFIX.length}) <> '${USUAL_TYPE_PREFIX}'`

export function planListing({ statuses = [], types = [] }: ActivityFilter): Listing {
  if (statuses.length > 0 && !statuses.includes(USUAL_STATUS))
    return { kind: 'byStatus', statuses: [...new Set(statuses)] }
  if (types.length > 0 && !types.some((type) => type.startsWith(USUAL_TYPE_PREFIX)))
    return { kind: 'byType', types: [...new Set(types)] }
  return { kind: 'all' }
}

/** What a cursor asks for: the range of ids, exclusive, and from which end of it to count. Ids are lower-case UUIDs. */
export function idRange({ limit, before, after }: Page): {
  readonly above: string
  readonly below: string
  readonly newestFirst: boolean
} {
  assert(Number.isSafeInteger(limit) && limit > 0, 'a page has a limit')
  return {
    above: before ?? '',
    below: after ?? ABOVE_ALL_IDS,
    newestFirst: before === undefined || after !== undefined,
  }
}

/** One page out of several reads, newest first, whichever way they were read. */
export function mergeActivities(
  reads: readonly (readonly ActivityRow[])[],
  { page, newestFirst }: { readonly page: Page; readonly newestFirst: boolean },
): readonly ActivityRow[] {
  const rows = reads.flat().sort((a, b) => (a.activityId < b.activityId ? 1 : -1))
  return newestFirst ? rows.slice(0, page.limit) : rows.slice(-page.limit)
}

/** Sorts after every hexadecimal digit. */
const ABOVE_ALL_IDS = '~'
