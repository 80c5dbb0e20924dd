/** A backup that cannot be read, or a store that cannot take it, in words for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError'
}

/** @param why  what is wrong, as the rest of a sentence */
export function damaged(why: string): CopyError {
  return new CopyError(`the backup is damaged: ${why}`)
}

/** The same error, with the file that it is about: a command may read many. */
export function aboutFile(error: CopyError, path: string): CopyError {
  return error.message.includes(path) ? error : new CopyError(`${path}: ${error.message}`, { cause: error })
}

/** The storage of archives shows nothing now, such as to credentials that have expired: that says nothing of a file. */
export class StorageRefused extends CopyError {}

/** The storage of archives does not answer now. */
export class StorageUnreachable extends StorageRefused {}
