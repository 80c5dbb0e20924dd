import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { readDer } from '../../trusted/crypto/der.ts'
import { eip191Digest } from '../../trusted/crypto/eip191.ts'
import { SECP256K1_ORDER } from '../../trusted/crypto/scalar.ts'

// Verification of stamps on a curve that browsers lack: a page loads this file only for such a stamp.

export function isSecp256k1(key: Uint8Array, request: Uint8Array, der: Uint8Array): boolean {
  return isOver(key, sha256(request), der)
}

export function isEip191(key: Uint8Array, request: Uint8Array, der: Uint8Array): boolean {
  return isOver(key, eip191Digest(request), der)
}

function isOver(key: Uint8Array, digest: Uint8Array, der: Uint8Array): boolean {
  const rs = readDer(der, SECP256K1_ORDER)
  return rs !== undefined && secp256k1.verify(rs, digest, key, { prehash: false, lowS: false })
}
