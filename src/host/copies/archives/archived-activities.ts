import type { Vault } from '../../../protocol/vault.ts'
import { costs } from '../../../trusted/base/costs.ts'
import { FairTurns } from '../../../trusted/base/fair-turns.ts'
import { Lru } from '../../../trusted/base/lru.ts'
import type { Work } from '../../../trusted/base/work.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import type { Store } from '../../store/store.ts'
import { isSettled } from '../archivable.ts'
import type { ArchivePlace } from '../archive-place.ts'
import { archiveFileName } from '../archive-note.ts'
import { notedArchives } from '../noted-archives.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import type { ArchiveReader } from './archive-reader.ts'
import {
  type ArchiveWanted,
  type SearchableArchive,
  type SearchedArchive,
  searchArchives,
} from './archive-search.ts'
import { OpenArchives, type OpenedArchive } from './open-archives.ts'

/** Reads of the archives of a store, for queries. The rows are unchecked: the vault has to check them. */
export type ArchivedActivities = {
  /** For a row that the store did not have: its archive was noted before it was removed from the store. */
  readonly activity: (
    organizationId: string,
    activityId: string,
    work: Work,
  ) => Promise<ActivityRow | undefined>
  /** The first rows of a range, in its order, from the store and the archives; the store has to be asked first. */
  readonly activities: (
    organizationId: string,
    wanted: Omit<ArchiveWanted, 'organizationId'>,
    work: Work,
  ) => Promise<readonly ActivityRow[]>
  /** Opens archives again at the next read, since a version of the root key may have been retired. */
  readonly forget: () => void
  /** @returns the archives that cannot be opened here, and are not read @throws ArchiveUnavailable, CopyError */
  readonly look: () => Promise<readonly string[]>
}

/**
 * Reads a few blocks at a time, for all organizations together; waiting reads are served in turn by organization.
 * Blocks of entries are cached, up to `ENTRIES_KEPT` entries.
 */
export function archivedActivities({
  store,
  vault,
  place,
}: {
  readonly store: Pick<Store, 'scan'>
  readonly vault: Pick<Vault, 'copyKey' | 'checkRootProof'>
  readonly place: Pick<ArchivePlace, 'open' | 'address'>
}): ArchivedActivities {
  const opened = new OpenArchives({ vault, place })
  const turns = new FairTurns(BLOCKS_AT_ONCE)
  const cache = new Lru<readonly ArchiveEntry[]>(ENTRIES_KEPT, (entries) => entries.length)

  const inTurn = async <T>(
    archive: OpenedArchive,
    { organizationId, work }: Asked,
    { entry, read }: { readonly entry: ArchiveEntry; readonly read: (reader: ArchiveReader) => Promise<T> },
  ): Promise<T> => {
    await work.step(costs.archiveBlock + entry.bytes * costs.archiveByte)
    return await turns.run({ flow: organizationId, cost: 1 }, () =>
      opened.read(archive, () => read(archive.reader)),
    )
  }

  const searchedFor = (archive: OpenedArchive, asked: Asked): SearchedArchive => ({
    end: archive.reader.end,
    entries: async (entry) => {
      const name = `${archive.file} ${entry.at}`
      const known = cache.get(name)
      if (known !== undefined) {
        await asked.work.step(costs.row)
        return known
      }
      const entries = await inTurn(archive, asked, { entry, read: (reader) => reader.entries(entry) })
      cache.set(name, entries)
      return entries
    },
    rows: (entry) => inTurn(archive, asked, { entry, read: (reader) => reader.rows(entry) }),
  })

  const search: ArchivedActivities['activities'] = async (organizationId, wanted, work) => {
    const { filter } = wanted
    // A waiting activity is never archived.
    if (filter.statuses !== undefined && filter.statuses.length > 0 && !filter.statuses.some(isSettled))
      return wanted.standing
    const archives = (await notedArchives(store)).map(
      (noted): SearchableArchive => ({
        ...noted,
        open: async () => {
          await work.step(opened.isOpen(noted) ? costs.row : costs.archiveBlock)
          const archive = await turns.run({ flow: organizationId, cost: 1 }, () => opened.open(noted))
          return archive === undefined ? undefined : searchedFor(archive, { organizationId, work })
        },
      }),
    )
    return await searchArchives(archives, { organizationId, ...wanted })
  }

  return {
    activities: search,
    activity: async (organizationId, activityId, work) => {
      const range = { above: activityId.slice(0, -1), below: `${activityId} `, newestFirst: true }
      const [row] = await search(organizationId, { filter: {}, range, limit: 1, standing: [] }, work)
      return row?.activityId === activityId ? row : undefined
    },
    forget: () => opened.forget(),
    look: async () => {
      const closed: string[] = []
      for (const noted of await notedArchives(store))
        if ((await opened.open(noted)) === undefined) closed.push(archiveFileName(noted))
      return closed
    },
  }
}

type Asked = { readonly organizationId: string; readonly work: Work }

/** The number of threads that read files and decompress: further reads would wait there, in an unfair order. */
const BLOCKS_AT_ONCE = 4

/** Some 300 bytes each. */
const ENTRIES_KEPT = 50_000
