import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import { assert } from '../base/assert.ts'
import { concat } from '../base/bytes.ts'

/** AES-256-GCM (NIST SP 800-38D): nonces of 12 bytes, tags of 16. */
export const GCM_NONCE_LENGTH = 12
export const GCM_TAG_LENGTH = 16

/** @param bytes  32 bytes. Node 24 takes a key object four times as fast as bytes. */
export function aesKey(bytes: Uint8Array): KeyObject {
  assert(bytes.length === 32, 'an AES-256 key is 32 bytes')
  return createSecretKey(bytes)
}

/** @returns  ciphertext ‖ tag */
export function gcmEncrypt(inputs: {
  readonly key: KeyObject
  /** 12 bytes, never twice with one key. */
  readonly nonce: Uint8Array
  readonly aad: Uint8Array
  readonly plaintext: Uint8Array
}): Uint8Array {
  assert(inputs.nonce.length === GCM_NONCE_LENGTH, 'a nonce is 12 bytes')
  const cipher = createCipheriv('aes-256-gcm', inputs.key, inputs.nonce)
  cipher.setAAD(inputs.aad)
  return concat(cipher.update(inputs.plaintext), cipher.final(), cipher.getAuthTag())
}

/** @returns  undefined for every error alike */
export function gcmDecrypt(inputs: {
  readonly key: KeyObject
  readonly nonce: Uint8Array
  readonly aad: Uint8Array
  /** Ciphertext ‖ tag. */
  readonly ciphertext: Uint8Array
}): Uint8Array | undefined {
  assert(inputs.nonce.length === GCM_NONCE_LENGTH, 'a nonce is 12 bytes')
  const end = inputs.ciphertext.length - GCM_TAG_LENGTH
  if (end < 0) return undefined
  const decipher = createDecipheriv('aes-256-gcm', inputs.key, inputs.nonce, {
    authTagLength: GCM_TAG_LENGTH,
  })
  decipher.setAAD(inputs.aad)
  decipher.setAuthTag(inputs.ciphertext.subarray(end))
  const plaintext = decipher.update(inputs.ciphertext.subarray(0, end))
  return isAuthentic(decipher) ? plaintext : undefined
}

/** GCM is a stream mode, so `final` gives no bytes; it throws where the tag is wrong. */
function isAuthentic(decipher: { final(): Buffer }): boolean {
  try {
    decipher.final()
    return true
  } catch {
    return false
  }
}
