import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { readDer } from '../../trusted/crypto/der.ts'
import { eip191Digest } from '../../trusted/crypto/eip191.ts'
import { SECP256K1_ORDER } from '../../trusted/crypto/scalar.ts'
import type { ApiKeyScheme } from '../../trusted/crypto/stamp-api-key.ts'

type Verify = (key: Uint8Array, request: Uint8Array, signature: Uint8Array) => boolean

/** Stamps on curves that browsers do not all have: a page loads this file when it meets one. */
export const rareStamps: {
  readonly [scheme in Exclude<ApiKeyScheme, 'SIGNATURE_SCHEME_TK_API_P256'>]: Verify
} = {
  SIGNATURE_SCHEME_TK_API_SECP256K1: (key, request, der) => isSecp256k1(key, sha256(request), der),
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: (key, request, der) =>
    isSecp256k1(key, eip191Digest(request), der),
  SIGNATURE_SCHEME_TK_API_ED25519: (key, request, signature) =>
    signature.length === 64 && ed25519.verify(signature, request, key, { zip215: false }),
}

function isSecp256k1(key: Uint8Array, digest: Uint8Array, der: Uint8Array): boolean {
  const rs = readDer(der, SECP256K1_ORDER)
  return rs !== undefined && secp256k1.verify(rs, digest, key, { prehash: false, lowS: false })
}
