import type { SigningKey } from '../service/p256.ts'

/**
 * What is left of signing in with a key: a key of this browser that nobody can read, until when it counts, and where.
 */
type KeptKey = SigningKey & { readonly organizationId: string; readonly expiresAt: number }

/** The database of this page holds at most one of them. */
export async function keptKey(): Promise<KeptKey | undefined> {
  // Only `keepKey` writes here.
  return (await inStore('readonly', (store) => store.get(PLACE))) as KeptKey | undefined
}

export async function keepKey(key: KeptKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(key, PLACE))
}

export async function forgetKey(): Promise<void> {
  await inStore('readwrite', (store) => store.clear())
}

const DATABASE = 'claviger'
const STORE = 'session'
const PLACE = 'current'

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await settled(opening)
  try {
    const transaction = database.transaction(STORE, mode)
    const request = work(transaction.objectStore(STORE))
    await completed(transaction)
    return request.result
  } finally {
    database.close()
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? unanswered())
  })
}

/**
 * A request that succeeded is undone if the page closes before its transaction is complete (Indexed Database API 3.0,
 * 2.7.1).
 */
function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? unanswered())
  })
}

function unanswered(): Error {
  return new Error('the database of this page does not answer')
}
