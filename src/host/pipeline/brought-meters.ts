import type { BroughtMeters, MeterId } from '../../protocol/vault.ts'
import { USAGE_METER } from '../../trusted/objects/usage-meter.ts'
import type { Store } from '../store/store.ts'
import type { MetersUnderWay } from './meters-under-way.ts'

/**
 * The meters that the vault asks for, as they stand now or as units under way will leave them.
 *
 * @returns  with when the units have ended that some of them come from
 */
export async function broughtMeters(
  {
    store,
    metersUnderWay,
  }: { readonly store: Pick<Store, 'objects'>; readonly metersUnderWay: MetersUnderWay },
  ids: readonly MeterId[],
): Promise<{ readonly meters: BroughtMeters; readonly ended: readonly Promise<unknown>[] }> {
  const ahead = ids.map(({ objectId }) => metersUnderWay.get(objectId)).filter((meter) => meter !== undefined)
  const stored = ids.filter(({ objectId }) => metersUnderWay.get(objectId) === undefined)
  // They are those of the policies that judge, and nearly always one organization's policies do.
  const organizations = [...new Set(stored.map(({ organizationId }) => organizationId))]
  const rows = await Promise.all(
    organizations.map((organizationId) => {
      const own = stored.filter((id) => id.organizationId === organizationId)
      return store.objects(
        organizationId,
        USAGE_METER,
        own.map(({ objectId }) => objectId),
      )
    }),
  )
  return {
    meters: { ids, rows: rows.flat(), underWay: ahead.map(({ row }) => row) },
    ended: ahead.map(({ ended }) => ended),
  }
}
