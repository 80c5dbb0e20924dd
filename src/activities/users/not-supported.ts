import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { text } from '../../catalogue/shape.ts'

/** Part of the interface, and of a later version of this service: refused, so that nobody relies on what did not happen. */
export const notSupported = defineFailure<{ readonly what: string }>({
  kind: 'notSupported',
  code: INVALID_ARGUMENT,
  say: ({ what }) => `invalid request: ${what} not supported by this version`,
})

/** Proof that a contact is one's own, from the one-time code that was sent there. Empty text counts as absent. */
export const verificationToken = text({ max: 16_384 })

/** A contact that would be stored unverified although proof of it was sent is refused instead. For `validate`. */
export function refuseVerificationToken(intent: { readonly verificationToken?: string }): void {
  if ((intent.verificationToken ?? '') !== '') throw notSupported({ what: 'verificationToken is' })
}
