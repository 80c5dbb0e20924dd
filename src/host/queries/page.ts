import { jsonIn } from '../../trusted/base/json-in.ts'
import {
  boolean,
  invalidField,
  named,
  object,
  optional,
  refined,
  shown,
  text,
  type TypeOf,
  uuid,
} from '../../trusted/catalogue/shape.ts'
import type { PageRequest } from '../../trusted/catalogue/query.ts'

/** The highest number of entries of a page. */
export const limitText = refined(text({ max: 3 }), {
  problem: (value) =>
    /^([1-9]\d?|100)$/.test(value)
      ? undefined
      : `must be a number from 1 to 100 as decimal digits, not ${shown(value)}`,
  schema: { pattern: '^([1-9][0-9]?|100)$' },
})

/** `after` continues behind this id in the order of the list, `before` goes back from it. */
export const paginationShape = named(
  'Pagination',
  object({
    limit: optional(limitText),
    before: optional(uuid),
    after: optional(uuid),
  }),
)

const LIMIT_DEFAULT = 10

/** The requested page; the interface's default is ten entries. */
export function pageOf(options: TypeOf<typeof paginationShape> | undefined): PageRequest {
  const { limit, ...cursor } = options ?? {}
  return { ...cursor, limit: limitOf(limit) }
}

export function limitOf(limit: string | undefined): number {
  return limit === undefined ? LIMIT_DEFAULT : Number(limit)
}

/** What a page says about the rest of its list. The cursors are ids, and are absent where the page is empty. */
export const pageInfoShape = named(
  'PageInfo',
  object({
    hasNextPage: boolean,
    hasPreviousPage: boolean,
    startCursor: optional(uuid),
    endCursor: optional(uuid),
  }),
)

/** A page, in order of id, of a list that is held whole, and what it says about the rest. */
export function pageIn<T>(
  all: readonly T[],
  idOf: (item: T) => string,
  { limit, before, after }: PageRequest,
): { readonly page: readonly T[]; readonly pageInfo: TypeOf<typeof pageInfoShape> } {
  const sorted = all.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  const first = after === undefined ? 0 : sorted.filter((item) => idOf(item) <= after).length
  const last = before === undefined ? sorted.length : sorted.filter((item) => idOf(item) < before).length
  const isBackwards = before !== undefined && after === undefined
  const start = isBackwards ? Math.max(0, last - limit) : first
  const end = isBackwards ? last : Math.min(last, first + limit)
  const page = sorted.slice(start, end)
  const [from, to] = [page[0], page.at(-1)]
  return {
    page,
    pageInfo: {
      hasNextPage: end < sorted.length,
      hasPreviousPage: start > 0,
      ...(from === undefined || to === undefined ? {} : { startCursor: idOf(from), endCursor: idOf(to) }),
    },
  }
}

/** The continuation of a list, from the `next` of the previous page. */
export const cursorText = text({ min: 1, max: 4_096 })

export function writeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** @throws Failure `invalidField` for a text that is not from a page of this list */
export function readCursor(
  after: string,
  isOfThisList: (parts: readonly string[]) => boolean,
): readonly string[] {
  const parts = textsIn(Buffer.from(after, 'base64url').toString('utf8'))
  if (parts === undefined || !isOfThisList(parts))
    throw invalidField({ field: 'after', problem: 'is not a `next` value from a page of this list' })
  return parts
}

function textsIn(json: string): readonly string[] | undefined {
  const value = jsonIn(json)
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined
}
