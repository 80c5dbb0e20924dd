import { createHmac } from 'node:crypto'
import { present } from '../base/assert.ts'
import { asBuffer, concat, fromHex, toHex, utf8 } from '../base/bytes.ts'
import { defineFailure, Failure, INVALID_ARGUMENT } from '../base/failure.ts'
import { aesKey, GCM_NONCE_LENGTH, GCM_TAG_LENGTH, gcmDecrypt, gcmEncrypt } from './aes-gcm.ts'
import { generateP256Secret } from './p256.ts'
import { p256KeyPair, p256SharedX } from './p256-ecdh.ts'

/** One text for every reason, so that a caller cannot distinguish them. */
export const quorumEnvelopeNotOpened = defineFailure({
  kind: 'quorumEnvelopeNotOpened',
  code: INVALID_ARGUMENT,
  say: () => 'encrypted envelope does not open: it was altered, or was made for another key',
})

/**
 * Opens the envelopes that clients encrypt to a key of the service without HPKE: the client secrets of OAuth 2.0
 * providers.
 *
 * @param hex      nonce (12 bytes) ‖ ephemeral public key (65) ‖ length (4, little-endian) ‖ ciphertext ‖ tag (16)
 * @param secrets  P-256 scalars, 32 bytes each; the envelope is for one of them
 * @returns        the plaintext, of any length; the caller wipes it
 * @throws         Failure `quorumEnvelopeNotOpened`
 */
export function openQuorumEnvelope(hex: string, secrets: readonly Uint8Array[]): Uint8Array {
  const bytes = fromHex(hex)
  const parts = bytes && split(asBuffer(bytes))
  if (parts === undefined) throw quorumEnvelopeNotOpened()
  for (const secret of secrets) {
    const plaintext = openedWith(parts, secret)
    if (plaintext !== undefined) return plaintext
  }
  throw quorumEnvelopeNotOpened()
}

/**
 * The same secret in an envelope for the first of these keys; undefined where the envelope is already for that key.
 *
 * @param secrets  the envelope is for one of them
 * @throws         Failure `quorumEnvelopeNotOpened`
 */
export function renewedQuorumEnvelope(
  hex: string,
  [first, ...others]: readonly [Uint8Array, ...Uint8Array[]],
  randomBytes: (length: number) => Uint8Array,
): string | undefined {
  if (opensWith(hex, first)) return undefined
  const plaintext = openQuorumEnvelope(hex, others)
  const renewed = sealedFor(first, plaintext, randomBytes)
  plaintext.fill(0)
  return renewed
}

function opensWith(hex: string, secret: Uint8Array): boolean {
  try {
    openQuorumEnvelope(hex, [secret]).fill(0)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

function sealedFor(
  secret: Uint8Array,
  plaintext: Uint8Array,
  randomBytes: (length: number) => Uint8Array,
): string {
  const receiver = p256KeyPair(secret).getPublicKey()
  const pair = p256KeyPair(generateP256Secret(randomBytes))
  const ephemeral = pair.getPublicKey()
  const shared = present(p256SharedX(pair, receiver), 'a point of the curve')
  const nonce = randomBytes(GCM_NONCE_LENGTH)
  const ciphertext = gcmEncrypt({
    key: envelopeKey(ephemeral, receiver, shared),
    nonce,
    aad: boundTo(ephemeral, receiver),
    plaintext,
  })
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, ciphertext.length, true)
  return toHex(concat(nonce, ephemeral, length, ciphertext))
}

function openedWith({ nonce, ephemeral, ciphertext }: Parts, secret: Uint8Array): Uint8Array | undefined {
  const pair = p256KeyPair(secret)
  const shared = p256SharedX(pair, ephemeral)
  if (shared === undefined) return undefined
  const receiver = pair.getPublicKey()
  return gcmDecrypt({
    key: envelopeKey(ephemeral, receiver, shared),
    nonce,
    aad: boundTo(ephemeral, receiver),
    ciphertext,
  })
}

function boundTo(ephemeral: Uint8Array, receiver: Uint8Array): Uint8Array {
  return concat(ephemeral, POINT_LENGTH_BYTE, receiver, POINT_LENGTH_BYTE)
}

/** The shared secret is the key of the HMAC, and the label is its message. */
function envelopeKey(ephemeral: Uint8Array, receiver: Uint8Array, shared: Uint8Array) {
  const mac = createHmac('sha512', concat(ephemeral, receiver, shared))
    .update(LABEL)
    .digest()
  return aesKey(mac.subarray(0, 32))
}

const LABEL = utf8('qos_encryption_hmac_message')
const POINT_LENGTH = 65
const POINT_LENGTH_BYTE = Uint8Array.of(POINT_LENGTH)
const LENGTH_AT = GCM_NONCE_LENGTH + POINT_LENGTH
const CIPHERTEXT_AT = LENGTH_AT + 4

type Parts = {
  readonly nonce: Uint8Array
  readonly ephemeral: Uint8Array
  readonly ciphertext: Uint8Array
}

function split(bytes: Buffer): Parts | undefined {
  if (bytes.length < CIPHERTEXT_AT + GCM_TAG_LENGTH) return undefined
  const ciphertext = bytes.subarray(CIPHERTEXT_AT)
  if (bytes.readUInt32LE(LENGTH_AT) !== ciphertext.length) return undefined
  return {
    nonce: bytes.subarray(0, GCM_NONCE_LENGTH),
    ephemeral: bytes.subarray(GCM_NONCE_LENGTH, LENGTH_AT),
    ciphertext,
  }
}
