import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'

/** The note with which a store that was moved is closed. */
export const MOVED_NOTE = 'moved'

/** The note with which a store is closed to services while it is moved. */
export const MOVING_NOTE = 'moving'

/** Two services on the two stores would each decide what the other does not know of. @throws StoreError `foreign` */
export async function refuseMoved(store: Pick<Store, 'note'>): Promise<void> {
  await refuseClosed(store)
  const moving = await store.note(MOVING_NOTE)
  if (moving !== undefined)
    throw new StoreError(
      'foreign',
      `this data is being moved ${moving}: wait for its end, or run the same claviger move again`,
    )
}

/** The same of a move that came to its end. @throws StoreError `foreign` */
export async function refuseClosed(store: Pick<Store, 'note'>): Promise<void> {
  const moved = await store.note(MOVED_NOTE)
  if (moved !== undefined) throw new StoreError('foreign', `this data was moved ${moved}: serve it there`)
}
