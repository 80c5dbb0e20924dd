/** A backup that cannot be read, or a store that cannot take it, in words for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError'
}

/** The storage of archives does not answer now. */
export class StorageUnreachable extends CopyError {}
