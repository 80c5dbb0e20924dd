import { Lru } from '../base/lru.ts'
import type { ObjectRow, Unit } from '../catalogue/unit.ts'
import type { Store } from '../store/store.ts'
import type { BroughtMeters, MeterId } from '../vault/protocol.ts'
import { USAGE_METER } from '../vault/usage-meters.ts'

const WRITTEN_CHARACTERS_MAX = 16 * 1024 * 1024

/**
 * Meters as this host last wrote them. The vault does not know which of its units were committed; shown what was, it misses
 * a use that somebody takes out of the database again.
 */
export class WrittenMeters {
  readonly #rows = new Lru<ObjectRow>(WRITTEN_CHARACTERS_MAX, ({ body, seal }) => body.length + seal.length)

  /** @param unit  one that has been committed */
  note({ objects }: Unit): void {
    for (const row of objects.put) if (row.kind === USAGE_METER) this.#rows.set(row.objectId, row)
  }

  get({ objectId }: MeterId): ObjectRow | undefined {
    return this.#rows.get(objectId)
  }
}

/** The meters that the vault asks for, as they stand now, and as they were written where that is something else. */
export async function broughtMeters(
  { store, writtenMeters }: { readonly store: Store; readonly writtenMeters: WrittenMeters },
  ids: readonly MeterId[],
): Promise<BroughtMeters> {
  const written = ids.flatMap((id) => writtenMeters.get(id) ?? [])
  // They are those of the policies that judge, and nearly always one organization's policies do.
  const organizations = [...new Set(ids.map(({ organizationId }) => organizationId))]
  const rows = await Promise.all(
    organizations.map((organizationId) => {
      const own = ids.filter((one) => one.organizationId === organizationId)
      return store.objects(
        organizationId,
        USAGE_METER,
        own.map(({ objectId }) => objectId),
      )
    }),
  )
  const found = rows.flat()
  const seals = new Set(found.map(({ seal }) => seal))
  return { ids, rows: found, written: written.filter(({ seal }) => !seals.has(seal)) }
}
