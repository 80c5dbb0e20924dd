import { MOVED_NOTE } from '../copies/store-notes.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'

/** Two services on the two stores would each decide what the other does not know of. @throws StoreError `foreign` */
export async function refuseMoved(store: Pick<Store, 'note'>): Promise<void> {
  const moved = await store.note(MOVED_NOTE)
  if (moved !== undefined) throw new StoreError('foreign', `this data was moved ${moved}: serve it there`)
}
