import type { Vault } from '../../protocol/vault.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import type { Store } from '../store/store.ts'
import type { Archivable } from './archivable.ts'
import { writeArchive } from './archives/write-archive.ts'
import { type ArchiveName, archiveFileName, archiveNoteName } from './archive-note.ts'
import type { ArchivePlace } from './archive-place.ts'
import { checkRows } from './check-rows.ts'
import { aboutFile, CopyError, StorageRefused } from './copy-error.ts'
import type { CopyManifest } from './copy-file.ts'
import { noteArchive } from './note-archive.ts'
import { anotherRow, removeArchived, saysOther } from './remove-archived.ts'
import { RESTORED_NOTE } from './restored-note.ts'
import { rowsOf } from './rows-of.ts'
import type { StoredFile } from './stored-file.ts'
import { type VerifiedArchive, verifiedArchive } from './verified-archive.ts'

type ArchiveMeans = {
  readonly store: Pick<Store, 'scan' | 'activity' | 'note' | 'noteOnce' | 'removeActivities'>
  readonly vault: Pick<Vault, 'copyKey' | 'proveRoot' | 'checkRootProof' | 'verify'>
  /** The place of the files, already prepared. */
  readonly place: ArchivePlace
  readonly recipients: readonly string[]
  /** Identities of the recipients: the file is read back before any row is removed. */
  readonly identities: readonly string[]
  readonly randomBytes: (length: number) => Uint8Array
  readonly about: Pick<CopyManifest, 'claviger' | 'schema' | 'copiedAt'>
  /** Called at each step, with the number of its rows. */
  readonly paused: (step: ArchiveStep, rows: number) => Promise<void>
}

export type ArchiveStep = 'read' | 'written' | 'placed' | 'verified' | 'noted' | 'removed'

export type ArchivedFile = ArchiveName & {
  readonly path: string
  /** The number of activities that this run has removed from the store. */
  readonly activities: number
  /** The number of its activities that stay in the store, as erased, since the file was written before. */
  readonly stay: number
  /** Whether the file says something else of an activity: it was made before a restore, and was left as it is. */
  readonly isOther?: boolean
}

/**
 * Moves the activities of one month from the store into a file. Rows are removed only after the file was read back from
 * its place and verified, and only rows that the file contains: an activity that was erased meanwhile stays. After a
 * kill at any point, the next run finds the file in its place or makes it again, and continues.
 *
 * @returns the files of the month from which this run has removed activities, or has left some in the store
 */
export async function archiveMonth(
  means: ArchiveMeans,
  { months, monthOf }: Archivable,
  month: string,
): Promise<readonly ArchivedFile[]> {
  const { place } = means
  const files: ArchivedFile[] = []
  const staying = new Set<string>()
  const monthOfUnwritten: Archivable['monthOf'] = (row) =>
    staying.has(row.activityId) ? undefined : monthOf(row)
  let left = months.get(month) ?? 0
  for (let part = 1; left > 0; part++) {
    const name = { month, part }
    const standing = await place.open(archiveFileName(name))
    const file = standing ?? (await written(means, monthOfUnwritten, name))
    // Another run has taken the rest.
    if (file === undefined) break
    const archive = await readBack(means, file, name)
    if (standing !== undefined && (await isOfBefore(means, name, archive))) {
      files.push({ ...name, path: file.path, activities: 0, stay: 0, isOther: true })
      continue
    }
    await place.settle()
    await noteArchive(means, name, archive)
    await means.paused('noted', 0)
    const { removed, stay } = await removeArchived(means, archive.copy)
    for (const activityId of stay) staying.add(activityId)
    left -= removed + stay.size
    if (removed + stay.size > 0)
      files.push({ ...name, path: file.path, activities: removed, stay: stay.size })
  }
  return files
}

/** @returns undefined if there is no activity to write */
async function written(
  means: ArchiveMeans,
  monthOf: Archivable['monthOf'],
  name: ArchiveName,
): Promise<StoredFile | undefined> {
  const { place } = means
  const fileName = archiveFileName(name)
  await checkUnnoted(means, name)
  const pages = pagesOf(means, monthOf, name.month)
  const first = await pages.next()
  if (first.done === true) return undefined
  const all = async function* (): AsyncGenerator<readonly ActivityRow[]> {
    yield first.value
    yield* pages
  }
  await writeArchive(all(), means.vault, {
    ...means,
    write: async (bytes) => await place.write(fileName, bytes),
    about: { ...means.about, lastJob: 0, archive: name },
  })
  await means.paused('placed', 0)
  const file = await place.open(fileName)
  if (file === undefined)
    throw new CopyError(
      `${fileName} was written to ${place.address}, and is not there: is something deleting files?`,
    )
  return file
}

/**
 * Whether a file without a note is about the time after the backup from which this data was restored: an activity that
 * waited in the backup may have been approved there, and rejected here.
 *
 * @throws CopyError if it says something else of an activity although the data was never restored
 */
async function isOfBefore(
  means: ArchiveMeans,
  name: ArchiveName,
  { copy }: VerifiedArchive,
): Promise<boolean> {
  const { store } = means
  if ((await store.note(archiveNoteName(name))) !== undefined) return false
  for await (const page of copy.pages()) {
    if (page.table !== 'activities') continue
    for (const row of page.rows) {
      const standing = await store.activity(row.organizationId, row.activityId)
      if (standing === undefined || !saysOther(standing, row)) continue
      if ((await store.note(RESTORED_NOTE)) !== undefined) return true
      throw anotherRow(row)
    }
  }
  return false
}

/** An activity that another file has would be archived twice. */
async function checkUnnoted({ store, place }: ArchiveMeans, name: ArchiveName): Promise<void> {
  if ((await store.note(archiveNoteName(name))) === undefined) return
  throw new CopyError(
    `${archiveFileName(name)} was made, but is not in ${place.address}: put it there, since activities of that month are still in the store`,
  )
}

/** A wrong row is reported before it is written, since a written file stays. */
async function* pagesOf(
  { store, vault, paused }: Pick<ArchiveMeans, 'store' | 'vault' | 'paused'>,
  monthOf: Archivable['monthOf'],
  month: string,
): AsyncGenerator<readonly ActivityRow[]> {
  for await (const rows of rowsOf(store, 'activities')) {
    await paused('read', rows.length)
    const own = rows.filter((row) => monthOf(row) === month)
    if (own.length === 0) continue
    await checkRows(vault, own)
    yield own
    await paused('written', own.length)
  }
}

/** @throws CopyError if the file in the place is not a complete and correct archive of this month */
async function readBack(means: ArchiveMeans, file: StoredFile, name: ArchiveName): Promise<VerifiedArchive> {
  try {
    return await verifiedArchive(file, means, name)
  } catch (error) {
    // A storage that does not answer, or refuses to, says nothing about the file.
    if (!(error instanceof CopyError) || error instanceof StorageRefused) throw error
    if ((await means.store.note(archiveNoteName(name))) !== undefined) throw aboutFile(error, file.path)
    throw new CopyError(
      `${error.message}. Nothing was removed from the store for ${file.path}, since no note names it: it may be the only copy that there is of activities of another service, which needs a place of its own; only if it is this service's and cannot be repaired, delete it, and repeat the command`,
      { cause: error },
    )
  }
}
