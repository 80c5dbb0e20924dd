/**
 * The two stores of a browser that the published browser client keeps its sessions and keys in, as far as it uses them,
 * in the memory of this process. Everything else that it does here is its own: cryptography, stamps, requests.
 */
export function installBrowserStorage(): void {
  const items = new Map<string, string>()
  const localStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  }
  const window = { localStorage, location: { hostname: 'shop.example' } }
  for (const [name, value] of Object.entries({ window, document: {}, localStorage, indexedDB: keyStore() }))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

type Request = { result?: unknown; onsuccess?: () => void; onerror?: () => void }

/**
 * One object store, whose requests and transactions succeed a moment after they were made, when their handlers are set.
 */
function keyStore() {
  const keys = new Map<string, unknown>()
  const request = (result: unknown): Request => {
    const made: Request = { result }
    queueMicrotask(() => made.onsuccess?.())
    return made
  }
  const store = {
    put: (value: unknown, key: string) => request(void keys.set(key, value)),
    get: (key: string) => request(keys.get(key)),
    delete: (key: string) => request(void keys.delete(key)),
    getAllKeys: () => request([...keys.keys()]),
  }
  const transaction = () => {
    const made: { oncomplete?: () => void; readonly objectStore: () => typeof store } = {
      objectStore: () => store,
    }
    queueMicrotask(() => made.oncomplete?.())
    return made
  }
  return { open: () => request({ transaction, close: () => {} }) }
}
