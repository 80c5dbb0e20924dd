/**
 * A problem between the service and its data, in words for the operator.
 *
 * - `inUse`: another process holds the data
 * - `foreign`: the data was written by a newer version, or is not ours; or the database refuses the role, or does not
 *   exist
 * - `notDurable`: a power failure could undo acknowledged commits of the engine
 * - `unavailable`: there was no connection, or it broke; whether a unit under way was written is then unknown
 * - `altered`: the database changed the written rows; they were rolled back
 * - `closed`: the store was closed before it accepted the unit; no part of it was written
 */
export type StoreErrorKind = 'inUse' | 'foreign' | 'notDurable' | 'unavailable' | 'altered' | 'closed'

/** The error of a commit that reads back other rows than it wrote. */
export function altered(): StoreError {
  return new StoreError(
    'altered',
    'the database changes what is written to it: look for triggers and rules on its tables, which have none of their own',
  )
}

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
