import type { Store } from '../store/store.ts'
import type { BroughtMeters, MeterId } from '../../protocol/vault.ts'
import { USAGE_METER } from '../../trusted/objects/usage-meter.ts'

/** The meters that the vault asks for, as they stand now. */
export async function broughtMeters(
  { store }: { readonly store: Pick<Store, 'objects'> },
  ids: readonly MeterId[],
): Promise<BroughtMeters> {
  // They are those of the policies that judge, and nearly always one organization's policies do.
  const organizations = [...new Set(ids.map(({ organizationId }) => organizationId))]
  const rows = await Promise.all(
    organizations.map((organizationId) => {
      const own = ids.filter((id) => id.organizationId === organizationId)
      return store.objects(
        organizationId,
        USAGE_METER,
        own.map(({ objectId }) => objectId),
      )
    }),
  )
  return { ids, rows: rows.flat() }
}
