import type { Bytes } from '../bundles/p256-keys.ts'
import { badKey, badMessage, noSuchKey, wrongAddress } from '../failures.ts'
import { isSameAddress } from './address-of.ts'
import { ethereumKey, type SigningKey, solanaKey } from './signing-key.ts'

/** The keys that a frame signs with, as long as its page lives. */
export type HeldKeys = {
  /** @param key  32 bytes, kept by reference. @throws Failure */
  readonly hold: (
    key: Bytes,
    as: { readonly keyFormat: string | undefined; readonly address: string | undefined },
  ) => void
  /** The key of this address, or the only one where none is named. @throws Failure `noSuchKey` */
  readonly find: (address: string | undefined) => SigningKey
  /** Wipes the key of this address, or all. @throws Failure `noSuchKey` */
  readonly clear: (address: string | undefined) => void
}

const KEYS_MAX = 100

export function heldKeys(): HeldKeys {
  const held = new Map<string, { readonly signingKey: SigningKey; readonly bytes: Bytes }>()
  const entries = (address: string | undefined) =>
    [...held.values()].filter(
      ({ signingKey }) => address === undefined || isSameAddress(signingKey.address, address),
    )
  const drop = ({ signingKey, bytes }: { readonly signingKey: SigningKey; readonly bytes: Bytes }): void => {
    bytes.fill(0)
    held.delete(signingKey.address)
  }
  return {
    hold: (key, { keyFormat = 'HEXADECIMAL', address }) => {
      if (key.length !== 32) throw badKey({ why: 'it does not have 32 bytes' })
      const make = makers.get(keyFormat)
      if (make === undefined)
        throw badMessage({
          what: `"keyFormat" is none of ${[...makers.keys()].join(', ')}, with which this frame signs`,
        })
      const signingKey = make(key)
      if (address !== undefined && !isSameAddress(signingKey.address, address)) throw wrongAddress()
      if (!held.has(signingKey.address) && held.size === KEYS_MAX)
        throw badMessage({ what: `this frame already holds ${KEYS_MAX} keys: clear one first` })
      held.get(signingKey.address)?.bytes.fill(0)
      held.set(signingKey.address, { signingKey, bytes: key })
    },
    find: (address) => {
      const [only, ...others] = entries(address)
      if (only === undefined || others.length > 0) throw noSuchKey({ address })
      return only.signingKey
    },
    clear: (address) => {
      const found = entries(address)
      if (address !== undefined && found.length === 0) throw noSuchKey({ address })
      found.forEach(drop)
    },
  }
}

const makers: ReadonlyMap<string, (key: Bytes) => SigningKey> = new Map([
  ['HEXADECIMAL', ethereumKey],
  ['SOLANA', solanaKey],
])
