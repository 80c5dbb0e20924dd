import { defineFailure, UNAUTHENTICATED } from '../base/failure.ts'

/** The reason follows the fixed part of the message, on which clients match. */
type Why = { readonly why: string }

export const stampMissing = defineFailure({
  kind: 'stampMissing',
  code: UNAUTHENTICATED,
  say: () =>
    'cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)',
  errorCode: 'SIGNATURE_MISSING',
})

export const moreThanOneStamp = defineFailure<{ readonly headers: readonly string[] }>({
  kind: 'moreThanOneStamp',
  code: UNAUTHENTICATED,
  say: ({ headers }) =>
    `no valid authentication signature found for request: ${headers.length === 2 ? 'both ' : ''}${headers.join(' and ')} were sent, and one is allowed`,
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

export const attestedStampUnreadable = defineFailure<Why>({
  kind: 'attestedStampUnreadable',
  code: UNAUTHENTICATED,
  say: ({ why }) => `could not extract attested stamp: ${why}`,
  errorCode: 'SIGNATURE_INVALID',
})

export const stampMalformed = defineFailure<Why>({
  kind: 'stampMalformed',
  code: UNAUTHENTICATED,
  say: ({ why }) => `malformed activity stamp: ${why}`,
  errorCode: 'SIGNATURE_INVALID',
})

/** One text for every reason, so that a caller does not learn which part of the check failed. */
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

/** As `apiKeySignatureNotVerified`; that the token is bound to another key is among the reasons. */
export const attestedSignatureNotVerified = defineFailure({
  kind: 'attestedSignatureNotVerified',
  code: UNAUTHENTICATED,
  say: () => 'could not verify attested signature',
  errorCode: 'SIGNATURE_INVALID',
})
