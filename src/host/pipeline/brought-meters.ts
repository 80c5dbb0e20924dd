import type { BroughtMeters, MetersNeeded } from '../../protocol/vault.ts'
import { USAGE_METER } from '../../trusted/objects/usage-meter.ts'
import type { Store } from '../store/store.ts'

/** The meters that the vault asks for, as stored. */
export async function broughtMeters(
  store: Pick<Store, 'objects'>,
  { ids, asTheyStand }: Omit<MetersNeeded, 'kind'>,
): Promise<BroughtMeters> {
  // The meters belong to the judging policies, and nearly always one organization has all of these.
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
  return { ids, rows: rows.flat(), asTheyStand }
}
