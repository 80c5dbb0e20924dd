import type { Vault } from '../../protocol/vault.ts'
import type { Store } from '../store/store.ts'
import { archiveFileName, archiveText, notedArchive, readArchiveFileName } from './archive-note.ts'
import type { ArchivePlace } from './archive-place.ts'
import { CopyError, StorageRefused } from './copy-error.ts'
import { notedArchives } from './noted-archives.ts'
import { verifiedArchive } from './verified-archive.ts'
import { addProblem, type VerifyState } from './verify-state.ts'

/**
 * Verifies the archives of a store: each noted file is in its place, is the noted one, and verifies to its end; and
 * each file in the place has its note.
 *
 * @returns the number of their activities
 */
export async function verifyArchives(
  store: Pick<Store, 'scan'>,
  place: ArchivePlace,
  {
    vault,
    identities,
    state,
    paused,
  }: {
    readonly vault: Pick<Vault, 'copyKey' | 'checkRootProof' | 'verify'>
    readonly identities: readonly string[]
    readonly state: VerifyState
    readonly paused: (rows: number) => void
  },
): Promise<number> {
  const noted = new Map((await notedArchives(store)).map((archive) => [archiveFileName(archive), archive]))
  const files = (await place.list()).filter((name) => readArchiveFileName(name) !== undefined)
  const wrong = (file: string, problem: string): void =>
    addProblem(state, { what: `archive ${file}`, problem })
  for (const file of files) if (!noted.has(file)) wrong(file, 'the store has no note of it')
  let activities = 0
  for (const [file, archive] of noted) {
    try {
      const stored = await place.open(file)
      if (stored === undefined) {
        wrong(file, `${archive.activities} activities were archived in it, and it is not in ${place.address}`)
        continue
      }
      const means = { vault, identities, paused: async (_: 'verified', rows: number) => paused(rows) }
      const { copy, manifest } = await verifiedArchive(stored, means, archive)
      activities += manifest.tables.activities.rows
      if (archiveText(notedArchive(copy.id, manifest)) !== archiveText(archive))
        wrong(file, 'it is not the file that was noted when it was made')
    } catch (error) {
      // A storage that does not answer, or refuses to, says nothing about the file.
      if (!(error instanceof CopyError) || error instanceof StorageRefused) throw error
      wrong(file, error.message)
    }
  }
  return activities
}
