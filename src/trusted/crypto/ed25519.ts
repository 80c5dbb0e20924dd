import { type KeyObject, verify } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { assert, present } from '../base/assert.ts'
import { asBuffer, fromHex, toHex } from '../base/bytes.ts'
import { type Ed25519Backend, importedEd25519Key, opensslBackend, sodiumBackend } from './ed25519-backend.ts'
import { type ResourceSignature, resourceSignature, type Signer } from './signature.ts'

/**
 * Reads a public key, 64 hex digits of either case, and returns it in lowercase. It refuses an encoding that is not a
 * point, or not canonical (RFC 8032, section 5.1.3), and a point outside the subgroup of prime order: no honest key is
 * such a point, and one signature under it can verify for several messages. See docs/decisions/ed25519-edge-cases.md.
 *
 * It takes about a millisecond, so it is for keys that are being registered, not for known ones.
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
    // Thrown for every encoding that is not canonical or not of a point, and for no other 64 hex digits.
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
  assert(isEd25519Seed(seed), 'an Ed25519 seed is 32 bytes')
  return toHex(backend.publicKeyOf(seed))
}

const backend: Ed25519Backend = sodiumBackend ?? opensslBackend

/** Signs with the faster backend of this machine. */
export const ed25519Signer: Ed25519SignerMaker = ed25519SignerBy(backend)

type Ed25519SignerMaker = (seed: Uint8Array, publicKey?: string) => Signer

/**
 * @returns a function that takes a seed, and the public key in hex under which signatures must verify; derived when
 *          absent
 */
export function ed25519SignerBy(chosen: Ed25519Backend): Ed25519SignerMaker {
  return (seed, publicKey) => {
    assert(isEd25519Seed(seed), 'an Ed25519 seed is 32 bytes')
    const point =
      publicKey === undefined
        ? chosen.publicKeyOf(seed)
        : present(fromHex(publicKey), 'an Ed25519 public key in hex')
    const signAll = (messages: readonly Uint8Array[]) => signedAndChecked(chosen, { seed, point }, messages)
    return {
      publicKey: publicKey ?? toHex(point),
      sign: (message) => present(signAll([message])[0], 'a signature of the message'),
      signAll,
    }
  }
}

/**
 * PureEdDSA. A signature made during a hardware fault could reveal the secret, so each is verified before it is
 * returned.
 */
function signedAndChecked(
  { sign, verify: verifyOwn }: Ed25519Backend,
  { seed, point }: { readonly seed: Uint8Array; readonly point: Uint8Array },
  messages: readonly Uint8Array[],
): readonly ResourceSignature[] {
  const signatures = sign(messages, seed)
  return messages.map((message, at) => {
    const signature = present(signatures[at], 'a signature of each message')
    assert(verifyOwn(signature, message, point), 'an Ed25519 signature verifies before it is returned')
    return resourceSignature(signature, 0)
  })
}

/**
 * A key that is ready to verify, from hex that `readEd25519Key` accepted when the key was registered; the caller keeps
 * it.
 *
 * @returns  undefined when it is not 64 hex digits
 */
export function ed25519VerifyKey(publicKeyHex: string): KeyObject | undefined {
  const bytes = KEY_HEX.test(publicKeyHex) ? fromHex(publicKeyHex) : undefined
  if (bytes === undefined) return undefined
  return importedEd25519Key(bytes)
}

/** @param signature  R ‖ S; a length other than 64 bytes, R of small order, and S of the order or more do not verify */
export function verifyEd25519(key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64 || isSmallOrder(signature.subarray(0, 32))) return false
  return verify(null, message, key, signature)
}

/** OpenSSL 3.5 refuses such an R; 3.0, which Node 22 has, accepts it. Both refuse other encodings of these points. */
function isSmallOrder(encodedR: Uint8Array): boolean {
  return SMALL_ORDER_HEX.has(asBuffer(encodedR).toString('hex'))
}

const SMALL_ORDER_HEX: ReadonlySet<string> = new Set(ED25519_TORSION_SUBGROUP)
