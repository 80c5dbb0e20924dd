import type { Ms } from '../../trusted/base/world.ts'
import { COUNTED, type Counts, countsFrom, usesIn } from '../store/quotas/counts.ts'
import type { QuotaUse } from '../store/quotas/quota.ts'
import { quotasOf } from '../store/quotas/settings.ts'
import type { Store } from '../store/store.ts'

/** An organization, and its use. */
export type OrganizationUses = { readonly organizationId: string; readonly uses: readonly QuotaUse[] }

/**
 * The use of each organization that was ever counted, page by page in the order of ids. The call counts nothing itself:
 * it only reads the rows of the counts.
 */
export async function* countedUses(
  store: Pick<Store, 'scan' | 'quotas'>,
  now: Ms,
): AsyncIterable<readonly OrganizationUses[]> {
  const settings = await store.quotas.settings()
  for await (const page of countedOrganizations(store))
    yield page.map(({ organizationId, counts }) => ({
      organizationId,
      uses: usesIn(counts, quotasOf(settings, organizationId), now),
    }))
}

/**
 * The rows of the counts are stored together, in the order of their keys.
 *
 * @param behind  the organization after which the page begins; without it the page is the first
 */
export async function* countedOrganizations(
  store: Pick<Store, 'scan'>,
  behind = '',
): AsyncIterable<readonly { readonly organizationId: string; readonly counts: Counts }[]> {
  let after: readonly string[] | undefined = [COUNTED.scope, COUNTED.kind, behind]
  while (after !== undefined) {
    const page: Awaited<ReturnType<typeof store.scan<'claims'>>> = await store.scan('claims', {
      limit: PAGE,
      after,
    })
    const own = page.rows.filter(({ scope, kind }) => scope === COUNTED.scope && kind === COUNTED.kind)
    if (own.length > 0)
      yield own.map(({ value, target }) => ({ organizationId: value, counts: countsFrom(target) }))
    after = own.length < page.rows.length ? undefined : page.last?.map(String)
  }
}

const PAGE = 100
