import type { Opening } from '../channel/open-channel.ts'
import { type EmbeddedKey, embeddedKey } from '../keys/embedded-key.ts'
import { type KeyStore, memoryKeyStore, openKeyStore } from '../keys/key-store.ts'

/** The embedded key of this kind of frame for pages of this origin; made where there is none. */
export async function openEmbeddedKey(
  frame: 'auth' | 'export' | 'export-and-sign',
  { parentOrigin, timeToLiveMs }: Opening,
): Promise<EmbeddedKey> {
  const open = async (store: KeyStore): Promise<EmbeddedKey> => {
    const key = embeddedKey(store, { name: `${frame} ${parentOrigin}`, timeToLiveMs, now: Date.now })
    await key.init()
    return key
  }
  // Some browsers open a database for a frame, and then store no key in it.
  return await open(await openKeyStore(indexedDB)).catch(() => open(memoryKeyStore()))
}
