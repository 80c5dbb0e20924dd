/** What is kept of an embedded key: the private key as the browser keeps it, which no script can read. */
export type StoredKey = {
  readonly privateKey: CryptoKey
  /** 65 bytes uncompressed. */
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly expiresAtMs: number
}

/** Embedded keys by name, in one place for all pages of this origin. */
export type KeyStore = {
  /** One step, so that two pages that begin at the same time have the same key. */
  readonly update: (
    name: string,
    next: (found: StoredKey | undefined) => StoredKey | undefined,
  ) => Promise<void>
}

/**
 * The keys in IndexedDB. Where the browser refuses a frame all storage, as it may for a page of another site, they live
 * as long as the page.
 */
export async function openKeyStore(indexedDb: IDBFactory): Promise<KeyStore> {
  const database = await opened(indexedDb).catch(() => undefined)
  return database === undefined ? memoryKeyStore() : inDatabase(database)
}

function inDatabase(database: IDBDatabase): KeyStore {
  return {
    update: (name, next) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, 'readwrite')
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error ?? new Error('the key was not stored'))
        const keys = transaction.objectStore(STORE)
        const reading: IDBRequest<StoredKey | undefined> = keys.get(name)
        reading.onsuccess = () => {
          const key = next(reading.result)
          if (key === undefined) keys.delete(name)
          else if (key !== reading.result) keys.put(key, name)
        }
      }),
  }
}

/** Keys that live as long as the page. */
export function memoryKeyStore(): KeyStore {
  const keys = new Map<string, StoredKey>()
  return {
    update: async (name, next) => {
      const key = next(keys.get(name))
      if (key === undefined) keys.delete(name)
      else keys.set(name, key)
    },
  }
}

const STORE = 'embedded-keys'

function opened(indexedDb: IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDb.open('claviger-frames', 1)
    opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE)
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error ?? new Error('no storage'))
  })
}
