import { statSync } from 'node:fs'
import { explainedOfFile, openDatabase, prepareFile } from './file.ts'
import { StoreError } from '../store-error.ts'

type SqliteLock = {
  readonly release: () => void
  /**
   * If the lock file is removed, another process could take a lock of its own, on a new file of the same name.
   *
   * @throws StoreError `foreign` if the file is not the locked one
   */
  readonly check: () => void
}

/**
 * The lock on an embedded store: a transaction on an empty database beside it, which the process keeps open. The
 * operating system holds it for the life of the process, so a kill leaves no lock behind. It is not on the data, so
 * that the data can be copied while a process serves it.
 *
 * @param path        of the data
 * @param lockWaitMs  the time to wait for a predecessor that is about to end
 * @throws StoreError `inUse` if another process has it, or this one already
 */
export function takeSqliteLock(path: string, { lockWaitMs }: { readonly lockWaitMs: number }): SqliteLock {
  const lockPath = `${path}-lock`
  prepareFile(lockPath)
  const lock = openDatabase(lockPath)
  try {
    lock.exec(`PRAGMA busy_timeout = ${lockWaitMs}`)
    lock.exec('BEGIN EXCLUSIVE')
    const { ino } = statSync(lockPath)
    return {
      release: () => lock.close(),
      check: () => {
        if (statSync(lockPath, { throwIfNoEntry: false })?.ino !== ino) throw lockGone(lockPath)
      },
    }
  } catch (error) {
    lock.close()
    throw explainedOfFile(error, path)
  }
}

function lockGone(lockPath: string): StoreError {
  return new StoreError(
    'foreign',
    `${lockPath} was removed or replaced, so that another process may serve this store: nothing more is written here; start again`,
  )
}
