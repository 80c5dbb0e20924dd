import { concat, utf8 } from '../base/bytes.ts'
import type { Ms } from '../base/world.ts'
import { ed25519Signer } from './ed25519.ts'

/**
 * Signs one attempt to deliver an event. The signed bytes are `v1.ed25519.<keyId>.<timestampMs>.<eventId>.` and the
 * body; the headers of the attempt carry exactly these texts.
 *
 * @param attempt.body  the bytes of the body as sent
 * @param seed          seed of the signing key, 32 bytes
 * @returns             hex of 64 bytes
 */
export function signWebhook(
  attempt: {
    readonly keyId: string
    readonly timestampMs: Ms
    readonly eventId: string
    readonly body: Uint8Array
  },
  seed: Uint8Array,
): string {
  const { keyId, timestampMs, eventId, body } = attempt
  const { r, s } = ed25519Signer(seed).sign(
    concat(utf8(`v1.ed25519.${keyId}.${timestampMs}.${eventId}.`), body),
  )
  return r + s
}
