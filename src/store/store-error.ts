/**
 * What went wrong between the service and its data, in words for the person who runs it.
 *
 * - `inUse`: another process holds the data
 * - `foreign`: the data was written by a newer version, or is not ours
 * - `notDurable`: the engine would acknowledge what a power failure can take back
 * - `unavailable`: no connection, or it broke; whether a unit in flight was written is then unknown
 * - `closed`: the store was closed before the unit was taken up; nothing of it was written
 */
export type StoreErrorKind = 'inUse' | 'foreign' | 'notDurable' | 'unavailable' | 'closed'

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
