import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'

/** The message gives the reason and quotes nothing from the token, which may still be valid elsewhere. */
export const invalidOidcToken = defineFailure<{ readonly why: string }>({
  kind: 'invalidOidcToken',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `invalid OIDC token: ${why}`,
  errorCode: 'INVALID_OIDC_TOKEN',
})
