/** A backup that cannot be read, or a store that it cannot be brought into, in words for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError'
}
