import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { solanaAddress } from '../../src/trusted/chains/solana-address.ts'
import { checksummed } from '../../src/trusted/crypto/eip55.ts'
import type { Bytes } from '../bundles/p256-keys.ts'
import { badKey } from '../failures.ts'

/** The address of Ethereum, and of the chains like it, of a key of 32 bytes. @throws Failure `badKey` */
export function ethereumAddressOf(secret: Bytes): string {
  if (!secp256k1.utils.isValidSecretKey(secret)) throw badKey({ why: 'it is no key of secp256k1' })
  return checksummed(keccak_256(secp256k1.getPublicKey(secret, false).subarray(1)).subarray(12))
}

/** The address of Solana of a seed of 32 bytes. */
export function solanaAddressOf(seed: Bytes): string {
  return solanaAddress(ed25519.getPublicKey(seed))
}

/** Whether two texts are one address: of Ethereum the case of letters is only a checksum. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())
}
