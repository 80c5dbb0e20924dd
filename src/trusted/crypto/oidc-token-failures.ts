import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'

/** Says what was wrong, and nothing of the token, which may still be good elsewhere. */
export const invalidOidcToken = defineFailure<{ readonly why: string }>({
  kind: 'invalidOidcToken',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `invalid OIDC token: ${why}`,
  errorCode: 'INVALID_OIDC_TOKEN',
})
