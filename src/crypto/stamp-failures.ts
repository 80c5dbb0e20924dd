import { defineFailure, UNAUTHENTICATED } from '../base/failure.ts'

/** What was wrong with a stamp follows the fixed part of a message, which clients know. */
type Why = { readonly why: string }

export const stampMissing = defineFailure({
  kind: 'stampMissing',
  code: UNAUTHENTICATED,
  say: () =>
    'cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)',
  errorCode: 'SIGNATURE_MISSING',
})

export const moreThanOneStamp = defineFailure({
  kind: 'moreThanOneStamp',
  code: UNAUTHENTICATED,
  say: () =>
    'no valid authentication signature found for request: both X-Stamp and X-Stamp-Webauthn were sent, and one is allowed',
  errorCode: 'SIGNATURE_INVALID',
})

export const apiKeyStampUnreadable = defineFailure<Why>({
  kind: 'apiKeyStampUnreadable',
  code: UNAUTHENTICATED,
  say: ({ why }) => `could not extract api key stamp: ${why}`,
  errorCode: 'SIGNATURE_INVALID',
})

export const webauthnStampUnreadable = defineFailure<Why>({
  kind: 'webauthnStampUnreadable',
  code: UNAUTHENTICATED,
  say: ({ why }) => `could not extract webauthn stamp: ${why}`,
  errorCode: 'SIGNATURE_INVALID',
})

export const stampMalformed = defineFailure<Why>({
  kind: 'stampMalformed',
  code: UNAUTHENTICATED,
  say: ({ why }) => `malformed activity stamp: ${why}`,
  errorCode: 'SIGNATURE_INVALID',
})

/** One text for every reason: a caller must not learn which part of a check failed. */
export const apiKeySignatureNotVerified = defineFailure({
  kind: 'apiKeySignatureNotVerified',
  code: UNAUTHENTICATED,
  say: () => 'could not verify api key signature',
  errorCode: 'SIGNATURE_INVALID',
})

/** As `apiKeySignatureNotVerified`; an origin that is not allowed is among the reasons. */
export const webauthnSignatureNotVerified = defineFailure({
  kind: 'webauthnSignatureNotVerified',
  code: UNAUTHENTICATED,
  say: () => 'could not verify WebAuthN signature',
  errorCode: 'SIGNATURE_INVALID',
})
