import { bech32 } from '@scure/base'
import { hash160 } from './hash160.ts'

/** Bech32 of HASH160(key) under the prefix of one chain of the Cosmos SDK (ADR-028, legacy secp256k1 accounts). */
export function cosmosAddress(prefix: string): (publicKey: Uint8Array) => string {
  return (publicKey) => bech32.encode(prefix, bech32.toWords(hash160(publicKey)))
}
