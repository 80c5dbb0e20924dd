import {
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
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
