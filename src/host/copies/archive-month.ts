import { existsSync, linkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Vault } from '../../protocol/vault.ts'
import { SCHEMA_STEP } from '../store/schema-step.ts'
import type { Store } from '../store/store.ts'
import type { Archivable } from './archivable.ts'
import { type ArchiveName, archiveFileName, archiveNoteName } from './archive-note.ts'
import { CopyError } from './copy-error.ts'
import type { CopyManifest } from './copy-file.ts'
import { noteArchive } from './note-archive.ts'
import { openCopy } from './read-copy.ts'
import { removeArchived } from './remove-archived.ts'
import type { RowPage, RowSource } from './row-source.ts'
import { rowsOf } from './rows-of.ts'
import { type VerifiedArchive, verifiedArchive } from './verified-archive.ts'
import { writeCopy } from './write-copy.ts'

type ArchiveMeans = {
  readonly store: Pick<Store, 'scan' | 'activity' | 'note' | 'noteOnce' | 'removeActivities'>
  readonly vault: Pick<Vault, 'copyKey' | 'proveRoot' | 'checkRootProof' | 'verify'>
  /** Where the files are. */
  readonly folder: string
  readonly recipients: readonly string[]
  /** Of the recipients: the file is read back before anything is removed. */
  readonly identities: readonly string[]
  readonly randomBytes: (length: number) => Uint8Array
  readonly about: Pick<CopyManifest, 'claviger' | 'schema' | 'copiedAt'>
  /** A name beside a file, which no other run has. */
  readonly fileBeside: (path: string) => string
  readonly syncFolderOf: (path: string) => void
  /** Called at each step, with the rows that it has handled. */
  readonly paused: (step: ArchiveStep, rows: number) => Promise<void>
}

export type ArchiveStep = 'read' | 'written' | 'verified' | 'placed' | 'noted' | 'removed'

export type ArchivedFile = ArchiveName & { readonly path: string; readonly activities: number }

/**
 * Brings the activities of one month into a file, and then out of the store. Nothing is removed before the file was read back from its
 * place to be, verified, and written to the disk with its folder; and only what stands in it is. Wherever this is killed, the next run
 * finds the file in its place or makes it anew, and goes on.
 *
 * @returns the files that activities of this month went into now
 */
export async function archiveMonth(
  means: ArchiveMeans,
  { months, monthOf }: Archivable,
  month: string,
): Promise<readonly ArchivedFile[]> {
  const files: ArchivedFile[] = []
  let left = months.get(month) ?? 0
  for (let part = 1; left > 0; part++) {
    const name = { month, part }
    const path = join(means.folder, archiveFileName(name))
    const archive = existsSync(path)
      ? await verifiedArchive(path, means, name)
      : await written(means, path, { source: monthSource(means, monthOf, month), name })
    // Another run has taken what was left.
    if (archive === undefined) break
    means.syncFolderOf(path)
    await noteArchive(means, name, archive)
    await means.paused('noted', 0)
    const activities = await removeArchived(means, archive.copy)
    left -= activities
    if (activities > 0) files.push({ ...name, path, activities })
  }
  return files
}

/** What a file has that is elsewhere would be archived twice. */
async function checkUnnoted({ store, folder }: ArchiveMeans, name: ArchiveName): Promise<void> {
  if ((await store.note(archiveNoteName(name))) === undefined) return
  throw new CopyError(
    `${archiveFileName(name)} was made, but is not in ${folder}: put it there, since activities of that month are still in the store`,
  )
}

/** @returns undefined where there is nothing to write */
async function written(
  means: ArchiveMeans,
  path: string,
  { source, name }: { readonly source: RowSource; readonly name: ArchiveName },
): Promise<VerifiedArchive | undefined> {
  await checkUnnoted(means, name)
  const partial = means.fileBeside(path)
  try {
    const { tables } = await writeCopy(source, means.vault, {
      ...means,
      path: partial,
      about: { ...means.about, lastJob: 0, archive: name },
      paused: () => {},
    })
    if (tables.activities.rows === 0) return undefined
    const { manifest } = await verifiedArchive(partial, means, name)
    // Where another run was quicker this fails, and does not put a file with less in the place of one with more.
    linkSync(partial, path)
    await means.paused('placed', 0)
    return { manifest, copy: await openCopy(path, means.vault, { ...means, schema: SCHEMA_STEP }) }
  } finally {
    rmSync(partial, { force: true })
  }
}

function monthSource(
  { store, paused }: Pick<ArchiveMeans, 'store' | 'paused'>,
  monthOf: Archivable['monthOf'],
  month: string,
): RowSource {
  return {
    pages: async function* (): AsyncGenerator<RowPage> {
      for await (const rows of rowsOf(store, 'activities')) {
        await paused('read', rows.length)
        const own = rows.filter((row) => monthOf(row) === month)
        if (own.length === 0) continue
        yield { table: 'activities', rows: own }
        await paused('written', own.length)
      }
    },
  }
}
