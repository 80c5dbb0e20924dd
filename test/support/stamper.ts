import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { quickP256PublicKey, quickP256Signature } from './quick-p256.ts'

type StampScheme =
  | 'SIGNATURE_SCHEME_TK_API_P256'
  | 'SIGNATURE_SCHEME_TK_API_SECP256K1'
  | 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'
  | 'SIGNATURE_SCHEME_TK_API_ED25519'

/** `privateKey`: 32 bytes, a scalar or an Ed25519 seed. `publicKey`: hex as an API key is registered. */
export type StampKey = {
  readonly scheme: StampScheme
  readonly privateKey: Uint8Array
  readonly publicKey: string
}

export type StampHeader = { readonly stampHeaderName: string; readonly stampHeaderValue: string }

/**
 * A key of the scheme. The first random bytes that are a valid key are taken, so a seeded source gives the same key
 * again.
 */
export function stampKeyFrom(scheme: StampScheme, randomBytes: (length: number) => Uint8Array): StampKey {
  for (;;) {
    const privateKey = randomBytes(32)
    if (schemes[scheme].isPrivateKey(privateKey)) {
      return { scheme, privateKey, publicKey: hex(schemes[scheme].publicKey(privateKey)) }
    }
  }
}

/** The `X-Stamp` header over exactly these bytes. Signatures are deterministic. */
export function stampWith(key: StampKey, body: Uint8Array | string): StampHeader {
  const { scheme, privateKey, publicKey } = key
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return stampHeader({
    publicKey,
    scheme,
    signature: hex(schemes[scheme].sign(bytes, privateKey)),
  })
}

/** A header of any content, for stamps that must be refused. */
export function stampHeader(stamp: object): StampHeader {
  return {
    stampHeaderName: 'X-Stamp',
    stampHeaderValue: Buffer.from(JSON.stringify(stamp)).toString('base64url'),
  }
}

type Signing = {
  readonly isPrivateKey: (bytes: Uint8Array) => boolean
  readonly publicKey: (privateKey: Uint8Array) => Uint8Array
  readonly sign: (body: Uint8Array, privateKey: Uint8Array) => Uint8Array
}

// High s is left as it falls, as in the published clients.
const ecdsaOfDigest = { prehash: false, lowS: false, format: 'der' } as const

const schemes: Readonly<Record<StampScheme, Signing>> = {
  SIGNATURE_SCHEME_TK_API_P256: {
    isPrivateKey: p256.utils.isValidSecretKey,
    publicKey: quickP256PublicKey,
    sign: quickP256Signature,
  },
  SIGNATURE_SCHEME_TK_API_SECP256K1: {
    isPrivateKey: secp256k1.utils.isValidSecretKey,
    publicKey: (privateKey) => secp256k1.getPublicKey(privateKey, true),
    sign: (body, privateKey) => secp256k1.sign(sha256(body), privateKey, ecdsaOfDigest),
  },
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: {
    isPrivateKey: secp256k1.utils.isValidSecretKey,
    publicKey: (privateKey) => secp256k1.getPublicKey(privateKey, true),
    sign: (body, privateKey) => secp256k1.sign(eip191Digest(body), privateKey, ecdsaOfDigest),
  },
  SIGNATURE_SCHEME_TK_API_ED25519: {
    isPrivateKey: (bytes) => bytes.length === 32,
    publicKey: ed25519.getPublicKey,
    sign: (body, privateKey) => ed25519.sign(body, privateKey),
  },
}

function eip191Digest(body: Uint8Array): Uint8Array {
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${body.length}`), body]))
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
