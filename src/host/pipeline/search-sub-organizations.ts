import { LAST_ID } from '../../trusted/base/ids.ts'
import type { Reader, SubOrganizationCursor } from '../../trusted/catalogue/query.ts'
import type { Charter } from '../../trusted/charter/charter.ts'
import { lookupsOf } from '../../trusted/charter/directory.ts'
import type { Host } from './host.ts'

type Search = Parameters<Reader['searchSubOrganizations']>
type Found<T> = { readonly found: readonly T[]; readonly next?: SubOrganizationCursor }

/**
 * A page reads one range of the directory and the charters that it names, regardless of the number of
 * sub-organizations.
 */
export async function searchSubOrganizations<T>(
  { store, checked }: Pick<Host, 'store' | 'checked'>,
  { organizationId: scope }: Charter,
  search: Search[0],
  { limit, after }: Search[1],
  view: (charter: Charter) => T,
): Promise<Found<T>> {
  const entries: readonly SubOrganizationCursor[] =
    search === undefined
      ? (await store.find(everyOne(scope), { limit, before: after?.target ?? LAST_ID }))
          .map((target) => ({ value: '', target }))
          .toReversed()
      : await store.findPrefix({ scope, ...search }, { limit, ...(after === undefined ? {} : { after }) })
  const last = entries.at(-1)
  // The directory is not an authority: the charter itself must match the search.
  const isFound = (charter: Charter): boolean =>
    charter.parentId === scope &&
    !charter.deleted &&
    entries.some((entry) => isFoundBy(charter, search?.kind ?? 'SUB_ORGANIZATION', entry))
  return {
    found: await checked.pickFrom([...new Set(entries.map(({ target }) => target))], (charter) =>
      isFound(charter) ? [view(charter)] : [],
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
