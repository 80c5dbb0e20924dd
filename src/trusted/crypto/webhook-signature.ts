import type { KeyObject } from 'node:crypto'
import { concat, utf8 } from '../base/bytes.ts'
import type { Ms } from '../base/world.ts'
import { ed25519Signer } from './ed25519.ts'

/**
 * Signs one attempt to deliver an event. What is signed is `v1.ed25519.<keyId>.<timestampMs>.<eventId>.` and the body, so the
 * headers of the attempt carry these very texts.
 *
 * @param attempt.body  the bytes that are sent
 * @param key           what `ed25519PrivateKey` made
 * @returns             hex of 64 bytes
 */
export function signWebhook(
  attempt: {
    readonly keyId: string
    readonly timestampMs: Ms
    readonly eventId: string
    readonly body: Uint8Array
  },
  key: KeyObject,
): string {
  const { keyId, timestampMs, eventId, body } = attempt
  const { r, s } = ed25519Signer(key).sign(
    concat(utf8(`v1.ed25519.${keyId}.${timestampMs}.${eventId}.`), body),
  )
  return r + s
}
