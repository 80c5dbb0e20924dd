import { defineFailure, INVALID_ARGUMENT } from '../../../trusted/base/failure.ts'
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

/**
 * The texts of a page of activities, newest first. A record can have several megabytes, so they are read in portions,
 * and only as far as an answer can hold them.
 *
 * @throws Failure `pageTooLarge`, never for one activity alone
 */
export async function pageOfActivities(
  { activities, view }: Pick<Reader, 'activities' | 'view'>,
  filter: Parameters<Reader['activities']>[0],
  page: PageRequest,
): Promise<readonly string[]> {
  const { limit } = page
  // With `before` alone, a page is counted from its oldest activity.
  const isNewestFirst = page.before === undefined || page.after !== undefined
  const portions: (readonly string[])[] = []
  let [missing, characters, rest]: [number, number, PageRequest] = [limit, 0, page]
  while (missing > 0) {
    const wanted = Math.min(missing, ROWS_AT_ONCE_MAX)
    const rows = await activities(filter, { ...rest, limit: wanted })
    const texts: string[] = []
    for (const row of rows) {
      const text = view(row)
      characters += text.length
      if (characters > CHARACTERS_MAX && limit > 1)
        throw pageTooLarge({ limit, charactersMax: CHARACTERS_MAX })
      texts.push(text)
    }
    portions.push(texts)
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
