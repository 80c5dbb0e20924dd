import { LAST_ID } from '../../trusted/base/ids.ts'
import type { Reader, SubOrganizationCursor } from '../../trusted/catalogue/query.ts'
import type { Charter } from '../../trusted/charter/charter.ts'
import { lookupsOf } from '../../trusted/charter/directory.ts'
import type { Host } from './host.ts'

type Search = Parameters<Reader['searchSubOrganizations']>

/**
 * A page reads one range of the directory and the charters that it names, regardless of the number of
 * sub-organizations.
 */
export async function searchSubOrganizations(
  { store, checked }: Pick<Host, 'store' | 'checked'>,
  { organizationId: scope }: Charter,
  search: Search[0],
  { limit, after }: Search[1],
): ReturnType<Reader['searchSubOrganizations']> {
  const entries: readonly SubOrganizationCursor[] =
    search === undefined
      ? (await store.find(everyOne(scope), { limit, before: after?.target ?? LAST_ID }))
          .map((target) => ({ value: '', target }))
          .toReversed()
      : await store.findPrefix({ scope, ...search }, { limit, ...(after === undefined ? {} : { after }) })
  const last = entries.at(-1)
  const charters = await checked.getAll([...new Set(entries.map(({ target }) => target))])
  return {
    // The directory is not an authority: the charter itself must match the search.
    charters: charters.filter(
      (charter) =>
        charter.parentId === scope &&
        !charter.deleted &&
        entries.some((entry) => isFoundBy(charter, search?.kind ?? 'SUB_ORGANIZATION', entry)),
    ),
    ...(last === undefined || entries.length < limit ? {} : { next: last }),
  }
}

function isFoundBy(charter: Charter, kind: string, { value, target }: SubOrganizationCursor): boolean {
  return (
    charter.organizationId === target &&
    lookupsOf(charter).some((lookup) => lookup.kind === kind && lookup.value === value)
  )
}

function everyOne(scope: string) {
  return { scope, kind: 'SUB_ORGANIZATION', value: '' }
}
