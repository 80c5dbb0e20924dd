import { concat, utf8 } from '../base/bytes.ts'
import type { Ms } from '../base/world.ts'
import type { Signer } from './signature.ts'

/**
 * Signs one attempt to deliver an event. What is signed is `v1.ed25519.<keyId>.<timestampMs>.<eventId>.` and the body, so the
 * headers of the attempt carry these very texts.
 *
 * @param attempt.body  the bytes that are sent
 * @param signer        Ed25519
 * @returns             hex of 64 bytes
 */
export function signWebhook(
  attempt: {
    readonly keyId: string
    readonly timestampMs: Ms
    readonly eventId: string
    readonly body: Uint8Array
  },
  signer: Signer,
): string {
  const { keyId, timestampMs, eventId, body } = attempt
  const { r, s } = signer.sign(concat(utf8(`v1.ed25519.${keyId}.${timestampMs}.${eventId}.`), body))
  return r + s
}
