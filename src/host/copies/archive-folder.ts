import { linkSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../store/make-folder.ts'
import type { ArchivePlace } from './archive-place.ts'
import { CopyError } from './copy-error.ts'
import { localFile, writeLocalFile } from './local-file.ts'

/**
 * A folder of archives; its file system must have hard links.
 *
 * @param fileBeside    a name beside a file, which no other run has
 * @param syncFolderOf  syncs the folder of a file to the disk
 */
export function archiveFolder(
  folder: string,
  {
    fileBeside,
    syncFolderOf,
  }: {
    readonly fileBeside: (path: string) => string
    readonly syncFolderOf: (path: string) => void
  },
): ArchivePlace {
  const settle = async (): Promise<void> => syncFolderOf(join(folder, 'any'))
  return {
    address: folder,
    prepare: async () => {
      makeFolder(folder)
    },
    list: async () => readdirSync(folder),
    // Not in the event loop: the service asks, and the folder may be on a network that does not answer.
    open: async (name) => {
      try {
        return await localFile(join(folder, name))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    write: async (name, bytes) => {
      const path = join(folder, name)
      const partial = fileBeside(path)
      try {
        await writeLocalFile(partial, bytes)
        placeOnce(partial, path)
        await settle()
      } finally {
        rmSync(partial, { force: true })
      }
    },
    settle,
  }
}

/** Any other error of the system says nothing about the file. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** If another run was faster, this fails, instead of replacing a file with more activities by one with fewer. */
function placeOnce(partial: string, path: string): void {
  try {
    linkSync(partial, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    throw new CopyError(
      `${path} was written by another run in the meantime: repeat the command when that run has ended`,
      { cause: error },
    )
  }
}
