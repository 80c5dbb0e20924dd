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

/** How many entries a page has at most. */
export const limitText = refined(text({ max: 3 }), {
  problem: (value) =>
    /^([1-9]\d?|100)$/.test(value)
      ? undefined
      : `must be a number from 1 to 100 as decimal digits, not ${shown(value)}`,
  schema: { pattern: '^([1-9][0-9]?|100)$' },
})

/** `after` continues with what is older than this id, `before` with what is newer. */
export const paginationShape = named(
  'Pagination',
  object({
    limit: optional(limitText),
    before: optional(uuid),
    after: optional(uuid),
  }),
)

const LIMIT_DEFAULT = 10

/** The page that is meant; the interface's default is ten. */
export function pageOf(options: TypeOf<typeof paginationShape> | undefined): PageRequest {
  const { limit, ...cursor } = options ?? {}
  return { ...cursor, limit: limitOf(limit) }
}

export function limitOf(limit: string | undefined): number {
  return limit === undefined ? LIMIT_DEFAULT : Number(limit)
}

/** Where a list goes on, as the page before has answered it. */
export const cursorText = text({ min: 1, max: 4_096 })

export function writeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** @throws Failure `invalidField` for a text that no page of this list has answered */
export function readCursor(
  after: string,
  isOfThisList: (parts: readonly string[]) => boolean,
): readonly string[] {
  const parts = textsIn(Buffer.from(after, 'base64url').toString('utf8'))
  if (parts === undefined || !isOfThisList(parts))
    throw invalidField({ field: 'after', problem: 'is not what a page of this list has answered as `next`' })
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
