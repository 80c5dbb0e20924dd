import {
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

const limitText = refined(text({ max: 3 }), {
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
  return { ...cursor, limit: limit === undefined ? LIMIT_DEFAULT : Number(limit) }
}
