import type { Opening } from '../channel/open-channel.ts'
import { type EmbeddedKey, embeddedKey } from '../keys/embedded-key.ts'
import { openKeyStore } from '../keys/key-store.ts'

/** The embedded key of this kind of frame for pages of this origin; made where there is none. */
export async function openEmbeddedKey(
  frame: 'auth' | 'export' | 'export-and-sign',
  { parentOrigin, timeToLiveMs }: Opening,
): Promise<EmbeddedKey> {
  const store = await openKeyStore(indexedDB)
  const key = embeddedKey(store, { name: `${frame} ${parentOrigin}`, timeToLiveMs, now: Date.now })
  await key.init()
  return key
}
