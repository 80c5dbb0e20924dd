import { createHmac } from 'node:crypto'
import { asBuffer, concat, fromHex, utf8 } from '../base/bytes.ts'
import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { aesKey, GCM_NONCE_LENGTH, GCM_TAG_LENGTH, gcmDecrypt } from './aes-gcm.ts'
import { p256KeyPair, p256SharedX } from './p256-ecdh.ts'

/** One text for every reason: there is nothing that a caller could learn from telling them apart. */
export const quorumEnvelopeNotOpened = defineFailure({
  kind: 'quorumEnvelopeNotOpened',
  code: INVALID_ARGUMENT,
  say: () => 'encrypted envelope does not open: it was altered, or was made for another key',
})

/**
 * Opens what clients encrypt to a key of the service other than with HPKE: the client secrets of OAuth 2.0 providers.
 *
 * @param hex     nonce (12 bytes) ‖ ephemeral public key (65) ‖ length (4, little-endian) ‖ ciphertext ‖ tag (16)
 * @param secret  P-256 scalar, 32 bytes
 * @returns       the plaintext, of any length; the caller wipes it
 * @throws        Failure `quorumEnvelopeNotOpened`
 */
export function openQuorumEnvelope(hex: string, secret: Uint8Array): Uint8Array {
  const bytes = fromHex(hex)
  const parts = bytes && split(asBuffer(bytes))
  if (parts === undefined) throw quorumEnvelopeNotOpened()
  const { nonce, ephemeral, ciphertext } = parts
  const pair = p256KeyPair(secret)
  const receiver = pair.getPublicKey()
  const shared = p256SharedX(pair, ephemeral)
  if (shared === undefined) throw quorumEnvelopeNotOpened()
  const key = envelopeKey(ephemeral, receiver, shared)
  const aad = concat(ephemeral, POINT_LENGTH_BYTE, receiver, POINT_LENGTH_BYTE)
  const plaintext = gcmDecrypt({ key, nonce, aad, ciphertext })
  if (plaintext === undefined) throw quorumEnvelopeNotOpened()
  return plaintext
}

/** What is secret is the key of the HMAC and the label is its message, and not the other way round. */
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

function split(bytes: Buffer) {
  if (bytes.length < CIPHERTEXT_AT + GCM_TAG_LENGTH) return undefined
  const ciphertext = bytes.subarray(CIPHERTEXT_AT)
  if (bytes.readUInt32LE(LENGTH_AT) !== ciphertext.length) return undefined
  return {
    nonce: bytes.subarray(0, GCM_NONCE_LENGTH),
    ephemeral: bytes.subarray(GCM_NONCE_LENGTH, LENGTH_AT),
    ciphertext,
  }
}
