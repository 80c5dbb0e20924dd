import { createPrivateKey, createPublicKey, type KeyObject, sign as signEd25519, verify } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { assert, present } from '../base/assert.ts'
import { asBuffer, concat, fromHex } from '../base/bytes.ts'
import { type ResourceSignature, resourceSignature, type Signer } from './signature.ts'

/**
 * Reads a public key, 64 hex digits of either case, and returns it in lowercase. Refused, beyond what is not a point: an
 * encoding that is not canonical (RFC 8032, section 5.1.3), and a point outside the subgroup of prime order, which no
 * honest key is and under which one signature can fit several messages. docs/decisions/ed25519-edge-cases.md says more.
 *
 * Costs about a millisecond: it is for a key that is being registered, not for one that is known.
 */
export function readEd25519Key(hex: string): string | undefined {
  if (!KEY_HEX.test(hex)) return undefined
  const lowercase = hex.toLowerCase()
  const point = readPoint(lowercase)
  if (point === undefined || point.isSmallOrder() || !point.isTorsionFree()) return undefined
  return lowercase
}

const KEY_HEX = /^[0-9a-fA-F]{64}$/

function readPoint(hex: string): InstanceType<typeof ed25519.Point> | undefined {
  try {
    return ed25519.Point.fromHex(hex, false)
  } catch {
    // Said of every encoding that is not canonical or not of a point, and of nothing else that has 64 hex digits.
    return undefined
  }
}

/** A seed is any 32 bytes (RFC 8032, section 5.1.5). */
export function isEd25519Seed(bytes: Uint8Array): boolean {
  return bytes.length === 32
}

export function generateEd25519Seed(randomBytes: (length: number) => Uint8Array): Uint8Array {
  return randomBytes(32)
}

/** @returns  hex of 32 bytes */
export function ed25519PublicKeyOf(seed: Uint8Array): string {
  return publicHexOf(createPublicKey(ed25519PrivateKey(seed)))
}

/** Importing a seed costs more than a signature, so whoever signs often keeps what comes back. The seed is copied. */
export function ed25519PrivateKey(seed: Uint8Array): KeyObject {
  assert(isEd25519Seed(seed), 'an Ed25519 seed is 32 bytes')
  const der = asBuffer(concat(PKCS8_PREFIX, seed))
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  der.fill(0)
  return key
}

// RFC 8410, section 7: PrivateKeyInfo of version 0 with algorithm 1.3.101.112, up to the 32 bytes of the seed.
const PKCS8_PREFIX: Uint8Array = Buffer.from('302e020100300506032b657004220420', 'hex')

function publicHexOf(publicKey: KeyObject): string {
  const { x } = publicKey.export({ format: 'jwk' })
  return Buffer.from(present(x, 'the x of an Ed25519 key'), 'base64url').toString('hex')
}

/**
 * @param secret     the seed, 32 bytes, or what `ed25519PrivateKey` made of it
 * @param publicKey  the key that signatures must verify under, hex; derived when it is not at hand
 */
export function ed25519Signer(secret: Uint8Array | KeyObject, publicKey?: string): Signer {
  const privateKey = secret instanceof Uint8Array ? ed25519PrivateKey(secret) : secret
  const own = createPublicKey(privateKey)
  const ownHex = publicHexOf(own)
  assert(publicKey === undefined || publicKey === ownHex, 'an Ed25519 public key belongs to its seed')
  const sign = (message: Uint8Array) => signChecked(privateKey, own, message)
  return { publicKey: ownHex, sign, signAll: (messages) => messages.map(sign) }
}

/** PureEdDSA. A signature made wrong by a fault could reveal the secret, so it is verified before anyone sees it. */
function signChecked(privateKey: KeyObject, publicKey: KeyObject, message: Uint8Array): ResourceSignature {
  const signature = signEd25519(null, message, privateKey)
  assert(verify(null, message, publicKey, signature), 'an Ed25519 signature verifies before it is returned')
  return resourceSignature(signature, 0)
}

/**
 * A key that is ready to verify, from hex that `readEd25519Key` accepted when the key was registered; the caller keeps it.
 *
 * @returns  undefined when it is not 64 hex digits
 */
export function ed25519VerifyKey(publicKeyHex: string): KeyObject | undefined {
  const bytes = KEY_HEX.test(publicKeyHex) ? fromHex(publicKeyHex) : undefined
  if (bytes === undefined) return undefined
  const x = asBuffer(bytes).toString('base64url')
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
}

/**
 * @param signature  R ‖ S; anything but 64 bytes, R of small order, and S of the order or more, does not verify
 */
export function verifyEd25519(key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64 || isSmallOrder(signature.subarray(0, 32))) return false
  return verify(null, message, key, signature)
}

/** OpenSSL 3.5 refuses such an R, and 3.0, which Node 22 has, does not. Other encodings of these points both refuse. */
function isSmallOrder(encodedR: Uint8Array): boolean {
  return SMALL_ORDER_HEX.has(asBuffer(encodedR).toString('hex'))
}

const SMALL_ORDER_HEX: ReadonlySet<string> = new Set(ED25519_TORSION_SUBGROUP)
