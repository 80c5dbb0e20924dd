import { DatabaseSync } from 'node:sqlite'
import { explainedOfFile, prepareFile } from './sqlite-file.ts'

/**
 * The lock on an embedded store: a transaction on an empty database beside it, which the process keeps open. The operating system
 * holds it for as long as the process lives, so nothing is left behind by a kill. It is not on the data, so that a copy of the data
 * can be read beside the process that serves them.
 *
 * @param path        of the data
 * @param lockWaitMs  how long to wait for a predecessor that is about to end
 * @returns           what lets go of it
 * @throws StoreError `inUse` where another process has it, or this one already
 */
export function takeSqliteLock(path: string, { lockWaitMs }: { readonly lockWaitMs: number }): () => void {
  const lockPath = `${path}-lock`
  prepareFile(lockPath)
  const lock = new DatabaseSync(lockPath)
  try {
    lock.exec(`PRAGMA busy_timeout = ${lockWaitMs}`)
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    lock.close()
    throw explainedOfFile(error, path)
  }
}
