import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'

/** The note that closes a store after it was moved. */
export const MOVED_NOTE = 'moved'

/** The note that closes a store to services during its move. */
export const MOVING_NOTE = 'moving'

/**
 * Two services on the two stores would make decisions without knowing those of the other.
 *
 * @throws StoreError `foreign`
 */
export async function refuseMoved(store: Pick<Store, 'note'>): Promise<void> {
  await refuseClosed(store)
  const moving = await store.note(MOVING_NOTE)
  if (moving !== undefined)
    throw new StoreError(
      'foreign',
      `this data is being moved ${moving}: wait for its end, or run the same claviger move again`,
    )
}

/** The same for a finished move. @throws StoreError `foreign` */
export async function refuseClosed(store: Pick<Store, 'note'>): Promise<void> {
  const moved = await store.note(MOVED_NOTE)
  if (moved !== undefined) throw new StoreError('foreign', `this data was moved ${moved}: serve it there`)
}
