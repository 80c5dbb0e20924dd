import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import type { ActivityFilter, Page, Store } from './store.ts'

/** Each can have several megabytes. */
const ROWS_AT_ONCE = 20

/**
 * The activities of an organization, a few at a time, newest first.
 *
 * @param span  the ids between which they are, both exclusive; without `after` from the newest on
 */
export async function* activityPages(
  { activities }: Pick<Store, 'activities'>,
  organizationId: string,
  filter: ActivityFilter,
  span: Omit<Page, 'limit'> = {},
): AsyncGenerator<readonly ActivityRow[], void> {
  for (let page: Page = { ...span, limit: ROWS_AT_ONCE }; ; ) {
    const rows = await activities(organizationId, filter, page)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < ROWS_AT_ONCE) return
    page = { ...page, after: last.activityId }
  }
}
