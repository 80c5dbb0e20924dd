import { hash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, utf8 } from '../base/bytes.ts'
import type { Curve } from '../crypto/curve.ts'
import { parseTypedData, type TypedData } from './ethereum/eip712.ts'
import { typedDataDigest } from './ethereum/eip712-digest.ts'
import { authorizationDigest, parseAuthorization } from './ethereum/eip7702.ts'
import { invalidHashFunction, invalidPayloadEncoding, wrongDigestLength } from './failures.ts'

export type PayloadEncoding = (typeof payloadEncodings)[number]
export type HashFunction = (typeof hashFunctions)[number]

export const payloadEncodings = [
  'PAYLOAD_ENCODING_HEXADECIMAL',
  'PAYLOAD_ENCODING_TEXT_UTF8',
  'PAYLOAD_ENCODING_EIP712',
  'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
] as const

export const hashFunctions = [
  'HASH_FUNCTION_NO_OP',
  'HASH_FUNCTION_SHA256',
  'HASH_FUNCTION_KECCAK256',
  'HASH_FUNCTION_NOT_APPLICABLE',
] as const

export type RawPayload = {
  readonly payload: string
  readonly encoding: PayloadEncoding
  readonly hashFunction: HashFunction
  /** The curve of the key that is to sign. */
  readonly curve: Curve
}

/**
 * What the key signs: a digest of 32 bytes on secp256k1 and P-256, the message itself, of any length but zero, on
 * Ed25519.
 *
 * @throws Failure `invalidHashFunction`, `invalidPayloadEncoding` or `wrongDigestLength`
 */
export function payloadBytesToSign({ payload, encoding, hashFunction, curve }: RawPayload): Uint8Array {
  expectHashFunctionFor(curve, hashFunction)
  switch (encoding) {
    case 'PAYLOAD_ENCODING_HEXADECIMAL':
    case 'PAYLOAD_ENCODING_TEXT_UTF8':
      return applyHash(hashFunction, rawBytes({ payload, encoding }))
    case 'PAYLOAD_ENCODING_EIP712':
      return typedDataDigest(typedDataOf({ payload, encoding, hashFunction, curve }))
    case 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION':
      expectEthereumDigest(encoding, hashFunction, curve)
      return authorizationDigest(parseAuthorization(payload))
  }
}

/** The typed data of a payload that is such, for a key that can sign it. */
export function typedDataOf({ payload, encoding, hashFunction, curve }: RawPayload): TypedData {
  expectHashFunctionFor(curve, hashFunction)
  expectEthereumDigest(encoding, hashFunction, curve)
  return parseTypedData(payload)
}

/** Ed25519 hashes the message itself, so no other function applies; ECDSA needs one, or the digest. */
function expectHashFunctionFor(curve: Curve, hashFunction: HashFunction): void {
  const isEd25519 = curve === 'CURVE_ED25519'
  if (isEd25519 === (hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE')) return
  throw invalidHashFunction({
    what: isEd25519
      ? `a key on ${curve} needs HASH_FUNCTION_NOT_APPLICABLE, not ${hashFunction}`
      : `a key on ${curve} needs another than ${hashFunction}`,
  })
}

/** Encodings that yield a digest of their own have nothing left to hash, and only Ethereum's curve signs them. */
function expectEthereumDigest(encoding: PayloadEncoding, hashFunction: HashFunction, curve: Curve): void {
  if (curve !== 'CURVE_SECP256K1') {
    throw invalidPayloadEncoding({
      what: `${encoding} needs a key on CURVE_SECP256K1, this one is on ${curve}`,
    })
  }
  if (hashFunction !== 'HASH_FUNCTION_NO_OP') {
    throw invalidHashFunction({ what: `${encoding} needs HASH_FUNCTION_NO_OP, not ${hashFunction}` })
  }
}

/** The bytes of a payload that is not structured, before any hashing. */
export function rawBytes({ payload, encoding }: Pick<RawPayload, 'payload' | 'encoding'>): Uint8Array {
  return encoding === 'PAYLOAD_ENCODING_TEXT_UTF8' ? textBytes(payload) : hexadecimalBytes(payload)
}

/** Hexadecimal digits of either case, with or without `0x`. An empty payload is more likely lost than meant. */
function hexadecimalBytes(payload: string): Uint8Array {
  const digits = /^0x/i.test(payload) ? payload.slice(2) : payload
  const bytes = fromHex(digits)
  if (digits === '') throw invalidPayloadEncoding({ what: 'the payload is empty' })
  if (bytes !== undefined) return bytes
  const at = digits.search(/[^0-9a-fA-F]/)
  throw invalidPayloadEncoding({
    what:
      at < 0
        ? `the payload has an odd number of hexadecimal digits, ${digits.length}`
        : `${JSON.stringify(String.fromCodePoint(digits.codePointAt(at) ?? 0))} is not a hexadecimal digit`,
  })
}

function textBytes(payload: string): Uint8Array {
  if (payload === '') throw invalidPayloadEncoding({ what: 'the payload is empty' })
  if (!payload.isWellFormed()) throw invalidPayloadEncoding({ what: 'the payload has a lone surrogate' })
  return utf8(payload)
}

function applyHash(hashFunction: HashFunction, bytes: Uint8Array): Uint8Array {
  switch (hashFunction) {
    case 'HASH_FUNCTION_SHA256':
      return hash('sha256', bytes, 'buffer')
    case 'HASH_FUNCTION_KECCAK256':
      return keccak_256(bytes)
    case 'HASH_FUNCTION_NO_OP':
      if (bytes.length !== 32) throw wrongDigestLength({ bytes: bytes.length })
      return bytes
    case 'HASH_FUNCTION_NOT_APPLICABLE':
      return bytes
  }
}
