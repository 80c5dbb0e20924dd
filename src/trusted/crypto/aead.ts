import type { KeyObject } from 'node:crypto'
import { concat } from '../base/bytes.ts'
import { GCM_NONCE_LENGTH, gcmDecrypt, gcmEncrypt } from './aes-gcm.ts'

/**
 * Seals bytes with AES-256-GCM.
 *
 * @param inputs.key    made by `aesKey`
 * @param inputs.nonce  12 random bytes, never twice with one key
 * @param inputs.aad    purpose and owner of the bytes; opening needs the same
 * @returns             nonce (12) ‖ ciphertext (as long as the plaintext) ‖ tag (16)
 */
export function seal(inputs: {
  readonly key: KeyObject
  readonly nonce: Uint8Array
  readonly aad: Uint8Array
  readonly plaintext: Uint8Array
}): Uint8Array {
  return concat(inputs.nonce, gcmEncrypt(inputs))
}

/**
 * Opens what `seal` made.
 *
 * @returns  the plaintext, which the caller wipes when it is secret; undefined for every error alike
 */
export function open(inputs: {
  readonly key: KeyObject
  readonly aad: Uint8Array
  readonly sealed: Uint8Array
}): Uint8Array | undefined {
  if (inputs.sealed.length < GCM_NONCE_LENGTH) return undefined
  return gcmDecrypt({
    key: inputs.key,
    nonce: inputs.sealed.subarray(0, GCM_NONCE_LENGTH),
    aad: inputs.aad,
    ciphertext: inputs.sealed.subarray(GCM_NONCE_LENGTH),
  })
}
