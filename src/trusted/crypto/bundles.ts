import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { present } from '../base/assert.ts'
import { concat, fromHex, toHex, utf8 } from '../base/bytes.ts'
import { defineFailure, Failure, INVALID_ARGUMENT } from '../base/failure.ts'
import { type JsonObject, readJsonObject } from '../base/strict-json.ts'
import { GCM_TAG_LENGTH } from './aes-gcm.ts'
import { open, seal } from './hpke.ts'
import {
  generateP256Secret,
  p256Signer,
  p256UncompressedKeyOf,
  readP256Key,
  signP256Message,
} from './p256.ts'
import type { EcPublicKey } from './signature.ts'

/** Signs the bundles that leave the service; clients pin the public key, uncompressed lowercase hex. */
export type QuorumSigner = {
  readonly publicKey: string
  readonly signMessage: (message: Uint8Array) => Uint8Array
}

/** Published clients match on the beginning of this text. */
export const bundleNotRead = defineFailure<{ readonly why: string }>({
  kind: 'bundleNotRead',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `failed to deserialize encrypted bundle: ${why}`,
})

export const bundleNotOpened = defineFailure({
  kind: 'bundleNotOpened',
  code: INVALID_ARGUMENT,
  say: () => 'encrypted bundle does not open: it was altered, or was made for another target key',
})

/** @param secret  P-256 scalar, 32 bytes; kept by reference */
export function quorumSigner(secret: Uint8Array): QuorumSigner {
  const signer = p256Signer(secret)
  return {
    publicKey: toHex(p256UncompressedKeyOf(secret)),
    signMessage: (message) => signP256Message(signer, message),
  }
}

/** The signed target of an import: its holder encrypts to `target`, for this organization and user only. */
export function importTargetBundle(
  target: EcPublicKey,
  whose: { readonly organizationId: string; readonly userId: string },
  signer: QuorumSigner,
): string {
  const { organizationId, userId } = whose
  return signedEnvelope({ targetPublic: target.uncompressed, organizationId, userId }, signer)
}

/** The signed target of a one-time code: the recipient of the code encrypts it to `target`. */
export function otpTargetBundle(target: EcPublicKey, organizationId: string, signer: QuorumSigner): string {
  return signedEnvelope({ targetPublic: target.uncompressed, organizationId }, signer)
}

/**
 * Encrypts to the receiver and signs the result.
 *
 * @param plaintext    32 bytes of a private key, or UTF-8; the caller wipes it
 * @param randomBytes  gives new bytes at each call; the ephemeral secret made of them is wiped here
 */
export function exportBundle(
  plaintext: Uint8Array,
  to: { readonly receiver: EcPublicKey; readonly organizationId: string },
  signer: QuorumSigner,
  randomBytes: (length: number) => Uint8Array,
): string {
  const sealed = sealTo(to.receiver, plaintext, randomBytes)
  const encappedPublic = toHex(sealed.encappedPublic)
  const ciphertext = toHex(sealed.ciphertext)
  return signedEnvelope({ encappedPublic, ciphertext, organizationId: to.organizationId }, signer)
}

/**
 * Encrypts a credential that the service made to the key of a client. The bundle has no signature and names no
 * organization.
 *
 * @param secret       P-256 scalar, 32 bytes; the caller wipes it
 * @param randomBytes  as for `exportBundle`
 * @returns            base58check, without a version, of encapsulated key (33 bytes, compressed) ‖ ciphertext (32) ‖
 *                     tag (16)
 */
export function credentialBundle(
  secret: Uint8Array,
  receiver: EcPublicKey,
  randomBytes: (length: number) => Uint8Array,
): string {
  const { encappedPublic, ciphertext } = sealTo(receiver, secret, randomBytes)
  const { compressed } = present(readP256Key(toHex(encappedPublic)), 'an encapsulated key')
  return base58check.encode(concat(present(fromHex(compressed), 'a key in hex'), ciphertext))
}

/**
 * Opens what a client encrypted to the target of an import or of a one-time code.
 *
 * @param bundle  JSON `{"encappedPublic": hex of 65 bytes, "ciphertext": hex}`, as sent; other keys are ignored
 * @param target  secret scalar of the target key, 32 bytes
 * @returns       the plaintext, of any length; the caller wipes it
 * @throws        Failures `bundleNotRead`, `bundleNotOpened`
 */
export function openClientBundle(bundle: string, target: Uint8Array): Uint8Array {
  const { encappedPublic, ciphertext } = readClientBundle(bundle)
  const plaintext = open({ receiver: target, encappedPublic, info: INFO, aad: concat, ciphertext })
  if (plaintext === undefined) throw bundleNotOpened()
  return plaintext
}

const INFO = utf8('turnkey_hpke')
const base58check = createBase58check(sha256)

function sealTo(
  to: EcPublicKey,
  plaintext: Uint8Array,
  randomBytes: (length: number) => Uint8Array,
): { readonly encappedPublic: Uint8Array; readonly ciphertext: Uint8Array } {
  const receiver = present(fromHex(to.uncompressed), 'a P-256 public key in hex')
  const ephemeral = generateP256Secret(randomBytes)
  const sealed = seal({
    receiver,
    info: INFO,
    aad: (encapped) => concat(encapped, receiver),
    plaintext,
    ephemeral,
  })
  ephemeral.fill(0)
  return sealed
}

/** Version 1 of the envelope; the signature is over the bytes whose hex `data` is. */
function signedEnvelope(content: Readonly<Record<string, string>>, signer: QuorumSigner): string {
  const data = utf8(JSON.stringify(content))
  return JSON.stringify({
    version: 'v1.0.0',
    data: toHex(data),
    dataSignature: toHex(signer.signMessage(data)),
    enclaveQuorumPublic: signer.publicKey,
  })
}

function readClientBundle(bundle: string): {
  readonly encappedPublic: Uint8Array
  readonly ciphertext: Uint8Array
} {
  const { encappedPublic, ciphertext } = readBundleJson(bundle)
  const point = typeof encappedPublic === 'string' ? readP256Key(encappedPublic) : undefined
  if (point === undefined) throw bundleNotRead({ why: '"encappedPublic" is not the hex of a P-256 point' })
  const bytes = typeof ciphertext === 'string' ? fromHex(ciphertext) : undefined
  if (bytes === undefined || bytes.length < GCM_TAG_LENGTH) {
    throw bundleNotRead({ why: '"ciphertext" is not the hex of 16 bytes or more' })
  }
  return { encappedPublic: present(fromHex(point.uncompressed), 'the point in hex'), ciphertext: bytes }
}

function readBundleJson(bundle: string): JsonObject {
  try {
    return readJsonObject(bundle)
  } catch (error) {
    if (error instanceof Failure) throw bundleNotRead({ why: 'it is not a JSON object' })
    throw error
  }
}
