import { hash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { wrongDigestLength } from './failures.ts'

export type HashFunction = (typeof hashFunctions)[number]

export const hashFunctions = [
  'HASH_FUNCTION_NO_OP',
  'HASH_FUNCTION_SHA256',
  'HASH_FUNCTION_KECCAK256',
  'HASH_FUNCTION_NOT_APPLICABLE',
] as const

/** @throws Failure `wrongDigestLength` for a digest of the wrong length */
export function applyHash(hashFunction: HashFunction, bytes: Uint8Array): Uint8Array {
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
