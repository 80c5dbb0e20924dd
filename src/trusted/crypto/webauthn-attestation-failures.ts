import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'

export const attestationMissing = defineFailure({
  kind: 'attestationMissing',
  code: INVALID_ARGUMENT,
  say: () => 'missing parameter: user authenticator attestation',
})

export const attestationAuthDataMissing = defineFailure({
  kind: 'attestationAuthDataMissing',
  code: INVALID_ARGUMENT,
  say: () => 'missing parameter: user authenticator attestation auth data',
})

export const attestationInvalid = defineFailure<{ readonly why: string }>({
  kind: 'attestationInvalid',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `invalid authenticator attestation: ${why}`,
})

/** The same text wherever the passkey was registered, because it must not reveal other organizations. */
export const attestationUsed = defineFailure({
  kind: 'attestationUsed',
  code: INVALID_ARGUMENT,
  say: () =>
    'invalid authenticator attestation: this passkey has been registered before; create a new passkey',
})
