import { assert } from '../base/assert.ts'
import { concat, utf8 } from '../base/bytes.ts'
import { aesKey, gcmDecrypt, gcmEncrypt } from './aes-gcm.ts'
import { hkdfExpand, hkdfExtract } from './hkdf.ts'
import { p256KeyPair, p256SharedX } from './p256-ecdh.ts'

/**
 * RFC 9180 in base mode, one message: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
 *
 * @param inputs.receiver   public key that `readP256Key` accepted, 65 bytes uncompressed
 * @param inputs.aad        made from the encapsulated key, because the profile of the interface binds it there
 * @param inputs.ephemeral  secret scalar of 32 bytes, random, used once
 * @returns                 encapsulated key, 65 bytes uncompressed; ciphertext ‖ tag
 */
export function seal(inputs: {
  readonly receiver: Uint8Array
  readonly info: Uint8Array
  readonly aad: (encappedPublic: Uint8Array) => Uint8Array
  readonly plaintext: Uint8Array
  readonly ephemeral: Uint8Array
}): { readonly encappedPublic: Uint8Array; readonly ciphertext: Uint8Array } {
  const pair = p256KeyPair(inputs.ephemeral)
  const encappedPublic = pair.getPublicKey()
  const dh = p256SharedX(pair, inputs.receiver)
  assert(dh !== undefined, 'the public key of a receiver is a point of P-256')
  const keys = keySchedule(sharedSecret(dh, encappedPublic, inputs.receiver), inputs.info)
  const aad = inputs.aad(encappedPublic)
  return { encappedPublic, ciphertext: gcmEncrypt({ ...keys, aad, plaintext: inputs.plaintext }) }
}

/**
 * Opens what `seal` made.
 *
 * @param inputs.receiver        secret scalar, 32 bytes
 * @param inputs.encappedPublic  65 bytes uncompressed
 * @param inputs.aad             made from the encapsulated key and the public key of the receiver, 65 bytes each
 * @returns                      undefined when the encapsulated key is not such a point, or the message does not open
 */
export function open(inputs: {
  readonly receiver: Uint8Array
  readonly encappedPublic: Uint8Array
  readonly info: Uint8Array
  readonly aad: (encappedPublic: Uint8Array, receiverPublic: Uint8Array) => Uint8Array
  readonly ciphertext: Uint8Array
}): Uint8Array | undefined {
  const { encappedPublic, ciphertext } = inputs
  const pair = p256KeyPair(inputs.receiver)
  const receiverPublic = pair.getPublicKey()
  const dh = p256SharedX(pair, encappedPublic)
  if (dh === undefined) return undefined
  const keys = keySchedule(sharedSecret(dh, encappedPublic, receiverPublic), inputs.info)
  return gcmDecrypt({ ...keys, aad: inputs.aad(encappedPublic, receiverPublic), ciphertext })
}

/** RFC 9180, section 4.1, ExtractAndExpand. */
function sharedSecret(dh: Uint8Array, encappedPublic: Uint8Array, receiverPublic: Uint8Array): Uint8Array {
  const prk = labeledExtract(KEM_SUITE, EMPTY, 'eae_prk', dh)
  return labeledExpand(KEM_SUITE, prk, 'shared_secret', concat(encappedPublic, receiverPublic), 32)
}

/** RFC 9180, section 5.1, KeySchedule; the nonce is that of the first and only message. */
function keySchedule(secret: Uint8Array, info: Uint8Array) {
  const infoHash = labeledExtract(HPKE_SUITE, EMPTY, 'info_hash', info)
  const context = concat(Uint8Array.of(MODE_BASE), PSK_ID_HASH, infoHash)
  const prk = labeledExtract(HPKE_SUITE, secret, 'secret', EMPTY)
  return {
    key: aesKey(labeledExpand(HPKE_SUITE, prk, 'key', context, 32)),
    nonce: labeledExpand(HPKE_SUITE, prk, 'base_nonce', context, 12),
  }
}

/** RFC 9180, section 4. */
function labeledExtract(suite: Uint8Array, salt: Uint8Array, label: string, ikm: Uint8Array): Uint8Array {
  return hkdfExtract(salt, concat(VERSION, suite, utf8(label), ikm))
}

function labeledExpand(
  suite: Uint8Array,
  prk: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Uint8Array {
  return hkdfExpand(prk, concat(Uint8Array.of(0, length), VERSION, suite, utf8(label), info), length)
}

const MODE_BASE = 0x00 // RFC 9180, table 1
const EMPTY = new Uint8Array(0)
const VERSION = utf8('HPKE-v1')
const KEM_SUITE = concat(utf8('KEM'), Uint8Array.of(0x00, 0x10)) // section 4.1: DHKEM(P-256, HKDF-SHA256)
const HPKE_SUITE = concat(utf8('HPKE'), Uint8Array.of(0x00, 0x10, 0x00, 0x01, 0x00, 0x02)) // section 5.1
const PSK_ID_HASH = labeledExtract(HPKE_SUITE, EMPTY, 'psk_id_hash', EMPTY) // base mode has no pre-shared key
