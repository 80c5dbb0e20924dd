import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { createRequire } from 'node:module'
import { present } from '../base/assert.ts'
import { asBuffer, concat } from '../base/bytes.ts'

/**
 * Ed25519 (RFC 8032) with a secret. There are two backends, and both give the same bytes for the same input. A seed has
 * 32 bytes, a public key 32, a signature 64. `verifyEd25519` verifies signatures that others made.
 */
export type Ed25519Backend = {
  readonly publicKeyOf: (seed: Uint8Array) => Uint8Array
  /** PureEdDSA of each message. */
  readonly sign: (messages: readonly Uint8Array[], seed: Uint8Array) => readonly Uint8Array[]
  /** Only for signatures that were made here: it detects faults while signing. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean
}

export const opensslBackend: Ed25519Backend = {
  publicKeyOf(seed) {
    const { x } = createPublicKey(privateKey(seed)).export({ format: 'jwk' })
    return Buffer.from(present(x, 'the x of an Ed25519 key'), 'base64url')
  },
  sign(messages, seed) {
    const key = privateKey(seed)
    return messages.map((message) => sign(null, message, key))
  },
  verify: (signature, message, publicKey) => verify(null, message, importedEd25519Key(publicKey), signature),
}

/** libsodium where the machine has its binary; undefined elsewhere. OpenSSL does the same in 2.5 times the time. */
export const sodiumBackend: Ed25519Backend | undefined = loadSodium()

function loadSodium(): Ed25519Backend | undefined {
  const sodium = requireSodium()
  if (sodium === undefined) return undefined
  const pairOf = (seed: Uint8Array) => {
    const [publicKey, secretKey] = [Buffer.alloc(32), Buffer.alloc(64)]
    sodium.crypto_sign_seed_keypair(publicKey, secretKey, asBuffer(seed))
    return { publicKey, secretKey }
  }
  return {
    publicKeyOf(seed) {
      const { publicKey, secretKey } = pairOf(seed)
      secretKey.fill(0)
      return publicKey
    },
    sign(messages, seed) {
      const { secretKey } = pairOf(seed)
      try {
        return messages.map((message) => {
          const signature = Buffer.alloc(64)
          sodium.crypto_sign_detached(signature, asBuffer(message), secretKey)
          return signature
        })
      } finally {
        secretKey.fill(0)
      }
    },
    verify: (signature, message, publicKey) =>
      sodium.crypto_sign_verify_detached(asBuffer(signature), asBuffer(message), asBuffer(publicKey)),
  }
}

/**
 * The functions used from the `sodium-native` package; they take buffers of exactly these lengths, or throw an Error.
 */
type Sodium = {
  crypto_sign_seed_keypair(publicKey: Buffer, secretKey: Buffer, seed: Buffer): void
  crypto_sign_detached(signature: Buffer, message: Buffer, secretKey: Buffer): void
  crypto_sign_verify_detached(signature: Buffer, message: Buffer, publicKey: Buffer): boolean
}

function requireSodium(): Sodium | undefined {
  try {
    // The shape is that of the package's binding.c, and ed25519.test.ts calls every function of it.
    return createRequire(import.meta.url)('sodium-native') as Sodium
  } catch {
    // No binary for this machine (or none that loads): OpenSSL, which Node always has, is constant-time as well.
    return undefined
  }
}

/** @param publicKey  32 bytes */
export function importedEd25519Key(publicKey: Uint8Array): KeyObject {
  const x = asBuffer(publicKey).toString('base64url')
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
}

function privateKey(seed: Uint8Array): KeyObject {
  const der = asBuffer(concat(PKCS8_PREFIX, seed))
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  der.fill(0)
  return key
}

// RFC 8410, section 7: PrivateKeyInfo of version 0 with algorithm 1.3.101.112, up to the 32 bytes of the seed.
const PKCS8_PREFIX: Uint8Array = Buffer.from('302e020100300506032b657004220420', 'hex')
