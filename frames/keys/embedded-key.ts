import { bytesToHex } from '@noble/hashes/utils.js'
import { rawPublicKey } from '../bundles/p256-keys.ts'
import { noEmbeddedKey } from '../failures.ts'
import type { KeyStore, StoredKey } from './key-store.ts'

/** The key that bundles for this frame are encrypted to. Nothing but this frame can use it, and nothing can read it. */
export type EmbeddedKey = {
  /** Makes one where there is none. @returns the public key, uncompressed hex */
  readonly init: () => Promise<string>
  /** The public key, or an empty text where there is no key. */
  readonly publicKey: () => Promise<string>
  /** @throws Failure `noEmbeddedKey` */
  readonly use: () => Promise<Pick<StoredKey, 'privateKey' | 'publicKey'>>
  readonly reset: () => Promise<void>
}

type Terms = {
  /** Of the frame and of the page around it: pages of one origin share a key, and no others. */
  readonly name: string
  /** Undefined for that of the published frames. Never more than `TIME_TO_LIVE_MS_MAX`. */
  readonly timeToLiveMs: number | undefined
  readonly now: () => number
}

export function embeddedKey(store: KeyStore, { name, timeToLiveMs, now }: Terms): EmbeddedKey {
  const timeToLive = Math.min(timeToLiveMs ?? TIME_TO_LIVE_MS, TIME_TO_LIVE_MS_MAX)
  const found = async (): Promise<StoredKey | undefined> => {
    let live: StoredKey | undefined
    await store.update(name, (stored) => {
      live = stored !== undefined && now() < stored.expiresAtMs ? stored : undefined
      return live
    })
    return live
  }
  const publicKeyOf = (key: StoredKey | undefined): string =>
    key === undefined ? '' : bytesToHex(key.publicKey)
  return {
    init: async () => {
      // No other work may wait within a step of the store, so a key is made before it is known to be needed.
      const made = await newKey(now() + timeToLive)
      let kept = made
      await store.update(name, (stored) => {
        kept = stored !== undefined && now() < stored.expiresAtMs ? atMost(stored, made.expiresAtMs) : made
        return kept
      })
      return publicKeyOf(kept)
    },
    publicKey: async () => publicKeyOf(await found()),
    use: async () => {
      const key = await found()
      if (key === undefined) throw noEmbeddedKey()
      return key
    },
    reset: () => store.update(name, () => undefined),
  }
}

const HOUR_MS = 60 * 60 * 1000
const TIME_TO_LIVE_MS = 48 * HOUR_MS
/** A page that asks for more gets this. */
const TIME_TO_LIVE_MS_MAX = 30 * 24 * HOUR_MS

/** A page may shorten the life of a key that is there, and not lengthen it. */
function atMost(key: StoredKey, expiresAtMs: number): StoredKey {
  return key.expiresAtMs <= expiresAtMs ? key : { ...key, expiresAtMs }
}

async function newKey(expiresAtMs: number): Promise<StoredKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
  return { privateKey: pair.privateKey, publicKey: await rawPublicKey(pair.publicKey), expiresAtMs }
}
