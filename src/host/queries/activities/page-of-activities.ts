import { defineFailure, INVALID_ARGUMENT } from '../../../trusted/base/failure.ts'
import type { Steps } from '../../../trusted/base/work.ts'
import type { PageRequest, Reader } from '../../../trusted/catalogue/query.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'

const pageTooLarge = defineFailure<{ readonly limit: number; readonly charactersMax: number }>({
  kind: 'pageTooLarge',
  code: INVALID_ARGUMENT,
  say: ({ limit, charactersMax }) =>
    `the page is too large: these ${limit} activities have more than ${charactersMax} characters together; ask for fewer with \`paginationOptions.limit\``,
})

const CHARACTERS_MAX = 64 * 1024 * 1024
const ROWS_AT_ONCE_MAX = 20

/** What an answer keeps of a record, and its number of characters. */
export type Taken<T> = { readonly taken: T; readonly characters: number }

/**
 * What is taken from each activity of a page, in the order of the page. A record can have several megabytes, so they
 * are read in portions, and only as far as an answer can hold what is taken.
 *
 * @throws Failure `pageTooLarge`, never for one activity alone
 */
export async function pageOfActivities<T>(
  { activities, through }: Pick<Reader, 'activities' | 'through'>,
  { filter, page }: { readonly filter: Parameters<Reader['activities']>[0]; readonly page: PageRequest },
  take: (row: ActivityRow) => Steps<Taken<T>>,
): Promise<readonly T[]> {
  const { limit } = page
  // With `before` alone, a page is counted from its oldest activity.
  const isNewestFirst = page.before === undefined || page.after !== undefined
  const portions: (readonly T[])[] = []
  let [missing, characters, rest]: [number, number, PageRequest] = [limit, 0, page]
  while (missing > 0) {
    const wanted = Math.min(missing, ROWS_AT_ONCE_MAX)
    const rows = await activities(filter, { ...rest, limit: wanted })
    const portion: T[] = []
    for (const row of rows) {
      const one = await through(take(row))
      characters += one.characters
      if (characters > CHARACTERS_MAX && limit > 1)
        throw pageTooLarge({ limit, charactersMax: CHARACTERS_MAX })
      portion.push(one.taken)
    }
    portions.push(portion)
    missing -= wanted
    if (rows.length < wanted) break
    rest = beyond(rest, rows, isNewestFirst)
  }
  return (isNewestFirst ? portions : portions.toReversed()).flat()
}

function beyond(page: PageRequest, rows: readonly ActivityRow[], isNewestFirst: boolean): PageRequest {
  const last = isNewestFirst ? rows.at(-1) : rows[0]
  if (last === undefined) return page
  return isNewestFirst ? { ...page, after: last.activityId } : { ...page, before: last.activityId }
}
