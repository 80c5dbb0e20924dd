import { present } from '../base/assert.ts'
import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { readEd25519Key } from '../crypto/ed25519.ts'
import { readP256Key } from '../crypto/p256.ts'
import { readSecp256k1Key } from '../crypto/secp256k1.ts'
import type { KeyCredentialType } from './credential-types.ts'

export const API_KEY_CURVES = [
  'API_KEY_CURVE_P256',
  'API_KEY_CURVE_SECP256K1',
  'API_KEY_CURVE_ED25519',
] as const

export const invalidApiKey = defineFailure<{ readonly publicKey: string; readonly curveType: string }>({
  kind: 'invalidApiKey',
  code: INVALID_ARGUMENT,
  say: ({ publicKey, curveType }) =>
    `invalid api key: ${JSON.stringify(publicKey.slice(0, 140))} is not a public key of ${curveType} (${formOf(curveType)})`,
})

/** The credential type of an API key on this curve, one of `API_KEY_CURVES`. */
export function apiKeyType(curveType: string): KeyCredentialType {
  return present(typeByCurve[curveType], 'the type of keys on a known curve')
}

const typeByCurve: Readonly<Record<string, KeyCredentialType>> = {
  API_KEY_CURVE_P256: 'CREDENTIAL_TYPE_API_KEY_P256',
  API_KEY_CURVE_SECP256K1: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  API_KEY_CURVE_ED25519: 'CREDENTIAL_TYPE_API_KEY_ED25519',
}

/**
 * @param hex  33 bytes compressed, or 32 bytes for Ed25519, in either case
 * @returns    the same in lowercase; it is a point of the curve
 */
export function readApiKey(curveType: string, hex: string): string {
  const length = curveType === 'API_KEY_CURVE_ED25519' ? 64 : 66
  const known = hex.length === length ? readers[curveType]?.(hex) : undefined
  if (known === undefined) throw invalidApiKey({ publicKey: hex, curveType })
  return known
}

const readers: Readonly<Record<string, (hex: string) => string | undefined>> = {
  API_KEY_CURVE_P256: (hex) => readP256Key(hex)?.compressed,
  API_KEY_CURVE_SECP256K1: (hex) => readSecp256k1Key(hex)?.compressed,
  API_KEY_CURVE_ED25519: readEd25519Key,
}

function formOf(curveType: string): string {
  return curveType === 'API_KEY_CURVE_ED25519'
    ? '32 bytes in hexadecimal'
    : '33 bytes, compressed, in hexadecimal'
}
